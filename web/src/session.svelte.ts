// The player's own session: since when, every round that ended in it, and what they came to together.
import type { HistoryRound } from './api';

const KEPT_UNDER = 'croupier.session-since';
/** Rounds kept on the page; the house keeps more. */
const ROUNDS_MAX = 500;

export class Session {
  /** By the house's clock; null before it is known. */
  since = $state<number | null>(null);
  #rounds = $state.raw<ReadonlyMap<string, HistoryRound>>(new Map());

  /** A session lasts as long as the tab. */
  begin(now: number): void {
    if (this.since !== null) return;
    let kept = Number.NaN;
    try {
      kept = Number(sessionStorage.getItem(KEPT_UNDER) ?? Number.NaN);
      if (!(kept > 0 && kept <= now)) sessionStorage.setItem(KEPT_UNDER, `${Math.floor(now)}`);
    } catch {
      // A browser that keeps nothing begins anew with each load.
    }
    this.since = kept > 0 && kept <= now ? kept : Math.floor(now);
  }

  /** Takes rounds in; one that is told again, corrected perhaps, replaces what was known of it. */
  take(rounds: readonly HistoryRound[]): void {
    const all = new Map(this.#rounds);
    for (const round of rounds) {
      const key = `${round.table}-${round.round}`;
      all.set(key, { ...all.get(key), ...round });
    }
    const newest = [...all].sort(([, one], [, other]) => other.at - one.at).slice(0, ROUNDS_MAX);
    this.#rounds = new Map(newest);
  }

  forget(): void {
    this.#rounds = new Map();
  }

  /** Newest first. */
  get rounds(): HistoryRound[] {
    return [...this.#rounds.values()].sort((one, other) => other.at - one.at);
  }

  /** What came back less what was staked, over all rounds that ended in this session. */
  get net(): number {
    const since = this.since ?? 0;
    return this.rounds
      .filter(({ at }) => at >= since)
      .reduce((sum, { returned, staked }) => sum + returned - staked, 0);
  }
}
