// The connection as pages read it: whatever it holds, with a new look whenever that changes.
import { Connection, type Change, type CommandSent, type Line } from './connection';
import type { ChatLine, Command, Lobby, Me, PartName, Parts } from './wire/draft';

export class House {
  readonly #connection: Connection;
  #seen = $state<Record<Change, number>>({
    line: 0,
    me: 0,
    lobby: 0,
    part: 0,
    answer: 0,
    chat: 0,
    clock: 0,
  });

  constructor(url: string) {
    this.#connection = new Connection(url);
    this.#connection.onchange = (what) => {
      this.#seen[what] += 1;
    };
  }

  start(): void {
    this.#connection.start();
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
  get lobby(): Lobby | null {
    return this.#after('lobby', () => this.#connection.lobby);
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

  /** A command for the round and under the rules that are on the cloth now. */
  command(table: number, command: Command): CommandSent {
    const felt = this.#connection.part(table, 'felt');
    return this.#connection.command(table, command, felt?.round ?? null, felt?.rules ?? null);
  }
}

/** Where the house is reached from this page. */
export function houseAddress(): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`;
}
