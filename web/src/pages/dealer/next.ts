// The one next thing at a dealer's table: what is due in words, and what the one large button does.
import type { DealerCommand } from '../../connection';
import { betName, say } from '../../i18n/index.svelte';
import type { DealerView, Due, Side, Timestamp } from '../../wire/generated';
import { resultText } from '../player/calls';

export interface Next {
  /** What is to be done, to be read at a metre. */
  words: string;
  /** What it means or waits for. */
  more: string;
  /** The one large button, if there is one. */
  act: { words: string; command: DealerCommand } | null;
  /** A card is to be entered. */
  card: boolean;
  /** The button rests until then: a result stays on the table for a while. */
  until: Timestamp | null;
  /** The place where it goes. */
  place: { side: Side; nth: number } | null;
}

function plain(words: string, more = ''): Next {
  return { words, more, act: null, card: false, until: null, place: null };
}

/** From what the house lists as possible; nothing here knows a rule of the game. */
export function nextThing(view: DealerView): Next {
  const words = say().dealer;
  const may = new Set(view.may);
  const press = (text: string, button: string, command: DealerCommand, more = ''): Next => ({
    ...plain(text, more),
    act: { words: button, command },
  });
  if (may.has('open-table')) return press(words.closed, words.open_table, { do: 'open-table' });
  if (may.has('declare')) {
    const outcome = view.outcome?.baccarat;
    const said = outcome === undefined ? words.declare : resultText(outcome);
    return press(said, words.declare, { do: 'declare' }, words.check_cards);
  }
  if (view.due !== null) return dueNext(view.due, words, press);
  if (view.opening.length > 0) {
    const hands = view.opening.map((side) => betName(side)).join(say().and);
    const holder = view.holder === null ? '' : words.holder(view.holder);
    return may.has('open')
      ? press(words.open_hands(hands), words.open, { do: 'open' }, holder)
      : plain(words.open_hands(hands), holder);
  }
  if (may.has('close-bets')) return press(words.betting, words.close_bets, { do: 'close-bets' });
  if (view.step !== null && may.has('step')) {
    const step = view.step;
    const more = step === 'cut' && view.cut_until !== null ? words.player_cuts : '';
    return press(say().steps[step], words.done, { do: 'step', step, at: null }, more);
  }
  if (may.has('new-shoe')) return press(words.no_shoe, words.new_shoe, { do: 'new-shoe' });
  if (may.has('open-round')) {
    const command: DealerCommand = { do: 'open-round', demonstration: false };
    const result = view.outcome?.baccarat;
    if (view.shown_until === null) return press(words.ready, words.open_round, command);
    const said = result === undefined ? say().phase[view.phase] : resultText(result);
    return { ...press(said, words.open_round, command, words.pick_up), until: view.shown_until };
  }
  if (view.phase === 'decision') return plain(say().insurance.open, words.players_decide);
  if (view.outcome !== null) return plain(resultText(view.outcome.baccarat), words.pick_up);
  return plain(say().phase[view.phase]);
}

function dueNext(
  due: Due,
  words: ReturnType<typeof say>['dealer'],
  press: (text: string, button: string, command: DealerCommand) => Next,
): Next {
  switch (due.due) {
    case 'turned':
      return { ...plain(words.turn, words.scan), card: true };
    case 'burn':
      return press(words.burn(due.left), words.burned, { do: 'burn' });
    case 'white-card':
      return press(words.white, words.white_out, { do: 'white-card' });
    case 'card': {
      const text = words.card(betName(due.side), due.nth, due.face_down);
      return { ...plain(text, words.scan), card: true, place: { side: due.side, nth: due.nth } };
    }
  }
}

/** What else may be done, apart from the one next thing. */
export function others(view: DealerView): { words: string; command: DealerCommand }[] {
  const words = say().dealer;
  const listed: [string, string, DealerCommand][] = [
    ['take-back', words.take_back, { do: 'take-back' }],
    ['white-card', words.white_out, { do: 'white-card' }],
    ['extend-bets', words.extend, { do: 'extend-bets' }],
    ['demonstration', words.demonstration, { do: 'open-round', demonstration: true }],
    ['change-shoe', words.change_shoe, { do: 'change-shoe' }],
    ['close-table', words.close_table, { do: 'close-table' }],
  ];
  const may = new Set(view.may);
  const main = nextThing(view).act?.command.do;
  return listed
    .filter(([name, , command]) => may.has(name) && (command.do !== main || name === 'demonstration'))
    .map(([, text, command]) => ({ words: text, command }));
}
