// What the player's hand does at one table: the chip in it, chips put down but not confirmed, bets on their way, refusals.
import type { Command, CommandSent } from '../../connection';
import type { AnyBet, Chips, Rejection } from '../../wire/generated';

/** How long the reason of a refusal stands. */
export const REFUSED_MS = 8_000;
/** Most chips that can be put down before they are confirmed. */
const DRAFT_MAX = 100;

export interface Laid {
  on: AnyBet;
  stake: Chips;
}
/** Something that the house said no to, away from the zones. */
export interface Refusal {
  what: Command['do'];
  refusal: Rejection;
}

export class Play {
  chosen = $state<Chips>(0);
  /** Put down one after another, none of it told to the house yet. */
  draft = $state.raw<readonly Laid[]>([]);
  sent = $state.raw<Readonly<Record<AnyBet, Chips>>>({});
  refused = $state.raw<Readonly<Record<AnyBet, Rejection>>>({});
  refusal = $state.raw<Refusal | null>(null);
  /** Chips that were put down and not confirmed before the close. */
  takenBack = $state<Chips>(0);

  #calm = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(private readonly tell: (command: Command) => CommandSent) {}

  /** Clicks a zone: a bet at once, or chips that wait for their confirmation (BAC-38). */
  lay(on: AnyBet, stake: Chips, atOnce: boolean): void {
    if (stake <= 0) return;
    this.takenBack = 0;
    if (atOnce) void this.bet(on, stake);
    else if (this.draft.length < DRAFT_MAX) this.draft = [...this.draft, { on, stake }];
    this.#forgive(on);
  }

  get drafted(): Readonly<Record<AnyBet, Chips>> {
    const sums: Record<AnyBet, Chips> = {};
    for (const { on, stake } of this.draft) sums[on] = (sums[on] ?? 0) + stake;
    return sums;
  }

  get draftTotal(): Chips {
    return this.draft.reduce((sum, { stake }) => sum + stake, 0);
  }

  /** Tells the house what lies there: one bet for each zone, Player and Banker first, since others may need them. */
  confirm(): void {
    const sums = Object.entries(this.drafted);
    const main = (on: AnyBet): number => (on === 'player' || on === 'banker' ? 0 : 1);
    sums.sort(([one], [other]) => main(one) - main(other));
    this.draft = [];
    for (const [on, stake] of sums) void this.bet(on, stake);
  }

  async bet(on: AnyBet, stake: Chips): Promise<boolean> {
    this.#move(on, stake);
    const answer = await this.tell({ do: 'bet', on, stake, at_box: null }).answer;
    this.#move(on, -stake);
    if (answer.ok) this.#forgive(on);
    else {
      this.refused = { ...this.refused, [on]: answer.refusal };
      this.#later(on, () => this.#forgive(on));
    }
    return answer.ok;
  }

  async act(command: Command): Promise<boolean> {
    const { answer } = this.tell(command);
    const came = await answer;
    this.refusal = came.ok ? null : { what: command.do, refusal: came.refusal };
    if (!came.ok) this.#later('', () => (this.refusal = null));
    return came.ok;
  }

  /** The last chip that was put down, or the last bet that the house took. */
  undo(): void {
    if (this.draft.length > 0) this.draft = this.draft.slice(0, -1);
    else void this.act({ do: 'undo' });
  }

  cancelAll(may: boolean): void {
    this.draft = [];
    if (may) void this.act({ do: 'cancel-all' });
  }

  /** The window closed: what was not confirmed was never a bet. */
  closed(): void {
    if (this.draft.length === 0) return;
    this.takenBack = this.draftTotal;
    this.draft = [];
  }

  stop(): void {
    for (const timer of this.#calm.values()) clearTimeout(timer);
    this.#calm.clear();
  }

  #move(on: AnyBet, by: Chips): void {
    const { [on]: before = 0, ...others } = this.sent;
    const after = before + by;
    this.sent = after > 0 ? { ...others, [on]: after } : others;
  }

  #forgive(on: AnyBet): void {
    if (!(on in this.refused)) return;
    const { [on]: _, ...others } = this.refused;
    this.refused = others;
  }

  #later(key: string, what: () => void): void {
    clearTimeout(this.#calm.get(key));
    this.#calm.set(key, setTimeout(what, REFUSED_MS));
  }
}
