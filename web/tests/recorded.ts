// Messages as the house sends them, and a line on which a test says them.
import type { Socket, ToHouse } from '../src/connection';
import { House } from '../src/house.svelte';
import { bare, macau, noCommission, roads, totals } from '../src/gallery/scenes';
import type {
  DealerView,
  FeltView,
  LayoutZone,
  Me,
  MineView,
  MyRound,
  Outcome,
  PartName,
  TileView,
} from '../src/wire/generated';

export const NOW = 1_750_000_000_000;
export const guest: Me = { role: 'player', player: 9, name: 'Guest 9' };

export class Wire implements Socket {
  onopen: Socket['onopen'] = null;
  onmessage: Socket['onmessage'] = null;
  onclose: Socket['onclose'] = null;
  onerror: Socket['onerror'] = null;
  sent: ToHouse[] = [];
  #version = 0;
  send(text: string): void {
    this.sent.push(JSON.parse(text) as ToHouse);
  }
  close(): void {}
  say(message: object): void {
    this.onmessage?.(new MessageEvent('message', { data: JSON.stringify(message) }));
  }
  greet(me: Me = guest, balance: number | null = 1_000_000): void {
    this.onopen?.(new Event('open'));
    this.say({ type: 'hello', version: 1, now: NOW, me });
    if (balance !== null) this.say({ type: 'balance', balance });
  }
  part(table: number, part: PartName, body: unknown): void {
    this.#version += 1;
    this.say({ type: 'part', table, part, version: this.#version, now: NOW, body });
  }
  /** What was asked of a table, without the ids. */
  get commands(): object[] {
    return this.sent.flatMap((message) => (message.type === 'command' ? [message.command] : []));
  }
  answer(refusal: object | null = null): void {
    const asked = this.sent.filter((message) => message.type === 'command');
    for (const { id } of asked) {
      this.say({ type: 'answer', id, ok: refusal === null, refusal });
    }
  }
}

/** A house on wires that the test holds. */
export function wired(): { house: House; wires: Wire[]; last: () => Wire } {
  const wires: Wire[] = [];
  const house = new House('ws://house', () => {
    const wire = new Wire();
    wires.push(wire);
    return wire;
  });
  house.start();
  const last = (): Wire => {
    const wire = wires.at(-1);
    if (wire === undefined) throw new Error('nothing was dialled');
    return wire;
  };
  return { house, wires, last };
}

export function felt(over: Partial<FeltView> = {}, face: Partial<FeltView['face']> = {}): FeltView {
  return {
    table: 1,
    name: 'Lotus',
    preset: 'macau',
    rules: 'a1b2',
    dealt_by: 'robot',
    practice: true,
    phase: 'betting',
    round: 42,
    deadline: NOW + 12_000,
    bet_s: 15,
    paused: false,
    disabled: false,
    closing: false,
    demonstration: false,
    corrected: false,
    void: null,
    shoe: {
      number: 17,
      commitment: '0e196b53c319a4e763d15f83ce4bf08f061fe8e34462eeb50371e548286c3871',
      previous: null,
      last_hand: false,
      step: null,
      cut: null,
    },
    seats: Array.from({ length: 7 }, (_, index) => ({
      seat: index + 1,
      name: index === 1 ? 'Mei' : null,
      present: index === 1,
      holds_shoe: false,
      holds: [],
    })),
    standing_allowed: true,
    ask_road: true,
    click_is_bet: false,
    ...over,
    face: {
      game: 'baccarat',
      player: { cards: [], total: null },
      banker: { cards: [], total: null },
      opening: [],
      insurance: [],
      outcome: null,
      winners: [],
      ...face,
    },
  };
}

export const bankerWins: Outcome = {
  winner: 'banker',
  player_total: 6,
  banker_total: 7,
  player_natural: false,
  banker_natural: false,
  player_pair: false,
  banker_pair: false,
};

export function settled(): FeltView {
  return felt(
    { phase: 'settled', deadline: null },
    {
      player: { cards: ['2D', 'KC', '4S'], total: 6 },
      banker: { cards: ['QH', '3S', '4D'], total: 7 },
      outcome: { baccarat: bankerWins },
      winners: ['banker'],
    },
  );
}

export function mine(over: Partial<MineView> = {}): MineView {
  return { ...bare, table: 1, seat: null, may: ['sit', 'bet', 'repeat'], ...over };
}

export function round(over: Partial<MyRound> = {}): MyRound {
  return {
    table: 1,
    round: 42,
    shoe: 17,
    at: NOW + 1,
    player: ['2D', 'KC', '4S'],
    banker: ['QH', '3S', '4D'],
    outcome: { baccarat: bankerWins },
    void: null,
    payouts: [
      { bet: 1, on: 'banker', stake: 10_000, ending: 'won', winnings: 10_000, commission: 500 },
      { bet: 2, on: 'tie', stake: 2_500, ending: 'lost', winnings: 0, commission: 0 },
    ],
    staked: 12_500,
    returned: 19_500,
    ...over,
  };
}

export function tile(over: Partial<TileView> = {}): TileView {
  return {
    table: 1,
    name: 'Lotus',
    game: 'baccarat',
    preset: 'macau',
    dealt_by: 'robot',
    practice: false,
    phase: 'betting',
    deadline: NOW + 12_000,
    bet_s: 15,
    min: 2_000,
    max: 500_000,
    seats: 7,
    seats_free: 6,
    standing_allowed: true,
    players: 3,
    shoe: 17,
    big_road: roads.shoe.big_road,
    banker: 41,
    player: 34,
    tie: 5,
    ...over,
  };
}

export function dealer(over: Partial<DealerView> = {}): DealerView {
  return {
    table: 5,
    round: 42,
    phase: 'dealing',
    due: null,
    step: null,
    may: [],
    player_cards: [],
    banker_cards: [],
    correctable: false,
    zones: [],
    differential: 0,
    diff_limit: null,
    cut_until: null,
    opening: [],
    holder: null,
    outcome: null,
    shown_until: null,
    shoe: 17,
    last_hand: false,
    ...over,
  };
}

export { macau, noCommission, roads, totals };
export type { LayoutZone };
