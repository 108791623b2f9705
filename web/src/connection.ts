// One live socket to the house: its clock, the last whole of every part, and answers to commands.
import type {
  ChatLine,
  DealerMessage,
  DealerView,
  FeltView,
  LayoutZone,
  Me,
  MineView,
  PartName,
  PlayerMessage,
  Rejection,
  RoadMaps,
  ServerMessage,
  TileView,
  ZoneView,
} from './wire/generated';

/** The version of the wire that this page was built for; another one means that the page is old. */
export const WIRE_VERSION = 1;

const PING_EVERY = 1_000;
const STALE_AFTER = 2_800;
const DEAD_AFTER = 8_000;
const WATCH_EVERY = 200;
const RETRY_FIRST = 400;
const RETRY_LONGEST = 10_000;
const ANSWER_WITHIN = 30_000;
const PENDING_MAX = 64;
const CHAT_KEPT = 100;
const CLOCK_SAMPLES = 8;

/** `live`: heard within three seconds. `stale`: shown, but old; every control is off. */
export type Line = 'connecting' | 'live' | 'stale' | 'closed';

/** What the answer to a command can be besides the house's own: the line was lost for too long. */
export const NO_ANSWER = 'NO_ANSWER';
/** Too many commands wait for their answer already; nothing was sent. */
export const TOO_MANY_WAITING = 'TOO_MANY_WAITING';
/** Nothing is sent while the line is not live. */
export const NOT_CONNECTED = 'NOT_CONNECTED';

/** What each part of a table holds. */
export interface Parts {
  felt: FeltView;
  totals: ZoneView[];
  roads: RoadMaps;
  layout: LayoutZone[];
  mine: MineView;
  dealer: DealerView;
}

/** What a command came to. */
export type Answer = { ok: true } | { ok: false; refusal: Rejection };
export type ToHouse = PlayerMessage | DealerMessage;
type CommandOf<M extends ToHouse> = Extract<M, { type: 'command' }>['command'];
export type Command = CommandOf<PlayerMessage>;
export type DealerCommand = CommandOf<DealerMessage>;
/** The round and the rule set that a player means; a dealer names none. */
export interface Meant {
  round: number | null;
  rules: string | null;
}

export interface CommandSent {
  id: string;
  answer: Promise<Answer>;
}

interface Held {
  generation: number;
  version: number;
  body: unknown;
}
interface Waiting {
  message: string;
  since: number;
  settle: (answer: Answer) => void;
}
interface ClockSample {
  offset: number;
  trip: number;
}

/** The part of a WebSocket that is used here. */
export interface Socket {
  onopen: ((event: Event) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  onerror: ((event: Event) => void) | null;
  send(text: string): void;
  close(): void;
}

/** Keeps one socket per tab. Everything it knows is read through it; `onchange` says that something is new. */
export class Connection {
  line: Line = 'connecting';
  me: Me | null = null;
  lobby: TileView[] | null = null;
  balance: number | null = null;
  /** The house speaks another version of the wire: the page has to be loaded anew. */
  outdated = false;
  /** The last thing that the house could not read, or refused without an id to answer. */
  refusal: Rejection | null = null;
  onchange: (what: Change) => void = () => {};

  #generation = 0;
  #socket: Socket | null = null;
  #open = false;
  #heard = 0;
  #pinged = 0;
  #retries = 0;
  #retry: ReturnType<typeof setTimeout> | null = null;
  #watchdog: ReturnType<typeof setInterval> | null = null;
  #samples: ClockSample[] = [];
  #watched = new Set<number>();
  #parts = new Map<string, Held>();
  #waiting = new Map<string, Waiting>();
  #chat = new Map<number, ChatLine[]>();

  constructor(
    private readonly url: string,
    private readonly dial: (url: string) => Socket = (address) => new WebSocket(address),
  ) {}

  start(): void {
    if (this.#watchdog !== null) return;
    this.#watchdog = setInterval(() => this.#watch(), WATCH_EVERY);
    this.#connect();
  }

  stop(): void {
    if (this.#watchdog !== null) clearInterval(this.#watchdog);
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#watchdog = null;
    this.#retry = null;
    this.#drop();
    this.#become('closed');
  }

  /** The house's clock, carried on by this machine's monotonic one; null before the first word. */
  now(): number | null {
    const best = this.#samples.reduce<ClockSample | null>(
      (least, sample) => (least === null || sample.trip < least.trip ? sample : least),
      null,
    );
    return best === null ? null : performance.now() + best.offset;
  }

  /** The last whole of a part, or null when none came yet. */
  part<P extends PartName>(table: number, part: P): Parts[P] | null {
    return (this.#parts.get(key(table, part))?.body as Parts[P] | undefined) ?? null;
  }

  chat(table: number): readonly ChatLine[] {
    return this.#chat.get(table) ?? [];
  }

  /** How many commands wait for their answer. */
  get waiting(): number {
    return this.#waiting.size;
  }

  watch(table: number): void {
    if (this.#watched.has(table)) return;
    this.#watched.add(table);
    this.#say({ type: 'watch', table });
  }

  unwatch(table: number): void {
    if (!this.#watched.delete(table)) return;
    this.#say({ type: 'unwatch', table });
    for (const name of [...this.#parts.keys()]) {
      if (name.startsWith(`${table}/`)) this.#parts.delete(name);
    }
    this.#chat.delete(table);
  }

  /** Lets the line go and dials again at once, as somebody else perhaps. */
  reconnect(): void {
    if (this.#watchdog === null) return;
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = null;
    this.#retries = 0;
    this.#drop();
    this.me = null;
    this.balance = null;
    this.#become('connecting');
    this.#connect();
  }

  /** Sends a command under a fresh id; after a lost line the same id is sent again, so it acts once. */
  command(table: number, command: Command | DealerCommand, meant: Meant | null): CommandSent {
    const id = freshId();
    if (this.line !== 'live') return refused(id, NOT_CONNECTED);
    if (this.#waiting.size >= PENDING_MAX) return refused(id, TOO_MANY_WAITING);
    const text = JSON.stringify({ type: 'command', id, table, ...meant, command });
    const answer = new Promise<Answer>((settle) => {
      this.#waiting.set(id, { message: text, since: performance.now(), settle });
    });
    this.#socket?.send(text);
    return { id, answer };
  }

  /** True when the line was sent. */
  talk(table: number, text: string): boolean {
    if (this.line !== 'live') return false;
    this.#say({ type: 'chat', table, text });
    return true;
  }

  #connect(): void {
    const generation = ++this.#generation;
    const socket = this.dial(this.url);
    this.#socket = socket;
    this.#open = false;
    this.#heard = performance.now();
    const current = (): boolean => generation === this.#generation;
    socket.onopen = () => {
      if (current()) this.#opened();
    };
    socket.onmessage = (event) => {
      if (current()) this.#hear(event.data);
    };
    socket.onclose = () => {
      if (current()) this.#lost();
    };
    socket.onerror = () => {
      if (current()) socket.close();
    };
  }

  #opened(): void {
    this.#open = true;
    this.#heard = performance.now();
    this.#samples = [];
    for (const table of this.#watched) this.#say({ type: 'watch', table });
    for (const waiting of this.#waiting.values()) this.#socket?.send(waiting.message);
    this.#ping();
  }

  #lost(): void {
    this.#drop();
    this.#become(this.me === null ? 'connecting' : 'stale');
    if (this.#watchdog === null || this.#retry !== null) return;
    const longest = Math.min(RETRY_LONGEST, RETRY_FIRST * 2 ** this.#retries);
    this.#retries = Math.min(this.#retries + 1, 16);
    const wait = longest / 2 + (Math.random() * longest) / 2;
    this.#retry = setTimeout(() => {
      this.#retry = null;
      this.#connect();
    }, wait);
  }

  /** Lets the socket go; what it may still say belongs to an old generation and is not heard. */
  #drop(): void {
    const socket = this.#socket;
    this.#generation += 1;
    this.#socket = null;
    this.#open = false;
    socket?.close();
  }

  #watch(): void {
    const now = performance.now();
    if (this.#socket !== null) {
      const silent = now - this.#heard;
      if (silent >= DEAD_AFTER) this.#lost();
      else if (silent >= STALE_AFTER && this.line === 'live') this.#become('stale');
      else if (this.#open && now - this.#pinged >= PING_EVERY) this.#ping();
    }
    for (const [id, waiting] of this.#waiting) {
      if (now - waiting.since < ANSWER_WITHIN) continue;
      this.#waiting.delete(id);
      waiting.settle({ ok: false, refusal: { code: NO_ANSWER } });
    }
  }

  #ping(): void {
    this.#pinged = performance.now();
    this.#say({ type: 'ping', at: Math.floor(this.#pinged) });
  }

  #say(message: ToHouse): void {
    if (this.#open) this.#socket?.send(JSON.stringify(message));
  }

  #hear(text: unknown): void {
    const message = parse(text);
    if (message === null) return;
    this.#heard = performance.now();
    switch (message.type) {
      case 'hello':
        this.me = message.me;
        this.outdated = message.version !== WIRE_VERSION;
        this.#sample(message.now, 1_000);
        this.#retries = 0;
        this.onchange('me');
        break;
      case 'pong':
        this.#sample(message.now, Math.max(0, performance.now() - message.at));
        break;
      case 'lobby':
        this.lobby = message.tables;
        this.onchange('lobby');
        break;
      case 'balance':
        this.balance = message.balance;
        this.onchange('balance');
        break;
      case 'part':
        this.#take(message.table, message.part, message.version, message.body);
        break;
      case 'answer':
        this.#answered(message);
        break;
      case 'refused':
        this.refusal = message.refusal;
        this.onchange('refused');
        break;
      case 'chat':
        this.#overhear(message.table, message.line);
        break;
    }
    if (this.me !== null) this.#become('live');
  }

  /** A part is replaced whole, by a newer version, or by any version of a newer line. */
  #take(table: number, part: PartName, version: number, body: unknown): void {
    if (!this.#watched.has(table)) return;
    const held = this.#parts.get(key(table, part));
    const older = held?.generation === this.#generation && held.version >= version;
    if (older) return;
    this.#parts.set(key(table, part), { generation: this.#generation, version, body });
    this.onchange('part');
  }

  #answered({ id, ok, refusal }: Extract<ServerMessage, { type: 'answer' }>): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    waiting.settle(ok ? { ok } : { ok, refusal: refusal ?? { code: 'OTHER' } });
    this.onchange('answer');
  }

  /** Lines are numbered by the house; those that are told again after a new line count once. */
  #overhear(table: number, line: ChatLine): void {
    const before = this.#chat.get(table) ?? [];
    if (before.some(({ number }) => number === line.number)) return;
    const kept = [...before, line].sort((one, other) => one.number - other.number);
    this.#chat.set(table, kept.slice(-CHAT_KEPT));
    this.onchange('chat');
  }

  #sample(now: number, trip: number): void {
    this.#samples.push({ offset: now + trip / 2 - performance.now(), trip });
    if (this.#samples.length > CLOCK_SAMPLES) this.#samples.shift();
    if (this.#samples.length === 1) this.onchange('clock');
  }

  #become(line: Line): void {
    if (this.line === line) return;
    this.line = line;
    this.onchange('line');
  }
}

export type Change =
  | 'line'
  | 'me'
  | 'lobby'
  | 'balance'
  | 'part'
  | 'answer'
  | 'refused'
  | 'chat'
  | 'clock';

function key(table: number, part: PartName): string {
  return `${table}/${part}`;
}

/** A random UUID; by hand where the page is not served over a secure origin and the browser has none. */
function freshId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function refused(id: string, code: string): CommandSent {
  return { id, answer: Promise.resolve({ ok: false, refusal: { code } }) };
}

/** Anything that is not an object with a `type` is not for this page and is passed over. */
function parse(text: unknown): ServerMessage | null {
  if (typeof text !== 'string') return null;
  try {
    const message: unknown = JSON.parse(text);
    const spoken = typeof message === 'object' && message !== null && 'type' in message;
    return spoken ? (message as ServerMessage) : null;
  } catch {
    return null;
  }
}
