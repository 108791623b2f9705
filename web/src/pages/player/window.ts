// When a countdown began: the wire tells its end, and how long a betting window is.
import type { FeltView, Timestamp } from '../../wire/generated';

export interface Countdown {
  opened: Timestamp;
  closes: Timestamp;
}

/** Keeps when an end was first seen, for countdowns whose length is not told. */
export class Windows {
  #closes = 0;
  #seen = 0;

  of(felt: Pick<FeltView, 'deadline' | 'phase' | 'bet_s'>, now: Timestamp | null): Countdown | null {
    const { deadline: closes, phase, bet_s } = felt;
    if (closes === null) return null;
    if (this.#closes !== closes) {
      this.#closes = closes;
      this.#seen = now ?? closes;
    }
    const betting = phase === 'betting' || phase === 'last-call';
    return { opened: betting ? closes - bet_s * 1_000 : this.#seen, closes };
  }
}
