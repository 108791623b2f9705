// Guards the line to the house: generations, the clock, whole parts, answers that come once, staleness.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  Connection,
  NO_ANSWER,
  NOT_CONNECTED,
  TOO_MANY_WAITING,
  type Command,
  type Socket,
  type ToHouse,
} from '../src/connection';

class Wire implements Socket {
  onopen: Socket['onopen'] = null;
  onmessage: Socket['onmessage'] = null;
  onclose: Socket['onclose'] = null;
  onerror: Socket['onerror'] = null;
  sent: ToHouse[] = [];
  closed = false;
  send(text: string): void {
    this.sent.push(JSON.parse(text) as ToHouse);
  }
  close(): void {
    this.closed = true;
  }
  open(): void {
    this.onopen?.(new Event('open'));
  }
  say(message: object): void {
    this.onmessage?.(new MessageEvent('message', { data: JSON.stringify(message) }));
  }
  fail(): void {
    this.onclose?.(new CloseEvent('close'));
  }
  of(type: ToHouse['type']): ToHouse[] {
    return this.sent.filter((message) => message.type === type);
  }
}

let wires: Wire[];
let connection: Connection;

function last(): Wire {
  const wire = wires.at(-1);
  if (wire === undefined) throw new Error('nothing was dialled');
  return wire;
}
const me = { role: 'player', player: 1, name: 'guest' };
const meant = { round: 42, rules: 'r' };
function greet(wire: Wire, now = 5_000): void {
  wire.open();
  wire.say({ type: 'hello', version: 1, now, me });
}
function part(version: number, name: string): object {
  return { type: 'part', table: 1, part: 'felt', version, body: { name } };
}
const bet: Command = { do: 'bet', on: 'banker', stake: 2000, at_box: null };

beforeEach(() => {
  vi.useFakeTimers();
  wires = [];
  connection = new Connection('ws://house', () => {
    const wire = new Wire();
    wires.push(wire);
    return wire;
  });
  connection.start();
});
afterEach(() => {
  connection.stop();
  vi.useRealTimers();
});

describe('the line', () => {
  it('is live only after the greeting', () => {
    last().open();
    expect(connection.line).toBe('connecting');
    last().say({ type: 'hello', version: 1, now: 1, me });
    expect(connection.line).toBe('live');
  });

  it('is stale within three seconds of silence, and live again by a pong', () => {
    greet(last());
    vi.advanceTimersByTime(3_000);
    expect(connection.line).toBe('stale');
    last().say({ type: 'pong', at: performance.now(), now: 9_000 });
    expect(connection.line).toBe('live');
  });

  it('sends nothing while stale', async () => {
    greet(last());
    vi.advanceTimersByTime(3_000);
    const { answer } = connection.command(1, bet, meant);
    expect(await answer).toEqual({ ok: false, refusal: { code: NOT_CONNECTED } });
    expect(last().of('command')).toHaveLength(0);
  });

  it('reconnects with growing pauses and watches the same tables again', () => {
    greet(last());
    connection.watch(1);
    connection.watch(4);
    connection.unwatch(4);
    last().fail();
    vi.advanceTimersByTime(400);
    expect(wires).toHaveLength(2);
    last().fail();
    vi.advanceTimersByTime(399);
    expect(wires).toHaveLength(2);
    vi.advanceTimersByTime(401);
    expect(wires).toHaveLength(3);
    greet(last());
    expect(last().of('watch')).toEqual([{ type: 'watch', table: 1 }]);
  });

  it('does not hear an old socket', () => {
    greet(last());
    connection.watch(1);
    const old = last();
    old.fail();
    vi.advanceTimersByTime(400);
    greet(last());
    last().say(part(1, 'new'));
    old.say(part(99, 'old'));
    old.fail();
    expect(connection.part(1, 'felt')?.name).toBe('new');
    expect(connection.line).toBe('live');
    expect(wires).toHaveLength(2);
  });

  it('gives up a silent socket and dials again', () => {
    greet(last());
    vi.advanceTimersByTime(8_600);
    expect(wires[0]?.closed).toBe(true);
    expect(wires.length).toBeGreaterThan(1);
  });

  it('passes over what it does not understand', () => {
    greet(last());
    last().onmessage?.(new MessageEvent('message', { data: '{"type":' }));
    last().onmessage?.(new MessageEvent('message', { data: '7' }));
    last().say({ type: 'something-new' });
    expect(connection.line).toBe('live');
  });
});

describe('the clock', () => {
  it('follows the answer with the shortest trip', () => {
    expect(connection.now()).toBeNull();
    greet(last(), 50_000);
    const sent = performance.now();
    vi.advanceTimersByTime(40);
    last().say({ type: 'pong', at: sent, now: 60_020 });
    expect(connection.now()).toBeCloseTo(60_040, 5);
    const slow = performance.now();
    vi.advanceTimersByTime(900);
    last().say({ type: 'pong', at: slow, now: 99_999 });
    expect(connection.now()).toBeCloseTo(60_940, 5);
  });
});

describe('parts', () => {
  it('are replaced whole by a newer version only', () => {
    greet(last());
    connection.watch(1);
    for (const [version, name] of [
      [2, 'second'],
      [1, 'first'],
      [2, 'twin'],
    ] as const) {
      last().say(part(version, name));
    }
    expect(connection.part(1, 'felt')).toEqual({ name: 'second' });
  });

  it('of a new line replace those of the old one whatever their version', () => {
    greet(last());
    connection.watch(1);
    last().say(part(40, 'before the restart'));
    last().fail();
    vi.advanceTimersByTime(400);
    greet(last());
    last().say(part(1, 'after it'));
    expect(connection.part(1, 'felt')?.name).toBe('after it');
  });

  it('of a table that is not watched are not kept', () => {
    greet(last());
    last().say(part(1, 'x'));
    expect(connection.part(1, 'felt')).toBeNull();
  });
});

describe('commands', () => {
  it('are answered once, by their id', async () => {
    greet(last());
    const { id, answer } = connection.command(1, bet, meant);
    expect(connection.waiting).toBe(1);
    last().say({ type: 'answer', id: 'another', ok: true, refusal: null });
    const refusal = { code: 'ABOVE_MAX', max: 1000 };
    last().say({ type: 'answer', id, ok: false, refusal });
    last().say({ type: 'answer', id, ok: true, refusal: null });
    expect(await answer).toEqual({ ok: false, refusal });
    expect(connection.waiting).toBe(0);
  });

  it('are sent again under the same id when the line was lost before the answer', async () => {
    greet(last());
    const { id, answer } = connection.command(1, bet, meant);
    last().fail();
    vi.advanceTimersByTime(400);
    greet(last());
    expect(last().of('command')).toEqual([{ type: 'command', id, table: 1, ...meant, command: bet }]);
    last().say({ type: 'answer', id, ok: true, refusal: null });
    expect(await answer).toMatchObject({ ok: true });
  });

  it('are given up when the house stays silent', async () => {
    greet(last());
    const { answer } = connection.command(1, bet, meant);
    vi.advanceTimersByTime(31_000);
    expect(await answer).toEqual({ ok: false, refusal: { code: NO_ANSWER } });
  });

  it('are bounded', async () => {
    greet(last());
    for (let count = 0; count < 64; count += 1) connection.command(1, bet, meant);
    const { answer } = connection.command(1, bet, meant);
    expect(await answer).toMatchObject({ ok: false, refusal: { code: TOO_MANY_WAITING } });
    expect(last().of('command')).toHaveLength(64);
  });
});

describe('who one is', () => {
  it('is told anew after a fresh line, with a balance of its own', () => {
    greet(last());
    last().say({ type: 'balance', balance: 1_000_000 });
    expect(connection.balance).toBe(1_000_000);
    connection.reconnect();
    expect([connection.me, connection.balance, connection.line]).toEqual([null, null, 'connecting']);
    expect(wires[0]?.closed).toBe(true);
    greet(last());
    expect(connection.line).toBe('live');
  });
  it('and a page that is older than the house knows it', () => {
    last().open();
    last().say({ type: 'hello', version: 2, now: 1, me });
    expect(connection.outdated).toBe(true);
  });
  it('a dealer sends no round and no rules', () => {
    greet(last());
    connection.command(5, { do: 'card', card: '9H' }, null);
    const { id, ...sent } = last().of('command')[0] as { id: string };
    expect(id).toBeTruthy();
    expect(sent).toEqual({ type: 'command', table: 5, command: { do: 'card', card: '9H' } });
  });
  it('pings carry whole milliseconds', () => {
    greet(last());
    for (const ping of last().of('ping')) expect(Number.isInteger((ping as { at: number }).at)).toBe(true);
  });
});

it('keeps the last hundred lines of chat', () => {
  greet(last());
  for (let count = 0; count < 130; count += 1) {
    const line = { number: count, at: count, name: 'a', text: `${count}` };
    last().say({ type: 'chat', table: 1, line });
    last().say({ type: 'chat', table: 1, line });
  }
  expect(connection.chat(1)).toHaveLength(100);
  expect(connection.chat(1).at(-1)?.text).toBe('129');
});
