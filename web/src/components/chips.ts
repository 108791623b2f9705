// Which chips make up a sum, and how they stand in stacks.
import type { Chips } from '../wire/generated';

/** The denominations that have a colour of their own, largest first. */
export const DENOMINATIONS: readonly Chips[] = [
  10_000_000, 2_500_000, 1_000_000, 500_000, 100_000, 50_000, 10_000, 2_500, 500, 100,
];
export const STACK_MAX = 20;
export const STACKS_SHOWN = 3;

/** The chips of a sum, largest first; what no chip makes is one plaque at the end. */
export function chipsOf(amount: Chips, denominations = DENOMINATIONS): Chips[] {
  const found: Chips[] = [];
  let rest = amount;
  for (const value of [...denominations].sort((one, other) => other - one)) {
    while (rest >= value && found.length < STACK_MAX * STACKS_SHOWN) {
      found.push(value);
      rest -= value;
    }
  }
  return rest > 0 && found.length < STACK_MAX * STACKS_SHOWN ? [...found, rest] : found;
}

/** Stacks of at most twenty, the largest chips below and to the left. */
export function stacks(chips: Chips[]): Chips[][] {
  const count = Math.ceil(chips.length / STACK_MAX);
  return Array.from({ length: count }, (_, index) =>
    chips.slice(index * STACK_MAX, (index + 1) * STACK_MAX),
  );
}

/** The colour of a chip as a token. */
export function colour(value: Chips): string {
  return DENOMINATIONS.includes(value) ? `var(--chip-${value / 100})` : 'var(--chip-plaque)';
}
