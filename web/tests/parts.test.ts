// Guards what the pages are made of: addresses, places on the cloth, the session's sum, the proof, the scanner.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { arrange } from '../src/games/baccarat/arrangement';
import { byZone } from '../src/games/baccarat/payouts';
import { betName, catalogues, speak } from '../src/i18n/index.svelte';
import { Scanner, cardIn } from '../src/pages/dealer/scanner';
import { firstChip, trayFor } from '../src/pages/player/tray';
import { boundText, readRecord, sha256, verify, type ShoeRecord } from '../src/pages/shoe/verify';
import { routeOf } from '../src/routes.svelte';
import { Session } from '../src/session.svelte';
import { macau, noCommission, round } from './recorded';

describe('addresses', () => {
  it.each([
    ['/', { page: 'lobby' }],
    ['/table/3', { page: 'table', table: 3 }],
    ['/table/3/', { page: 'table', table: 3 }],
    ['/rules/12', { page: 'rules', table: 12 }],
    ['/shoe/3-17', { page: 'shoe', table: 3, shoe: 17 }],
    ['/rounds', { page: 'rounds' }],
    ['/dealer', { page: 'dealer', table: null }],
    ['/dealer/5', { page: 'dealer', table: 5 }],
    ['/table/0', { page: 'nowhere' }],
    ['/table/03', { page: 'nowhere' }],
    ['/table', { page: 'nowhere' }],
    ['/shoe/3', { page: 'nowhere' }],
    ['/shoe/3-17-1', { page: 'nowhere' }],
    ['/table/3/4', { page: 'nowhere' }],
    ['/../etc', { page: 'nowhere' }],
  ])('%s', (path, route) => expect(routeOf(path)).toEqual(route));
});

const EVERY_BET = [
  'player', 'banker', 'tie', 'player-pair', 'banker-pair', 'lucky-six', 'player-dragon',
  'banker-dragon', 'dragon-seven', 'panda-eight', 'either-pair', 'perfect-pair',
  'perfect-pair-flat', 'big', 'small', 'super-six',
  ...Array.from({ length: 10 }, (_, total) => `egalite:${total}`),
];
const INSURANCE = ['insurance-4:player', 'insurance-4:banker', 'insurance-5:player', 'insurance-5:banker'];

describe('the cloth', () => {
  it('has exactly one place for every bet, and none for insurance', () => {
    const { left, right, middle, side, egalite } = arrange([...EVERY_BET, ...INSURANCE]);
    const placed = ['player', 'banker', ...left, ...right, ...middle, ...side, ...egalite];
    expect(placed.sort()).toEqual([...EVERY_BET].sort());
  });
  it('has a name for every bet in every language', () => {
    for (const tag of Object.keys(catalogues) as (keyof typeof catalogues)[]) {
      speak(tag);
      const names = [...EVERY_BET, ...INSURANCE.slice(0, 2)].map(betName);
      expect(new Set(names).size).toBe(names.length);
      for (const bet of EVERY_BET) expect(betName(bet)).not.toBe(bet);
    }
    speak('en');
  });
});

describe('what bets came to', () => {
  it('is told zone by zone, however many chips were laid down one by one', () => {
    const nothing = { winnings: 0, commission: 0 };
    const lost = { on: 'tie', stake: 500, ending: 'lost', ...nothing } as const;
    const won = { on: 'banker', stake: 2_000, ending: 'won', winnings: 2_000, commission: 100 } as const;
    expect(byZone([{ bet: 1, ...won }, { bet: 2, ...lost }, { bet: 3, ...won }])).toEqual([
      { bet: 1, on: 'banker', stake: 4_000, ending: 'won', winnings: 4_000, commission: 200 },
      { bet: 2, ...lost },
    ]);
  });
});

describe('the tray', () => {
  it('begins at the smallest step, and the hand at the smallest bet', () => {
    expect(trayFor(macau)).toEqual([500, 2_500, 10_000, 50_000, 100_000, 500_000]);
    expect(firstChip(trayFor(macau), macau)).toBe(10_000);
    expect(firstChip(trayFor(noCommission), noCommission)).toBe(10_000);
    expect(trayFor([])).toEqual([]);
  });
});

describe('the session', () => {
  it('adds up the rounds that ended in it, each once', () => {
    const session = new Session();
    session.begin(1_000);
    session.take([round({ round: 1, at: 999, staked: 100, returned: 0 })]);
    session.take([round({ round: 2, at: 1_000, staked: 100, returned: 195 })]);
    session.take([round({ round: 2, at: 1_000, staked: 100, returned: 195 })]);
    session.take([round({ round: 3, at: 2_000, staked: 500, returned: 0 })]);
    expect(session.net).toBe(-405);
    expect(session.rounds.map(({ round: number }) => number)).toEqual([3, 2, 1]);
  });
});

describe('the proof of a shoe', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/fairness.md'), 'utf8');
  const text = /```text\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  const record = readRecord(JSON.parse(/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '{}')) as ShoeRecord;
  const failed = async (changed: Partial<ShoeRecord>, noted: string | null = null): Promise<string[]> =>
    (await verify({ ...record, ...changed }, noted)).filter(({ holds }) => !holds).map(({ check }) => check);

  it('is the worked example of docs/fairness.md, to the byte', async () => {
    expect(boundText(record)).toBe(text);
    expect(await sha256(text)).toBe(record.commitment);
    const checks = await verify(record, record.commitment);
    expect(checks.map(({ check, holds }) => [check, holds])).toEqual([
      ['noted', true],
      ['hash', true],
      ['cards', true],
      ['cut', true],
      ['deal', true],
      ['totals', true],
    ]);
    expect(checks.find(({ check }) => check === 'deal')?.came).toBe('15');
  });
  it('fails for anything that was changed', async () => {
    const swapped = (record.order ?? '').replace('6D TC', 'TC 6D');
    expect(await failed({ order: swapped })).toEqual(['hash']);
    expect(await failed({ order: (record.order ?? '').replace('6D TC', '6D 6D') })).toEqual(['hash', 'cards']);
    expect(await failed({ salt: '00'.repeat(32) })).toEqual(['hash']);
    expect(await failed({ cut: { by: 'house', at: 51 } })).toContain('cut');
    expect(await failed({ cut: null })).toContain('cut');
    const [first, ...others] = record.rounds;
    if (first === undefined) throw new Error('the example has rounds');
    expect(await failed({ rounds: [{ ...first, cards: 'JD AC 2S 3H KC' }, ...others] })).toContain('deal');
    expect(await failed({ totals: { burned: 6, dealt: 14, left: 84 } })).toEqual(['totals']);
    expect(await failed({}, 'ab'.repeat(32))).toEqual(['noted']);
    expect(await failed({ order: null, salt: null })).toEqual(['revealed']);
  });
  it('is not tried on what is no record', () => {
    for (const told of [null, 7, 'x', {}, [], { version: 2 }, { version: 1, rounds: [] }]) {
      expect(readRecord(told)).toBeNull();
    }
  });
});

describe('the scanner', () => {
  it.each([
    ['9H', '9H'], ['10d', 'TD'], ['td', 'TD'], [' as ', 'AS'],
    ['1H', null], ['H9', null], ['', null], ['9HH', null],
  ])('%s', (line, card) => expect(cardIn(line)).toBe(card));

  it('joins keys to a line, and begins anew after a pause', () => {
    const cards: string[] = [];
    const nonsense: string[] = [];
    let at = 0;
    const scanner = new Scanner((card) => cards.push(card), (line) => nonsense.push(line), () => at);
    const type = (keys: string[], typing = false): boolean[] =>
      keys.map((key) => scanner.key({ key, ctrlKey: false, metaKey: false, altKey: false }, typing));
    expect(type(['Enter'])).toEqual([false]);
    expect(type(['9', 'H', 'Enter'])).toEqual([true, true, true]);
    type(['X']);
    at = 2_000;
    type(['K', 'C', 'Enter']);
    type(['Z', 'Enter']);
    expect(type(['9', 'H', 'Enter'], true)).toEqual([false, false, false]);
    expect(cards).toEqual(['9H', 'KC']);
    expect(nonsense).toEqual(['Z']);
  });
});
