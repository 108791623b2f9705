// Guards that text and marks can be read on every ground they lie on, from the tokens themselves.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const css = readFileSync(join(import.meta.dirname, '../src/tokens.css'), 'utf8');

function channels(token: string): [number, number, number] {
  const hex = new RegExp(`--${token}: #([0-9a-f]{6});`).exec(css)?.[1];
  if (hex === undefined) throw new Error(`no colour --${token}`);
  const part = (at: number): number => Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return [part(0), part(2), part(4)];
}
function luminance(token: string): number {
  const [red, green, blue] = channels(token).map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
function contrast(one: string, other: string): number {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

const GROUNDS = ['baize-light', 'baize', 'baize-edge', 'ink', 'ink-raised', 'wood', 'wood-light'];
const TEXTS = [
  'ivory', 'ivory-soft', 'banker-text', 'player-text', 'tie-text', 'amber-text', 'brass-light',
];
const cases: [string, string, number][] = [
  ...GROUNDS.flatMap((ground) => TEXTS.map((text): [string, string, number] => [text, ground, 4.5])),
  ...['ink', 'ink-raised', 'baize-edge'].map((ground): [string, string, number] => ['ivory-quiet', ground, 4.5]),
  ...GROUNDS.map((ground): [string, string, number] => ['brass', ground, 3]),
  ...['paper', 'paper-shade'].flatMap((ground): [string, string, number][] => [
    ['paper-text', ground, 4.5],
    ['banker-paper', ground, 3],
    ['player-paper', ground, 3],
    ['tie-paper', ground, 3],
  ]),
  ['ink-text', 'ivory', 4.5],
];

it.each(cases)('--%s on --%s has at least %d:1', (text, ground, least) => {
  expect(contrast(text, ground)).toBeGreaterThanOrEqual(least);
});
it('the letters of the bead plate, white on its discs', () => {
  for (const disc of ['banker-paper', 'player-paper', 'tie-paper']) {
    expect(1.05 / (luminance(disc) + 0.05)).toBeGreaterThanOrEqual(4.5);
  }
});
