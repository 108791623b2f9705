// What the house paid, as a zone and a sum show it. Nothing is worked out that the house did not say.
import type { ZoneState } from '../../components/Zone.svelte';
import type { AnyBet, Chips, Ending, MyPayout } from '../../wire/generated';

/** What came back of one bet, its stake included. */
export function back({ stake, ending, winnings, commission }: MyPayout): Chips {
  const shown: Record<Ending, Chips> = {
    won: stake + winnings - commission,
    pushed: stake,
    carried: stake,
    lost: 0,
  };
  return shown[ending];
}

/** The bets of one zone that ended alike, as one: a player laid them down chip by chip. */
export function byZone(payouts: readonly MyPayout[]): MyPayout[] {
  const zones = new Map<string, MyPayout>();
  for (const payout of payouts) {
    const key = `${payout.on} ${payout.ending}`;
    const before = zones.get(key);
    zones.set(
      key,
      before === undefined
        ? payout
        : {
            ...before,
            stake: before.stake + payout.stake,
            winnings: before.winnings + payout.winnings,
            commission: before.commission + payout.commission,
          },
    );
  }
  return [...zones.values()];
}

/** What became of one zone, or null when nothing of one's own lay there. */
export function zoneState(payouts: readonly MyPayout[], on: AnyBet): ZoneState | null {
  const here = payouts.filter((payout) => payout.on === on);
  const sum = (ending: Ending, what: (payout: MyPayout) => Chips): Chips =>
    here.filter((one) => one.ending === ending).reduce((all, one) => all + what(one), 0);
  const stake = (payout: MyPayout): Chips => payout.stake;
  if (sum('won', stake) > 0) {
    return { is: 'won', paid: sum('won', ({ winnings, commission }) => winnings - commission) };
  }
  if (sum('carried', stake) > 0) return { is: 'carried', stays: sum('carried', stake) };
  if (sum('pushed', stake) > 0) return { is: 'returned', back: sum('pushed', stake) };
  if (sum('lost', stake) > 0) return { is: 'lost', lost: sum('lost', stake) };
  return null;
}
