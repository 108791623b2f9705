// What the house and the page say to each other. Shapes only; the page holds the last of each and draws it.

/** An amount in the smallest unit: 1/100 of a chip unit. Always a whole number below 2^53. */
export type Chips = number;
/** Milliseconds of the house's clock. */
export type Milliseconds = number;
/** A card as rank and suit: `As`, `Td`, `9h`. */
export type CardCode = string;

export type Side = 'banker' | 'player';
export type Outcome = Side | 'tie';
export type BetKind =
  | Outcome
  | 'banker-pair'
  | 'player-pair'
  | 'lucky-six'
  | 'banker-dragon'
  | 'player-dragon'
  | 'insurance';

// ------------------------------------------------------------------ what the page sends

export type Command =
  | { do: 'sit'; seat: number }
  | { do: 'stand' }
  | { do: 'bet'; bets: { on: BetKind; stake: Chips }[] }
  | { do: 'cancel'; bet: number }
  | { do: 'lower'; bet: number; to: Chips }
  | { do: 'move'; bet: number; to: BetKind }
  | { do: 'undo' }
  | { do: 'cancel-all' }
  | { do: 'repeat' }
  | { do: 'double' }
  | { do: 'open'; side: Side }
  | { do: 'insure'; side: Side; stake: Chips }
  | { do: 'cut'; at: number }
  | { do: 'pass-shoe' };

export type ToHouse =
  | { type: 'watch'; table: number }
  | { type: 'unwatch'; table: number }
  | {
      type: 'command';
      id: string;
      table: number;
      round: string | null;
      rules: string | null;
      command: Command;
    }
  | { type: 'chat'; table: number; text: string }
  | { type: 'ping'; at: number };

// ------------------------------------------------------------------ what the house sends

export interface Me {
  id: number;
  name: string;
  balance: Chips;
}

/** Why something was refused, with what would have been accepted. */
export interface Refusal {
  code: string;
  min?: Chips;
  max?: Chips;
  step?: Chips;
}

export type Answer = { ok: true } | ({ ok: false } & Refusal);

export interface ChatLine {
  table: number;
  from: string;
  text: string;
  at: Milliseconds;
}

export type FromHouse =
  | { type: 'hello'; now: Milliseconds; me: Me }
  | { type: 'pong'; at: number; now: Milliseconds }
  | ({ type: 'lobby' } & Lobby)
  | {
      [P in PartName]: { type: 'part'; table: number; part: P; version: number; body: Parts[P] };
    }[PartName]
  | ({ type: 'answer'; id: string } & Answer)
  | ({ type: 'chat' } & ChatLine);

export interface Parts {
  felt: Felt;
  totals: Totals;
  roads: Roads;
  mine: Mine;
}
export type PartName = keyof Parts;

export interface LobbyTable {
  table: number;
  name: string;
  game: string;
  room: 'robot' | 'live' | 'practice';
  dealer: string | null;
  min: Chips;
  max: Chips;
  seats_free: number | null;
  phase: Phase;
  big_road: BigRoadCell[];
}
export interface Lobby {
  tables: LobbyTable[];
}

export type Phase =
  | { is: 'closed' }
  | { is: 'preparing'; step: string }
  | { is: 'betting'; opened_at: Milliseconds; closes_at: Milliseconds }
  | { is: 'no-more-bets' }
  | { is: 'dealing' }
  | { is: 'squeezing'; side: Side; opened_at: Milliseconds; until: Milliseconds }
  | { is: 'insurance'; opened_at: Milliseconds; until: Milliseconds }
  | { is: 'declared' }
  | { is: 'settled' }
  | { is: 'held'; reason: string }
  | { is: 'void'; reason: string };

/** A card on the cloth. `card` is null while it lies face down for this pair of eyes. */
export interface CardLaid {
  card: CardCode | null;
}
export interface Hand {
  cards: CardLaid[];
  total: number | null;
}
export interface Seat {
  seat: number;
  name: string | null;
}
/** What a bet pays as printed on the layout, `19 to 20`, and on what it depends. */
export interface PayLine {
  pays: string;
  when: string | null;
}
export interface ZoneRule {
  on: BetKind;
  /** Several where the pay depends on the cards. */
  pays: PayLine[];
  min: Chips;
  max: Chips;
}
export interface Result {
  outcome: Outcome;
  player: number;
  banker: number;
  natural: boolean;
  winning: BetKind[];
}
export interface Felt {
  name: string;
  round: string | null;
  rules: string;
  shoe: number;
  cards_left: number;
  last_hand: boolean;
  phase: Phase;
  zones: ZoneRule[];
  denominations: Chips[];
  player: Hand;
  banker: Hand;
  seats: Seat[];
  holders: { player: number | null; banker: number | null };
  result: Result | null;
}

export interface ZoneTotal {
  on: BetKind;
  amount: Chips;
  bettors: number;
}
export interface Totals {
  zones: ZoneTotal[];
}

export interface RoadCell {
  column: number;
  row: number;
}
export interface Bead extends RoadCell {
  outcome: Outcome;
  score: number;
  natural: boolean;
  banker_pair: boolean;
  player_pair: boolean;
}
export interface BigRoadCell extends RoadCell {
  /** null only for ties before the first Banker or Player. */
  side: Side | null;
  ties: number;
  banker_pair: boolean;
  player_pair: boolean;
}
export type RoadMark = 'red' | 'blue';
export interface DerivedCell extends RoadCell {
  mark: RoadMark;
}
export interface Asked {
  big: RoadCell;
  big_eye: DerivedCell | null;
  small: DerivedCell | null;
  cockroach: DerivedCell | null;
}
export interface Roads {
  shoe: number;
  bead: Bead[];
  big: BigRoadCell[];
  big_eye: DerivedCell[];
  small: DerivedCell[];
  cockroach: DerivedCell[];
  ask: Record<Side, Asked>;
  counts: {
    rounds: number;
    banker: number;
    player: number;
    tie: number;
    banker_pair: number;
    player_pair: number;
    natural: number;
  };
}

export interface OwnBet {
  id: number;
  on: BetKind;
  stake: Chips;
  carried: boolean;
}
export interface Payout {
  on: BetKind;
  stake: Chips;
  result: 'won' | 'lost' | 'returned' | 'carried';
  /** What came back, the stake included. */
  back: Chips;
}
export interface Mine {
  balance: Chips;
  net: Chips;
  seat: number | null;
  bets: OwnBet[];
  can_undo: boolean;
  can_repeat: boolean;
  can_double: boolean;
  /** Cards that only this pair of eyes may see, as the holder of a hand. */
  peeked: { side: Side; cards: CardCode[] } | null;
  payouts: Payout[];
}
