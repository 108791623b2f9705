// Guards the catalogues: the same keys in every language, no text in a component, money to the cent.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'svelte/compiler';
import { describe, expect, it } from 'vitest';
import { catalogues, speak, whyRefused } from '../src/i18n/index.svelte';
import { onChip, typed, written } from '../src/i18n/money';

function keys(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [`${path}: ${typeof value}`];
  return Object.entries(value).flatMap(([name, inner]) => keys(inner, `${path}.${name}`));
}

describe('catalogues', () => {
  const fixed = keys(catalogues.en).sort();
  for (const [tag, catalogue] of Object.entries(catalogues)) {
    it(`${tag} has the keys of English, and none is empty`, () => {
      expect(keys(catalogue).sort()).toEqual(fixed);
      expect(JSON.stringify(catalogue)).not.toContain(':""');
    });
  }

  it('says what would be accepted, and knows a code it never heard of', () => {
    speak('en');
    expect(whyRefused({ code: 'ABOVE_MAX', max: 123_450 })).toBe('At most 1,234.50 more here');
    expect(whyRefused({ code: 'BANKER_MULTIPLE', step: 10_000 })).toContain('100');
    expect(whyRefused({ code: 'toString' })).toBe('The house refused this');
  });
});

const SPOKEN = new Set(['aria-label', 'aria-description', 'aria-valuetext', 'aria-roledescription',
  'title', 'alt', 'placeholder', 'label']);
const LETTERS = /\p{L}{2,}/u;

interface Node {
  type?: string;
  name?: string;
  data?: string;
  value?: unknown;
  [part: string]: unknown;
}

/** Visible literals of a component: text between tags, and attributes that are read aloud. */
function literals(node: unknown, found: string[], spoken = true): string[] {
  if (Array.isArray(node)) {
    for (const inner of node) literals(inner, found, spoken);
    return found;
  }
  if (typeof node !== 'object' || node === null) return found;
  const here = node as Node;
  if (here.type === 'Text' && spoken && LETTERS.test(here.data ?? '')) found.push(here.data ?? '');
  for (const [name, inner] of Object.entries(here)) {
    if (name === 'css' || name === 'instance' || name === 'module') continue;
    const attribute =
      here.type === 'StyleDirective' ||
      (here.type === 'Attribute' && !SPOKEN.has(here.name ?? ''));
    literals(inner, found, spoken && !attribute);
  }
  return found;
}

describe('components', () => {
  const folder = join(import.meta.dirname, '../src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.svelte') && !file.startsWith('gallery'),
  );

  it('are found', () => expect(files.length).toBeGreaterThan(8));
  for (const file of files) {
    it(`${file} has no words of its own`, () => {
      const tree = parse(readFileSync(join(folder, file), 'utf8'), { modern: true });
      expect(literals(tree.fragment, [])).toEqual([]);
    });
  }
  it('the scan sees text and spoken attributes, and nothing else', () => {
    const tree = parse('<p class="quiet" aria-label="Some words">Hello {name}</p>', { modern: true });
    expect(literals(tree.fragment, []).sort()).toEqual(['Hello ', 'Some words']);
  });
});

describe('money', () => {
  const comma = { group: ',', decimal: '.' };
  const iberian = { group: '.', decimal: ',' };
  it.each([
    [0, '0', '0.00'],
    [5, '0.05', '0.05'],
    [99_900, '999', '999.00'],
    [100_000, '1,000', '1,000.00'],
    [123_456_789_01, '123,456,789.01', '123,456,789.01'],
    [-2_050, '−20.50', '−20.50'],
    [9_007_199_254_740_991, '90,071,992,547,409.91', '90,071,992,547,409.91'],
  ])('%d', (amount, short, long) => {
    expect(written(amount, comma)).toBe(short);
    expect(written(amount, comma, 'always')).toBe(long);
  });
  it('follows the separators of the language', () =>
    expect(written(123_456_789, iberian)).toBe('1.234.567,89'));
  it.each([
    [50, '·50'],
    [500, '5'],
    [100_000, '1k'],
    [2_500_000, '25k'],
    [100_000_000, '1M'],
    [125_000, '1250'],
  ])('%d on a chip is %s', (amount, text) => expect(onChip(amount)).toBe(text));
  it.each([
    ['250', 25_000],
    ['1,250.5', 125_050],
    [' 12.50 ', 1_250],
    ['12.505', null],
    ['-5', null],
    ['', null],
    ['1e9', null],
  ])('%s typed', (text, amount) => expect(typed(text, comma)).toBe(amount));
});
