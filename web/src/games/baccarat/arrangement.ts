// Where each bet of a rule set lies on the cloth: Player left, Banker right, Tie between, the rest around them.
import type { AnyBet } from '../../wire/generated';

/** The bets that lie at the outer side of the Player, of the Banker, and between them below the Tie. */
const LEFT: AnyBet[] = ['player-pair', 'player-dragon', 'panda-eight'];
const RIGHT: AnyBet[] = ['banker-pair', 'banker-dragon', 'dragon-seven'];
const MIDDLE: AnyBet[] = ['tie', 'lucky-six'];

export interface Arrangement {
  left: AnyBet[];
  right: AnyBet[];
  middle: AnyBet[];
  /** In a row of their own beneath. */
  side: AnyBet[];
  /** The ties by their total, in the last row. */
  egalite: AnyBet[];
}

/** Every bet that is offered has exactly one place; insurance has a window of its own. */
export function arrange(offered: AnyBet[]): Arrangement {
  const of = (wanted: AnyBet[]): AnyBet[] => wanted.filter((bet) => offered.includes(bet));
  const placed = ['player', 'banker', ...LEFT, ...RIGHT, ...MIDDLE];
  const rest = offered.filter((bet) => !placed.includes(bet) && !isInsurance(bet));
  return {
    left: of(LEFT),
    right: of(RIGHT),
    middle: of(MIDDLE),
    side: rest.filter((bet) => !bet.startsWith('egalite:')),
    egalite: rest.filter((bet) => bet.startsWith('egalite:')),
  };
}

export function isInsurance(bet: AnyBet): boolean {
  return bet.startsWith('insurance-');
}
