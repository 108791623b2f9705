// What the gallery shows: rounds as the house would send them, at moments worth looking at.
import type { HandView, LayoutZone, MineView, RoadMaps, ZoneView } from '../wire/generated';
import written from './roads.json';

export const roads = written as unknown as Record<
  'shoe' | 'streaks' | 'ties' | 'tails' | 'all_ties' | 'empty',
  RoadMaps
>;

type Zone = LayoutZone;
const plain = { commission_pct: 0, step: 500 };
const dragon = [30, 15, 6, 3, 2, 1].map((win) => ({ pays: `${win} to 1`, when: null }));

export const macau: Zone[] = [
  { on: 'player-pair', pays: [{ pays: '11 to 1', when: null }], min: 2_500, max: 100_000, ...plain },
  { on: 'player', pays: [{ pays: '1 to 1', when: null }], min: 10_000, max: 5_000_000, ...plain },
  { on: 'tie', pays: [{ pays: '8 to 1', when: null }], min: 2_500, max: 200_000, ...plain },
  { on: 'banker', pays: [{ pays: '1 to 1', when: null }], min: 10_000, max: 5_000_000, ...plain, commission_pct: 5 },
  { on: 'banker-pair', pays: [{ pays: '11 to 1', when: null }], min: 2_500, max: 100_000, ...plain },
];
export const noCommission: Zone[] = [
  { on: 'player-pair', pays: [{ pays: '12.1 to 1', when: null }], min: 1_000, max: 50_000, ...plain },
  { on: 'player', pays: [{ pays: '1 to 1', when: null }], min: 1_000, max: 500_000, ...plain },
  { on: 'tie', pays: [{ pays: '9.3 to 1', when: null }], min: 1_000, max: 50_000, ...plain },
  { on: 'banker', pays: [{ pays: '1 to 1', when: null }, { pays: '1 to 2', when: 'banker-six' }], min: 1_000, max: 500_000, ...plain },
  { on: 'banker-pair', pays: [{ pays: '12.1 to 1', when: null }], min: 1_000, max: 50_000, ...plain },
  { on: 'player-dragon', pays: dragon, min: 1_000, max: 20_000, ...plain },
  { on: 'lucky-six', pays: [{ pays: '15 to 1', when: 'two-cards' }, { pays: '22 to 1', when: 'three-cards' }], min: 1_000, max: 20_000, ...plain },
  { on: 'banker-dragon', pays: dragon, min: 1_000, max: 20_000, ...plain },
];

export const totals: ZoneView[] = [
  { on: 'player-pair', stake: 42_500, bettors: 3 },
  { on: 'player', stake: 1_284_000, bettors: 9 },
  { on: 'tie', stake: 62_500, bettors: 4 },
  { on: 'banker', stake: 1_960_000, bettors: 12 },
  { on: 'banker-pair', stake: 10_000, bettors: 1 },
  { on: 'lucky-six', stake: 5_000, bettors: 2 },
];

export const none: HandView = { cards: [], total: null };
export const down: HandView = { cards: [null, null], total: null };

export const bare: MineView = {
  table: 7,
  round: 42,
  seat: 3,
  bets: [],
  at_stake: 0,
  player_cards: [],
  banker_cards: [],
  may: ['bet', 'repeat'],
  repeat: [],
  last: null,
};
export const betting: MineView = {
  ...bare,
  bets: [
    { bet: 1, on: 'banker', stake: 100_000, carried: false },
    { bet: 2, on: 'banker', stake: 62_500, carried: false },
    { bet: 3, on: 'tie', stake: 5_000, carried: false },
    { bet: 4, on: 'banker-pair', stake: 2_500, carried: false },
  ],
  at_stake: 170_000,
  may: ['bet', 'undo', 'cancel-all', 'double'],
};
export const paid: MineView = {
  ...bare,
  may: [],
  last: {
    table: 7,
    round: 42,
    shoe: 17,
    at: 0,
    player: ['2D', 'KC', '4S'],
    banker: ['QH', '3S', '4D'],
    outcome: null,
    void: null,
    staked: 170_000,
    returned: 316_875,
    payouts: [
      { bet: 1, on: 'banker', stake: 162_500, ending: 'won', winnings: 162_500, commission: 8_125 },
      { bet: 3, on: 'tie', stake: 5_000, ending: 'lost', winnings: 0, commission: 0 },
      { bet: 4, on: 'banker-pair', stake: 2_500, ending: 'lost', winnings: 0, commission: 0 },
    ],
  },
};
