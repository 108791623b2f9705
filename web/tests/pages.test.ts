// Guards the pages against recorded messages: what is shown, what is asked of the house, and what is never said.
import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import App from '../src/App.svelte';
import { speak } from '../src/i18n/index.svelte';
import Console from '../src/pages/dealer/Console.svelte';
import Rules from '../src/pages/rules/Rules.svelte';
import Rounds from '../src/pages/rounds/Rounds.svelte';
import Table from '../src/pages/player/Table.svelte';
import { go } from '../src/routes.svelte';
import { Session } from '../src/session.svelte';
import type { FeltView, MineView } from '../src/wire/generated';
import {
  NOW,
  bankerWins,
  dealer,
  felt,
  macau,
  mine,
  noCommission,
  roads,
  round,
  settled,
  tile,
  totals,
  wired,
  type LayoutZone,
  type Wire,
} from './recorded';

let asked: { path: string; body: unknown }[] = [];
let answers: Record<string, unknown> = {};

beforeEach(() => {
  speak('en');
  asked = [];
  answers = {};
  localStorage.clear();
  sessionStorage.clear();
  vi.useFakeTimers();
  vi.stubGlobal('fetch', (path: string, init: RequestInit = {}) => {
    asked.push({ path, body: typeof init.body === 'string' ? JSON.parse(init.body) : null });
    const told = JSON.stringify(answers[path] ?? []);
    return Promise.resolve(new Response(told, { status: 200 }));
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

interface Shown {
  last: () => Wire;
  container: HTMLElement;
  /** The next look at the cloth. */
  look: (over: { felt?: FeltView; mine?: MineView }) => Promise<void>;
}

async function shown(
  cloth: FeltView = felt(),
  own: MineView | null = mine(),
  zones: LayoutZone[] = macau,
): Promise<Shown> {
  const { house, last } = wired();
  const { container } = render(Table, { house, session: new Session(), table: 1 });
  last().greet(own === null ? { role: 'spectator' } : undefined, own === null ? null : undefined);
  const look: Shown['look'] = async (over) => {
    if (over.felt) last().part(1, 'felt', over.felt);
    if (over.mine) last().part(1, 'mine', over.mine);
    await vi.advanceTimersByTimeAsync(20);
  };
  last().part(1, 'layout', zones);
  last().part(1, 'totals', totals);
  last().part(1, 'roads', roads.shoe);
  await look({ felt: cloth, ...(own === null ? {} : { mine: own }) });
  return { last, container, look };
}
const zone = (name: RegExp): HTMLElement => screen.getByRole('button', { name });
const banker = (): HTMLElement => zone(/^Banker 1:1/);

describe('the lobby', () => {
  it('seats a visitor at the table of his choice by one click', async () => {
    const { house, wires, last } = wired();
    go('/');
    render(App, { house, session: new Session() });
    last().greet({ role: 'spectator' }, null);
    last().say({ type: 'lobby', now: NOW, tables: [tile(), tile({ table: 2, name: 'Harbour', seats: 0 })] });
    await vi.advanceTimersByTimeAsync(20);
    const lotus = screen.getByRole('article', { name: 'Lotus' });
    expect(lotus.textContent).toContain('20 – 5,000');
    expect(lotus.textContent).toContain('6 of 7 seats free');
    await fireEvent.click(within(lotus).getByRole('button', { name: 'Take a seat' }));
    await vi.advanceTimersByTimeAsync(20);
    expect(asked.map(({ path }) => path)).toContain('/api/guest');
    expect(wires).toHaveLength(2);
    expect(location.pathname).toBe('/table/1');
    last().greet();
    last().part(1, 'felt', felt());
    last().part(1, 'mine', mine());
    await vi.advanceTimersByTimeAsync(20);
    expect(last().commands).toEqual([{ do: 'sit', seat: 1 }]);
    go('/');
  });
});

describe('a bet', () => {
  it('that needs confirmation is put down first, then told with round and rules', async () => {
    const { last } = await shown();
    await fireEvent.click(banker());
    await fireEvent.click(banker());
    expect(last().commands).toEqual([]);
    expect(banker().textContent).toContain('not confirmed');
    await fireEvent.click(screen.getByRole('button', { name: 'Confirm 200' }));
    expect(last().sent.filter(({ type }) => type === 'command')).toMatchObject([
      { round: 42, rules: 'a1b2', command: { do: 'bet', on: 'banker', stake: 20_000, at_box: null } },
    ]);
  });
  it('on a side is told after the main bet that it needs', async () => {
    const { last } = await shown();
    await fireEvent.click(zone(/^Player Pair/));
    await fireEvent.click(banker());
    await fireEvent.click(screen.getByRole('button', { name: /^Confirm/ }));
    expect(last().commands).toMatchObject([{ on: 'banker' }, { on: 'player-pair' }]);
  });
  it('is told at once where a click is a bet', async () => {
    const { last } = await shown(felt({ click_is_bet: true }), mine(), noCommission);
    await fireEvent.click(zone(/^Lucky Six/));
    expect(last().commands).toMatchObject([{ do: 'bet', on: 'lucky-six' }]);
  });
  it('that is refused says why on its zone, for a while', async () => {
    const { last } = await shown(felt({ click_is_bet: true }));
    await fireEvent.click(banker());
    last().answer({ code: 'BANKER_MULTIPLE', step: 10_000 });
    await vi.advanceTimersByTimeAsync(20);
    expect(within(banker()).getByRole('alert').textContent).toBe('Banker is bet in multiples of 100');
    await vi.advanceTimersByTimeAsync(8_100);
    expect(within(banker()).queryByRole('alert')).toBeNull();
  });
  it('that was not confirmed before the close never was one, and this is said', async () => {
    const { look, last, container } = await shown();
    await fireEvent.click(banker());
    await look({ felt: felt({ phase: 'no-more-bets', deadline: null }) });
    expect(container.textContent).toContain('100 was not confirmed in time');
    expect(last().commands).toEqual([]);
  });
  it('and every other control is off while the line is stale', async () => {
    const { container } = await shown();
    await vi.advanceTimersByTimeAsync(3_200);
    expect(container.textContent).toContain('Connection lost');
    expect(banker().hasAttribute('disabled')).toBe(true);
  });
  it('can be undone, cancelled, repeated and doubled as the house lists it', async () => {
    const { last } = await shown(felt(), mine({ may: ['bet', 'repeat', 'cancel-all'] }));
    expect(screen.getByRole('button', { name: 'Undo' }).hasAttribute('disabled')).toBe(true);
    await fireEvent.click(screen.getByRole('button', { name: 'Repeat' }));
    await fireEvent.click(screen.getByRole('button', { name: 'Cancel all' }));
    expect(last().commands).toEqual([{ do: 'repeat' }, { do: 'cancel-all' }]);
  });
});

describe('the result', () => {
  it('is told in words, each bet by itself, and added up', async () => {
    const { container } = await shown(settled(), mine({ last: round(), may: [] }));
    expect(container.querySelector('[data-phase]')?.textContent?.trim()).toBe('Banker wins, 7 to 6');
    const outcome = container.querySelector('[data-outcome]');
    expect(outcome?.textContent).toContain('Banker 100');
    expect(outcome?.textContent).toContain('won 100, commission 5');
    expect(outcome?.textContent).toContain('Staked 125, back 195');
    expect(outcome?.querySelector('[data-net]')?.textContent).toBe('+70');
    expect(outcome?.classList.contains('gain')).toBe(true);
  });
  it('is no celebration when less came back than was staked', async () => {
    const less = round({ returned: 12_000, staked: 30_000 });
    const { container } = await shown(settled(), mine({ last: less, may: [] }));
    const outcome = container.querySelector('[data-outcome]');
    expect(outcome?.querySelector('[data-net]')?.textContent).toBe('−180');
    expect(outcome?.classList.contains('gain')).toBe(false);
  });
  it('is not shown any more once the next round takes bets', async () => {
    const { container } = await shown(felt({ round: 43 }), mine({ round: 43, last: round() }));
    expect(container.querySelector('[data-outcome]')).toBeNull();
  });
  it('of a void round names the reason', async () => {
    const cloth = felt({ phase: 'voided', void: { pit: 'card dropped' }, deadline: null });
    const { container } = await shown(cloth);
    expect(container.textContent).toContain('all stakes went back. Reason: card dropped');
  });
});

describe('at the table', () => {
  it('a free seat is taken by a click, a taken one is not offered', async () => {
    const { last } = await shown();
    expect(screen.getByRole('button', { name: /^Seat 2 Mei/ }).hasAttribute('disabled')).toBe(true);
    await fireEvent.click(screen.getByRole('button', { name: /^Seat 3 free/ }));
    expect(last().commands).toEqual([{ do: 'sit', seat: 3 }]);
  });
  it('who watches is offered a place as a guest and cannot bet', async () => {
    await shown(felt(), null);
    expect(banker().hasAttribute('disabled')).toBe(true);
    await fireEvent.click(screen.getByRole('button', { name: 'Play as a guest' }));
    expect(asked.at(-1)?.path).toBe('/api/guest');
  });
  it('a carried stake may be taken back, lowered and moved', async () => {
    const bets = [{ bet: 7, on: 'banker', stake: 20_000, carried: true }];
    const { last } = await shown(felt(), mine({ bets, at_stake: 20_000 }));
    await fireEvent.click(screen.getByRole('button', { name: 'Move to Player' }));
    await fireEvent.click(screen.getByRole('button', { name: 'Lower' }));
    await fireEvent.input(screen.getByRole('textbox', { name: 'Lower to' }), { target: { value: '100' } });
    await fireEvent.click(screen.getByRole('button', { name: 'Lower' }));
    await fireEvent.click(screen.getByRole('button', { name: 'Take back' }));
    expect(last().commands).toEqual([
      { do: 'move', bet: 7, to: 'player' },
      { do: 'lower', bet: 7, to: 10_000 },
      { do: 'cancel', bet: 7 },
    ]);
  });
  it('a carried stake that may only be raised says so', async () => {
    answers['/api/tables/1/rules'] = { rules: { tie_policy: 'add_only' } };
    const bets = [{ bet: 7, on: 'banker', stake: 20_000, carried: true }];
    const { container } = await shown(felt(), mine({ bets }));
    await vi.advanceTimersByTimeAsync(20);
    expect(container.textContent).toContain('It may only be raised.');
    expect(screen.queryByRole('button', { name: 'Take back' })).toBeNull();
  });
  it('insurance is bought up to the stake that it insures', async () => {
    const offer = { on: 'insurance-4:banker', side: 'banker' as const, pays: '5 to 2', on_tie: false };
    const zones = [
      ...macau,
      { on: offer.on, pays: [], commission_pct: 0, min: 500, max: 50_000, step: 1_000 },
    ];
    const bets = [{ bet: 1, on: 'banker', stake: 20_000, carried: false }];
    const { last, container } = await shown(
      felt({ phase: 'decision' }, { insurance: [offer] }),
      mine({ bets, may: ['insure'] }),
      zones,
    );
    expect(container.querySelector('[data-bet^="insurance"]')).toBeNull();
    expect(container.textContent).toContain('Insure Banker 5:2');
    await fireEvent.click(screen.getByRole('button', { name: 'Insure 200' }));
    expect(last().commands).toEqual([
      { do: 'bet', on: 'insurance-4:banker', stake: 20_000, at_box: null },
    ]);
  });
  it('the shoe is cut where the slider stands', async () => {
    const cut = { min: 52, max: 364, until: NOW + 5_000 };
    const cloth = felt({ phase: 'prepare', deadline: null, shoe: { ...felt().shoe, step: 'cut', cut } });
    const { last } = await shown(cloth, mine({ seat: 3, may: ['stand', 'cut'] }));
    await fireEvent.input(screen.getByRole('slider'), { target: { value: '100' } });
    await fireEvent.click(screen.getByRole('button', { name: 'Cut after 100 cards' }));
    expect(last().commands).toEqual([{ do: 'cut', at: 100 }]);
  });
  it('the holder lifts the cards that only he sees, and opens them', async () => {
    const down = { cards: [null, null], total: null };
    const cloth = felt({ phase: 'decision' }, { player: down, banker: down, opening: ['banker'] });
    const { last, container } = await shown(
      cloth,
      mine({ seat: 3, may: ['open'], banker_cards: ['8H', 'JS'] }),
    );
    expect(container.innerHTML).not.toMatch(/8h\.svg|Js\.svg/);
    await fireEvent.click(screen.getByRole('button', { name: 'Open Banker' }));
    expect(last().commands).toEqual([{ do: 'open' }]);
  });
  it('stakes that went back at the close are named', async () => {
    const bets = (stake: number): MineView['bets'] => [{ bet: 1, on: 'banker', stake, carried: false }];
    const { look, container } = await shown(felt(), mine({ bets: bets(50_000) }));
    const closed = felt({ phase: 'no-more-bets', deadline: null });
    await look({ felt: closed, mine: mine({ bets: bets(30_000), may: [] }) });
    expect(container.textContent).toContain('200 of your stakes went back at the close');
  });
  it('calls are spoken text, each at its time', async () => {
    const { look } = await shown();
    const { lastCall } = await import('../src/voice.svelte');
    await look({ felt: felt({ phase: 'last-call' }) });
    expect(lastCall()).toBe('Last 5 seconds');
    await look({ felt: felt({ phase: 'no-more-bets', deadline: null }) });
    expect(lastCall()).toBe('No more bets');
    await look({ felt: settled() });
    expect(lastCall()).toBe('Banker wins, 7 to 6');
  });
  it('the commitment that was seen is remembered for the proof', async () => {
    await shown();
    expect(localStorage.getItem('croupier.commitments')).toContain('"1-17":"0e196b53');
  });
});

describe('the dealer', () => {
  async function desk(view: Parameters<typeof dealer>[0]): Promise<ReturnType<typeof wired>> {
    const wires = wired();
    render(Console, { house: wires.house, table: 5 });
    wires.last().greet({ role: 'dealer', staff: 3, name: 'Ana' }, null);
    wires.last().part(5, 'felt', felt({ table: 5, dealt_by: 'dealer', phase: 'dealing' }));
    wires.last().part(5, 'dealer', dealer(view));
    await vi.advanceTimersByTimeAsync(20);
    return wires;
  }
  const due = { due: 'card', side: 'player', nth: 1, face_down: true } as const;

  it('enters a card by two touches', async () => {
    const { last } = await desk({ due, may: ['card'] });
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Player, card 1, face down');
    await fireEvent.click(screen.getByRole('button', { name: '9' }));
    await fireEvent.click(screen.getByRole('button', { name: 'nine of hearts' }));
    expect(last().commands).toEqual([{ do: 'card', card: '9H' }]);
  });
  it('enters a card by a scanner that types, and no button is pressed by its Enter', async () => {
    const { last } = await desk({ due, may: ['card', 'take-back'] });
    screen.getByRole('button', { name: 'Take the last card back' }).focus();
    for (const key of ['1', '0', 'd', 'Enter']) {
      await fireEvent.keyDown(document.activeElement ?? document.body, { key });
    }
    expect(last().commands).toEqual([{ do: 'card', card: 'TD' }]);
  });
  it('is told why a card is refused', async () => {
    const { last } = await desk({ due, may: ['card'] });
    for (const key of ['A', 'S', 'Enter']) await fireEvent.keyDown(document.body, { key });
    last().answer({ code: 'SHOE_CANNOT_HOLD', detail: 'all AS were seen already' });
    await vi.advanceTimersByTimeAsync(20);
    expect(screen.getByRole('alert').textContent).toContain('AS The shoe cannot hold this card any more');
    expect(screen.getByRole('alert').textContent).toContain('all AS were seen already');
  });
  it.each([
    [{ may: ['open-table'], phase: 'closed' as const }, 'The table is closed', { do: 'open-table' }],
    [{ may: ['step'], step: 'wash' as const }, 'Wash the cards', { do: 'step', step: 'wash', at: null }],
    [{ may: ['burn'], due: { due: 'burn', left: 8 } as const }, 'Burn 8 cards', { do: 'burn' }],
    [{ may: ['open-round'] }, 'Ready for the next round', { do: 'open-round', demonstration: false }],
    [{ may: ['close-bets'], phase: 'betting' as const }, 'Bets are open', { do: 'close-bets' }],
    [{ may: ['open'], opening: ['player' as const], holder: 4 }, 'Open Player', { do: 'open' }],
    [{ may: ['declare'], outcome: { baccarat: bankerWins } }, 'Banker wins, 7 to 6', { do: 'declare' }],
  ])('has one next thing: %j', async (view, words, command) => {
    const { last } = await desk(view);
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe(words);
    const great = document.querySelector('.great');
    await fireEvent.click(great as Element);
    expect(last().commands).toEqual([command]);
  });
  it('lets a result stay as long as the house shows it', async () => {
    const outcome = { baccarat: bankerWins };
    await desk({ may: ['open-round'], phase: 'settled', outcome, shown_until: NOW + 2_000 });
    const great = document.querySelector('.great');
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Banker wins, 7 to 6');
    expect(great?.hasAttribute('disabled')).toBe(true);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(great?.hasAttribute('disabled')).toBe(true);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(great?.hasAttribute('disabled')).toBe(false);
  });
  it('sees sums and the differential, and no name', async () => {
    await desk({ may: ['close-bets'], zones: totals, differential: 676_000, diff_limit: 500_000 });
    expect(document.body.textContent).toContain('19,600');
    expect(document.body.textContent).toContain('6,760');
    expect(document.body.textContent).not.toMatch(/Mei|Guest/);
  });
  it('has no button for voiding; the pit has, and gives its reason', async () => {
    const { last } = await desk({ may: ['take-back'] });
    expect(screen.queryByRole('button', { name: 'Void this round' })).toBeNull();
    last().say({ type: 'hello', version: 1, now: NOW, me: { role: 'pit-boss', staff: 1, name: 'Lam' } });
    await vi.advanceTimersByTimeAsync(20);
    await fireEvent.click(screen.getByRole('button', { name: 'Void this round' }));
    await fireEvent.input(screen.getByRole('textbox'), { target: { value: 'card dropped' } });
    await fireEvent.click(screen.getByRole('button', { name: /^Void it/ }));
    expect(asked).toEqual([
      { path: '/api/pit/rounds/5-42/void', body: { reason: 'card dropped' } },
    ]);
  });
});

it('the rules tell pays, limits, the third card and every option in words', async () => {
  const { house, last } = wired();
  answers['/api/tables/1/rules'] = {
    rules: { decks: 8, tie_policy: 'free', holding: 'off', squeeze_s: 20, commission_pct: 5, seats: 7, standing_allowed: false },
    edges: [{ on: 'banker', exact: '163679/12724075', percent: '1.0579' }],
  };
  const { container } = render(Rules, { house, session: new Session(), table: 1 });
  last().greet({ role: 'spectator' }, null);
  last().part(1, 'felt', felt());
  last().part(1, 'layout', noCommission);
  await vi.advanceTimersByTimeAsync(20);
  const text = container.textContent ?? '';
  for (const said of [
    'Every coup is independent',
    '1:2 on 6',
    '22:1 3 cards',
    'Banker draws with zero to five and stands with six and seven',
    'The shoe holds 8 decks of 52 cards.',
    'Only seated players may bet.',
    'On a tie Banker and Player stakes stay',
    'Malfunction voids all pays and plays',
    '1.0579%',
  ]) {
    expect(text).toContain(said);
  }
  expect(text).not.toContain('the cards are opened by the house');
});

it('own rounds tell each bet, commission and what came back', async () => {
  const { house, last } = wired();
  answers['/api/me/rounds'] = {
    rounds: [{ ...round(), rules: 'a1b2', balance_before: 1_000_000, balance_after: 1_007_000 }],
  };
  const { container } = render(Rounds, { house, session: new Session() });
  last().greet();
  await vi.advanceTimersByTimeAsync(20);
  expect(container.textContent).toContain('Banker wins, 7 to 6');
  expect(container.textContent).toContain('Balance 10,000.00, then 10,070.00');
  const cells = [...container.querySelectorAll('tbody td')].map((cell) => cell.textContent);
  expect(cells).toEqual(['100.00', '100.00', '5.00', '195.00', '25.00', '0.00', '0.00', '0.00']);
});
