// The commitments that this browser saw before the shoe was played: what a proof is compared with.
import type { ShoeView } from '../../wire/generated';

const KEPT_UNDER = 'croupier.commitments';
const KEPT_MAX = 200;

type Noted = Record<string, string>;

function read(): Noted {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT_UNDER) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Noted) : {};
  } catch {
    return {};
  }
}

/** Remembers what stands on the cloth; the first sight of a shoe counts and is never replaced. */
export function noteCommitment(table: number, { number, commitment }: ShoeView): void {
  const shoe = `${table}-${number}`;
  const noted = read();
  if (commitment === null || shoe in noted) return;
  const kept = [...Object.entries(noted), [shoe, commitment]].slice(-KEPT_MAX);
  try {
    localStorage.setItem(KEPT_UNDER, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // A browser that keeps nothing cannot compare later.
  }
}

export function notedCommitment(table: number, shoe: number): string | null {
  const noted = read()[`${table}-${shoe}`];
  return typeof noted === 'string' ? noted : null;
}
