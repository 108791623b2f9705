// The connection as pages read it: whatever it holds, with a new look whenever that changes.
import {
  Connection,
  type Change,
  type Command,
  type CommandSent,
  type DealerCommand,
  type Line,
  type Parts,
  type Socket,
} from './connection';
import type { ChatLine, Me, PartName, Rejection, TileView } from './wire/generated';

export class House {
  readonly #connection: Connection;
  #seen = $state<Record<Change, number>>({
    line: 0,
    me: 0,
    lobby: 0,
    balance: 0,
    part: 0,
    answer: 0,
    refused: 0,
    chat: 0,
    clock: 0,
  });

  constructor(url: string, dial?: (url: string) => Socket) {
    this.#connection = new Connection(url, dial);
    this.#connection.onchange = (what) => {
      this.#seen[what] += 1;
    };
  }

  start(): void {
    this.#connection.start();
  }
  stop(): void {
    this.#connection.stop();
  }
  /** Dials anew, after the visitor became somebody else. */
  reconnect(): void {
    this.#connection.reconnect();
  }

  /** Reads something anew after each change of its kind. */
  #after<T>(what: Change, value: () => T): T {
    void this.#seen[what];
    return value();
  }

  get line(): Line {
    return this.#after('line', () => this.#connection.line);
  }
  get me(): Me | null {
    return this.#after('me', () => this.#connection.me);
  }
  get lobby(): TileView[] | null {
    return this.#after('lobby', () => this.#connection.lobby);
  }
  /** What may be staked, over all tables; null for who only watches. */
  get balance(): number | null {
    return this.#after('balance', () => this.#connection.balance);
  }
  get outdated(): boolean {
    return this.#after('me', () => this.#connection.outdated);
  }
  get refusal(): Rejection | null {
    return this.#after('refused', () => this.#connection.refusal);
  }
  part<P extends PartName>(table: number, part: P): Parts[P] | null {
    return this.#after('part', () => this.#connection.part(table, part));
  }
  chat(table: number): readonly ChatLine[] {
    return this.#after('chat', () => this.#connection.chat(table));
  }
  readonly now = (): number | null => this.#connection.now();

  watch(table: number): void {
    this.#connection.watch(table);
  }
  unwatch(table: number): void {
    this.#connection.unwatch(table);
  }
  talk(table: number, text: string): boolean {
    return this.#connection.talk(table, text);
  }

  /** A player's command, for the round and under the rules that are on the cloth now. */
  command(table: number, command: Command): CommandSent {
    const felt = this.#connection.part(table, 'felt');
    const meant = { round: felt?.round ?? null, rules: felt?.rules ?? null };
    return this.#connection.command(table, command, meant);
  }
  /** A dealer's command. */
  deal(table: number, command: DealerCommand): CommandSent {
    return this.#connection.command(table, command, null);
  }
}

/** Where the house is reached from this page: by players, or by those who deal. */
export function houseAddress(door: '/ws' | '/ws/dealer'): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${door}`;
}
