// Which chips stand in the tray of a table: those that fit its limits, and the one that is in the hand at first.
import { DENOMINATIONS } from '../../components/chips';
import type { Chips, LayoutZone } from '../../wire/generated';

const CHIPS_SHOWN = 6;

/** At most six, from the smallest step of any zone on, ascending. */
export function trayFor(zones: readonly LayoutZone[]): Chips[] {
  if (zones.length === 0) return [];
  const step = Math.min(...zones.map((zone) => zone.step));
  const most = Math.max(...zones.map((zone) => zone.max));
  const all = [...DENOMINATIONS].reverse();
  const fits = all.filter((value) => value >= step && value <= most && value % step === 0);
  return (fits.length > 0 ? fits : [step]).slice(0, CHIPS_SHOWN);
}

/** The smallest chip that is a bet on Banker or Player by itself, also where only multiples are taken. */
export function firstChip(chips: readonly Chips[], zones: readonly LayoutZone[]): Chips {
  const least = zones.find(({ on }) => on === 'player')?.min ?? 0;
  const whole = chips.find((value) => least > 0 && value >= least && value % least === 0);
  return whole ?? chips.find((value) => value >= least) ?? chips.at(-1) ?? 0;
}
