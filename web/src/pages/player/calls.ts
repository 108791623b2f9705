// What is called out at the table: from what was on the cloth before, and what is there now.
import { betName, say } from '../../i18n/index.svelte';
import type { FeltView, Outcome } from '../../wire/generated';

const OPEN = ['betting', 'last-call'];

/** The outcome on the cloth, if the round has one. */
export function outcomeOf(felt: FeltView): Outcome | null {
  return felt.face.outcome?.baccarat ?? null;
}

export function isOpen(felt: FeltView): boolean {
  return OPEN.includes(felt.phase);
}

/** The result in words, as the dealer announces it. */
export function resultText(outcome: Outcome): string {
  const words = say().result;
  const { winner, player_total: player, banker_total: banker } = outcome;
  if (winner === 'tie') return words.tie(player);
  const natural = winner === 'player' ? outcome.player_natural : outcome.banker_natural;
  const [high, low] = winner === 'player' ? [player, banker] : [banker, player];
  return words.wins(betName(winner), high, low, natural);
}

/** Where the table stands, in words, for the place below the clock. */
export function phaseText(felt: FeltView): string {
  const words = say();
  const outcome = outcomeOf(felt);
  if (felt.paused) return words.notice.paused;
  if (felt.phase === 'decision') {
    const { insurance, opening } = felt.face;
    if (insurance.length > 0) return words.insurance.open;
    if (opening.length > 0) {
      return words.phase.looked_at(opening.map((side) => betName(side)).join(words.and));
    }
  }
  if (felt.phase === 'prepare' && felt.shoe.step !== null) return words.steps[felt.shoe.step];
  if (outcome !== null && ['declared', 'settled'].includes(felt.phase)) return resultText(outcome);
  return words.phase[felt.phase];
}

/** What has to be called out now (OPS-20), and whether the bets were just closed. */
export function callFor(before: FeltView | null, now: FeltView): { text: string; closed: boolean } {
  const words = say();
  const texts: string[] = [];
  const fresh = before === null || before.round !== now.round;
  const entered = (phase: FeltView['phase']): boolean =>
    now.phase === phase && (fresh || before.phase !== phase);
  const closed = before !== null && isOpen(before) && !isOpen(now) && now.phase !== 'voided';
  if (before !== null && before.shoe.number !== now.shoe.number) texts.push(words.notice.new_shoe);
  if (now.shoe.last_hand && before?.shoe.last_hand !== true) texts.push(words.notice.last_hand);
  if (now.demonstration && before?.demonstration !== true) texts.push(words.notice.demonstration);
  if (entered('betting')) texts.push(words.clock.place);
  if (entered('last-call')) texts.push(words.clock.last(5));
  if (closed) texts.push(words.clock.closed);
  if (now.face.insurance.length > 0 && (before?.face.insurance.length ?? 0) === 0) {
    texts.push(words.insurance.open);
  }
  const outcome = outcomeOf(now);
  if (outcome !== null && (fresh || outcomeOf(before) === null)) texts.push(resultText(outcome));
  if (entered('voided')) texts.push(voidText(now));
  return { text: texts.join(' '), closed };
}

/** Why a round does not count; the pit's own words where it gave some. */
export function voidText({ void: why }: Pick<FeltView, 'void'>): string {
  const words = say().notice;
  if (why === null) return words.void;
  const reason = typeof why === 'object' ? why.pit : words.void_reason[why];
  return `${words.void} ${words.because(reason)}`;
}

/** Everything that players have to be told about the table, in a fixed order. */
export function notices(felt: FeltView): string[] {
  const words = say().notice;
  return [
    felt.void === null ? '' : voidText(felt),
    felt.disabled ? words.disabled : '',
    felt.paused ? words.paused : '',
    felt.closing ? words.closing : '',
    felt.demonstration ? words.demonstration : '',
    felt.shoe.last_hand ? words.last_hand : '',
    felt.corrected ? words.corrected : '',
  ].filter((text) => text !== '');
}
