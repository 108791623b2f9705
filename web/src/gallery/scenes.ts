// What the gallery shows: rounds as the house would send them, at moments worth looking at.
import type { Hand, Mine, Roads, Totals, ZoneRule } from '../wire/draft';
import written from './roads.json';

export const roads = written as unknown as Record<
  'shoe' | 'streaks' | 'ties' | 'tails' | 'all_ties' | 'empty',
  Roads
>;

const dragon = [30, 15, 6, 3, 2, 1].map((win) => ({ pays: `${win} to 1`, when: null }));

export const macau: ZoneRule[] = [
  { on: 'player-pair', pays: [{ pays: '11 to 1', when: null }], min: 2_500, max: 100_000 },
  { on: 'player', pays: [{ pays: '1 to 1', when: null }], min: 10_000, max: 5_000_000 },
  { on: 'tie', pays: [{ pays: '8 to 1', when: null }], min: 2_500, max: 200_000 },
  { on: 'banker', pays: [{ pays: '19 to 20', when: null }], min: 10_000, max: 5_000_000 },
  { on: 'banker-pair', pays: [{ pays: '11 to 1', when: null }], min: 2_500, max: 100_000 },
];
export const noCommission: ZoneRule[] = [
  { on: 'player-pair', pays: [{ pays: '12.1 to 1', when: null }], min: 1_000, max: 50_000 },
  { on: 'player', pays: [{ pays: '1 to 1', when: null }], min: 1_000, max: 500_000 },
  { on: 'tie', pays: [{ pays: '9.3 to 1', when: null }], min: 1_000, max: 50_000 },
  { on: 'banker', pays: [{ pays: '1 to 1', when: null }, { pays: '1 to 2', when: 'banker-six' }], min: 1_000, max: 500_000 },
  { on: 'banker-pair', pays: [{ pays: '12.1 to 1', when: null }], min: 1_000, max: 50_000 },
  { on: 'player-dragon', pays: dragon, min: 1_000, max: 20_000 },
  { on: 'lucky-six', pays: [{ pays: '15 to 1', when: 'two-cards' }, { pays: '22 to 1', when: 'three-cards' }], min: 1_000, max: 20_000 },
  { on: 'banker-dragon', pays: dragon, min: 1_000, max: 20_000 },
];

export const totals: Totals = {
  zones: [
    { on: 'player-pair', amount: 42_500, bettors: 3 },
    { on: 'player', amount: 1_284_000, bettors: 9 },
    { on: 'tie', amount: 62_500, bettors: 4 },
    { on: 'banker', amount: 1_960_000, bettors: 12 },
    { on: 'banker-pair', amount: 10_000, bettors: 1 },
    { on: 'lucky-six', amount: 5_000, bettors: 2 },
  ],
};

export const none: Hand = { cards: [], total: null };
export const down: Hand = { cards: [{ card: null }, { card: null }], total: null };

export const bare: Mine = {
  balance: 4_286_050,
  net: 186_050,
  seat: 3,
  bets: [],
  can_undo: false,
  can_repeat: true,
  can_double: false,
  peeked: null,
  payouts: [],
};
export const betting: Mine = {
  ...bare,
  bets: [
    { id: 1, on: 'banker', stake: 100_000, carried: false },
    { id: 2, on: 'banker', stake: 62_500, carried: false },
    { id: 3, on: 'tie', stake: 5_000, carried: false },
    { id: 4, on: 'banker-pair', stake: 2_500, carried: false },
  ],
  can_undo: true,
  can_double: true,
};
export const paid: Mine = {
  ...betting,
  bets: betting.bets.filter(({ on }) => on === 'banker'),
  payouts: [
    { on: 'banker', stake: 162_500, result: 'won', back: 316_875 },
    { on: 'tie', stake: 5_000, result: 'lost', back: 0 },
    { on: 'banker-pair', stake: 2_500, result: 'lost', back: 0 },
  ],
};
