// Guards what the parts show and say: cards keep their secret, the clock its colour, zones their reasons, roads their marks.
import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import Card from '../src/components/Card.svelte';
import { chipsOf, stacks } from '../src/components/chips';
import ChipTray from '../src/components/ChipTray.svelte';
import Countdown from '../src/components/Countdown.svelte';
import { fold, grip } from '../src/components/fold';
import SqueezeCard from '../src/components/SqueezeCard.svelte';
import Zone from '../src/components/Zone.svelte';
import { roads } from '../src/gallery/scenes';
import Hands from '../src/games/baccarat/Hands.svelte';
import BeadPlate from '../src/games/baccarat/roads/BeadPlate.svelte';
import BigRoad from '../src/games/baccarat/roads/BigRoad.svelte';
import Roads from '../src/games/baccarat/roads/Roads.svelte';
import { printedPays, speak } from '../src/i18n/index.svelte';

beforeEach(() => speak('en'));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('a card', () => {
  it('that lies face down says so and holds no face', () => {
    const { container } = render(Card, { card: null });
    expect(screen.getByRole('img', { name: 'face down' })).toBeTruthy();
    expect([...container.querySelectorAll('img')].map((image) => image.getAttribute('src'))).toEqual([
      '/cards/back.svg',
    ]);
  });
  it.each([
    ['AS', 'ace of spades', '/cards/As.svg', false],
    ['TD', 'ten of diamonds', '/cards/four/Td.svg', true],
    ['QH', 'queen of hearts', '/cards/Qh.svg', true],
  ])('%s is read as %s', (card, name, picture, fourColour) => {
    const { container } = render(Card, { card, fourColour });
    expect(screen.getByRole('img', { name })).toBeTruthy();
    expect(container.querySelector('.face')?.getAttribute('src')).toBe(picture);
  });
  it('that is squeezed opens by its button and does not name its face', async () => {
    const onopen = vi.fn();
    const { container } = render(SqueezeCard, { card: '8H', onopen });
    expect(container.textContent).not.toMatch(/eight|hearts/);
    expect(screen.getByRole('slider').getAttribute('aria-valuetext')).toBe('face down, lifted 0 percent');
    await fireEvent.click(screen.getByRole('button', { name: 'Open' }));
    expect(onopen).toHaveBeenCalledOnce();
  });
});

describe('the fold', () => {
  const size = { width: 100, height: 140 };
  it('takes the corner near a corner, else the nearest edge', () => {
    expect(grip({ x: 90, y: 130 }, size)).toEqual({ x: 100, y: 140 });
    expect(grip({ x: 50, y: 130 }, size)).toEqual({ x: 50, y: 140 });
    expect(grip({ x: 5, y: 70 }, size)).toEqual({ x: 0, y: 70 });
    expect(grip({ x: 50, y: 60 }, size)).toEqual({ x: 50, y: 0 });
  });
  it('lifts nothing when pulled outwards', () => {
    expect(fold({ x: 50, y: 140 }, { x: 50, y: 200 }, size)).toBeNull();
  });
  it('from the lower edge lies halfway between edge and finger, and puts the edge under the finger', () => {
    const bent = fold({ x: 50, y: 140 }, { x: 50, y: 100 }, size);
    expect(bent?.lying.map(({ y }) => y).sort((a, b) => a - b)).toEqual([0, 0, 120, 120]);
    expect(bent?.lifted).toHaveLength(4);
    expect(bent?.share).toBeCloseTo(20 / 140, 6);
    const [a, b, c, d, e, f] = bent?.matrix ?? [0, 0, 0, 0, 0, 0];
    const put = (x: number, y: number): [number, number] => [a * x + c * y + e, b * x + d * y + f];
    expect(put(50, 140).map(Math.round)).toEqual([50, 100]);
    expect(a * d - b * c).toBeCloseTo(1, 9);
  });
  it('from a corner leaves a triangle', () => {
    const bent = fold({ x: 100, y: 140 }, { x: 60, y: 100 }, size);
    expect(bent?.lifted).toHaveLength(3);
    expect(bent?.lying).toHaveLength(5);
  });
});

describe('hands', () => {
  it('are opened for the house once every peeked card was turned', async () => {
    const onopen = vi.fn();
    render(Hands, {
      player: { cards: ['9D', 'KC'], total: 9 },
      banker: { cards: [null, null], total: null },
      winner: null,
      peeked: { banker: ['8H', 'JS'] },
      opening: ['banker'],
      onopen,
    });
    expect(screen.getAllByRole('slider')).toHaveLength(2);
    await fireEvent.click(screen.getByRole('button', { name: 'Open Banker' }));
    expect(onopen).toHaveBeenCalledOnce();
  });
  it('lie face down for who does not hold them, and for a hand that is not due', () => {
    const down = { cards: [null, null], total: null };
    const { container } = render(Hands, {
      player: down,
      banker: down,
      winner: null,
      peeked: { player: ['8H', 'JS'] },
      opening: ['banker'],
    });
    expect(screen.queryAllByRole('slider')).toHaveLength(0);
    expect(container.innerHTML).not.toMatch(/8h|Js/);
  });
  it('show the third card alone to its holder, once the pair is open', () => {
    render(Hands, {
      player: { cards: ['2D', '3C', null], total: 5 },
      banker: { cards: ['7D', 'KC'], total: 7 },
      winner: null,
      peeked: { player: ['4S'] },
      opening: ['player'],
    });
    expect(screen.getAllByRole('slider')).toHaveLength(1);
  });
});

describe('chips', () => {
  it.each([
    [2_500, [2_500]],
    [162_500, [100_000, 50_000, 10_000, 2_500]],
    [154_375, [100_000, 50_000, 2_500, 500, 500, 500, 100, 100, 100, 75]],
    [0, []],
  ])('%d', (amount, chips) => expect(chipsOf(amount)).toEqual(chips));
  it('stand in stacks of at most twenty, and never endlessly many', () => {
    expect(stacks(chipsOf(4_500, [100])).map((stack) => stack.length)).toEqual([20, 20, 5]);
    expect(chipsOf(2 ** 52)).toHaveLength(60);
  });
  it('are chosen by click and by arrow, and an own amount is read to the cent', async () => {
    const onchoose = vi.fn();
    render(ChipTray, { denominations: [500, 2_500, 10_000], chosen: 500, balance: 5_000, onchoose });
    const chips = screen.getAllByRole('radio');
    expect(chips.map((chip) => chip.hasAttribute('disabled'))).toEqual([false, false, true]);
    await fireEvent.click(screen.getByRole('radio', { name: '25 chip' }));
    await fireEvent.keyDown(chips[0] as HTMLElement, { key: 'ArrowRight' });
    const own = screen.getByRole('textbox');
    await fireEvent.input(own, { target: { value: '12.50' } });
    await fireEvent.change(own);
    await fireEvent.input(own, { target: { value: 'much' } });
    await fireEvent.change(own);
    expect(onchoose.mock.calls).toEqual([[2_500], [2_500], [1_250]]);
    expect(screen.getByRole('alert')).toBeTruthy();
  });
});

describe('the clock', () => {
  it.each([
    [12_000, false, '12', '', false],
    [9_400, false, '10', '10 seconds', false],
    [5_000, false, '5', 'Last 5 seconds', true],
    [-300, false, '0', 'Last 5 seconds', true],
    [4_000, true, null, 'No more bets', false],
  ])('with %d ms left (closed: %s) shows %s and says "%s"', (left, closed, seconds, spoken, amber) => {
    const { container } = render(Countdown, {
      now: () => 100_000,
      openedAt: 85_000,
      closesAt: 100_000 + left,
      closed,
    });
    const clock = container.querySelector('.clock');
    expect(clock?.classList.contains('closed')).toBe(closed);
    expect(clock?.classList.contains('last')).toBe(amber);
    expect(container.querySelector('.seconds')?.textContent ?? null).toBe(seconds);
    expect(container.querySelector('[aria-live]')?.textContent).toBe(spoken);
  });
});

describe('a zone', () => {
  const zone = {
    on: 'banker' as const,
    pays: [{ pays: '1 to 1', when: null }],
    commission: 5,
    min: 10_000,
    max: 5_000_000,
    own: 0,
    total: 1_960_000,
    bettors: 12,
    state: { is: 'open' as const },
  };
  it('shows pay and limits before a bet, and takes it by click', async () => {
    const onbet = vi.fn();
    render(Zone, { ...zone, onbet });
    const button = screen.getByRole('button', { name: /^Banker 1:1 less 5%/ });
    expect(button.textContent).toContain('100 – 50,000');
    expect(button.textContent).toContain('12 bettors');
    await fireEvent.click(button);
    expect(onbet).toHaveBeenCalledOnce();
  });
  it.each([
    [{ is: 'closed' as const }, false],
    [{ is: 'open' as const }, true],
  ])('takes none when %o (disabled: %s)', (state, disabled) => {
    render(Zone, { ...zone, state, disabled, onbet: () => {} });
    expect(screen.getByRole('button').hasAttribute('disabled')).toBe(true);
  });
  it('says why it refused, bound to the button', () => {
    render(Zone, { ...zone, refused: 'At most 10 more here', onbet: () => {} });
    expect(screen.getByRole('alert').textContent).toBe('At most 10 more here');
    expect(screen.getByRole('button').getAttribute('aria-describedby')).toBe('refused-banker');
  });
  it.each([
    [[{ pays: '1 to 1', when: null }, { pays: '1 to 2', when: 'banker-six' }], '1:1 · 1:2 on 6'],
    [[{ pays: '9.3 to 1', when: null }], '9.3:1'],
    [[30, 15, 1].map((win) => ({ pays: `${win} to 1`, when: null })), '1:1 to 30:1'],
  ])('prints its pays %#', (pays, text) => expect(printedPays(pays)).toBe(text));
});

describe('roads', () => {
  it('draw a mark for each result, and a letter on each bead', () => {
    const { container } = render(BeadPlate, { beads: roads.ties.bead_plate.slice(0, 6) });
    const letters = [...container.querySelectorAll('text')].map((text) => text.textContent);
    expect(letters).toEqual(['B', 'B', 'B', 'B', 'T', 'P']);
  });
  it('keep ties before the first Banker or Player', () => {
    const { container } = render(BigRoad, { cells: roads.all_ties.big_road });
    expect(container.querySelectorAll('.ring')).toHaveLength(0);
    expect(container.querySelector('text:not(.ground)')?.textContent).toBe('10');
  });
  it('blink the asked mark in all four roads, then rest', async () => {
    vi.useFakeTimers();
    const { container } = render(Roads, { shoe: 17, roads: roads.shoe });
    await fireEvent.click(screen.getByRole('button', { name: /^Ask Banker/ }));
    await vi.advanceTimersByTimeAsync(50);
    expect(container.querySelectorAll('.asked')).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(container.querySelectorAll('.asked')).toHaveLength(0);
  });
  it('say that past results do not matter, and count the shoe', () => {
    const { container } = render(Roads, { shoe: 17, roads: roads.shoe });
    expect(container.textContent).toContain('Past results do not affect the next coup.');
    const counts = [...container.querySelectorAll('dd')].map((count) => count.textContent);
    expect(counts.slice(0, 3)).toEqual(['41', '34', '5']);
  });
  it.each([
    ['all', 5],
    ['big', 1],
    ['bead', 1],
  ] as const)('in view %s are %d', (view, count) => {
    const { container } = render(Roads, { shoe: 17, roads: roads.shoe, view });
    expect(container.querySelectorAll('figure')).toHaveLength(count);
  });
});
