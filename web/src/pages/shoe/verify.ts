// Checks a finished shoe as docs/fairness.md says: the hash, the cards, the cut, and every card that was dealt.

export interface ShoeRecord {
  version: number;
  table: number;
  shoe: number;
  rules: {
    decks: number;
    shuffle: 'rng' | 'continuous';
    white_card_from_back: number | null;
    burn_per_coup: number;
  };
  previous: string | null;
  commitment: string;
  order: string | null;
  salt: string | null;
  cut: { by: 'player' | 'dealer' | 'house'; at: number } | null;
  burn: { count: number; shown: string | null } | null;
  rounds: { round: number; kind: 'played' | 'void' | 'demo'; burned: number; cards: string }[];
  totals: { burned: number; dealt: number; left: number };
  end: string | null;
}

const DECK = 52;
const DECKS_MAX = 12;
/** A card that left the shoe face down. */
const UNSEEN = '??';
const CARD = /^[A2-9TJQK][CDHS]$/;
const HEX = /^[0-9a-f]{64}$/;

export type CheckName = 'revealed' | 'hash' | 'noted' | 'cards' | 'cut' | 'deal' | 'totals';
/** One thing that was looked at: whether it holds, with what was expected and what came. */
export interface Check {
  check: CheckName;
  holds: boolean;
  expected: string;
  came: string;
}

/** Reads a record; null when it is none. */
export function readRecord(told: unknown): ShoeRecord | null {
  if (typeof told !== 'object' || told === null) return null;
  if ('record' in told) return readRecord(told.record);
  const record = told as ShoeRecord;
  const plain =
    record.version === 1 &&
    Number.isInteger(record.table) &&
    Number.isInteger(record.shoe) &&
    typeof record.commitment === 'string' &&
    Array.isArray(record.rounds) &&
    typeof record.rules === 'object' &&
    Number.isInteger(record.rules?.decks);
  return plain ? record : null;
}

/** The text whose SHA-256 is the commitment; null before the shoe is over. */
export function boundText({ table, shoe, previous, rules, order, salt }: ShoeRecord): string | null {
  if (order === null || salt === null) return null;
  return [
    'croupier-shoe: 1',
    `table: ${table}`,
    `shoe: ${shoe}`,
    `previous: ${previous ?? 'none'}`,
    `decks: ${rules.decks}`,
    `shuffle: ${rules.shuffle}`,
    `order: ${order}`,
    `salt: ${salt}`,
    '',
  ].join('\n');
}

/** Hexadecimal SHA-256; null where the browser has none, which is so on pages without a secure origin. */
export async function sha256(text: string): Promise<string | null> {
  const subtle = globalThis.crypto?.subtle;
  if (subtle === undefined) return null;
  const hash = await subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Everything that can be said about a record, in the order in which one would look. `noted` is the
 * commitment that was seen before the shoe was played.
 */
export async function verify(record: ShoeRecord, noted: string | null): Promise<Check[]> {
  const checks: Check[] = [];
  const say = (check: CheckName, expected: string, came: string, holds = expected === came): void => {
    checks.push({ check, holds, expected, came });
  };
  if (noted !== null) say('noted', noted, record.commitment);
  const text = boundText(record);
  if (text === null || record.order === null) {
    say('revealed', 'order and salt', record.end ?? '–', false);
    return checks;
  }
  say('hash', record.commitment, (await sha256(text)) ?? '–');
  const order = record.order.split(' ');
  say('cards', fullShoe(record.rules.decks), missing(order, record.rules.decks));
  const shoe = cutShoe(record, order, say);
  const at = deal(record, shoe, say);
  const { burned, dealt, left } = record.totals;
  say('totals', `${burned + dealt} + ${left}`, `${at} + ${order.length - at}`);
  return checks;
}

type Say = (check: CheckName, expected: string, came: string, holds?: boolean) => void;

function fullShoe(decks: number): string {
  return `${decks} × ${DECK}`;
}

/** The count of cards as it should be, or the first card that comes too often or not often enough. */
function missing(order: string[], decks: number): string {
  if (decks < 1 || decks > DECKS_MAX || order.length !== decks * DECK) return `${order.length}`;
  const count = new Map<string, number>();
  for (const card of order) count.set(card, (count.get(card) ?? 0) + 1);
  const wrong = [...count].find(([card, times]) => !CARD.test(card) || times !== decks);
  return wrong === undefined ? fullShoe(decks) : `${wrong[1]} × ${wrong[0]}`;
}

/** The order as it lay in the shoe after the cut. */
function cutShoe({ rules, cut }: ShoeRecord, order: string[], say: Say): string[] {
  if (rules.shuffle === 'continuous' || rules.decks < 2) return order;
  const [least, most] = [DECK, rules.decks * DECK - DECK];
  const at = cut?.at ?? 0;
  say('cut', `${least} – ${most}`, cut === null ? '–' : `${at}`, at >= least && at <= most);
  return [...order.slice(at), ...order.slice(0, at)];
}

/** Lays every card that was dealt beside the order; the place that was reached. */
function deal({ burn, rounds }: ShoeRecord, shoe: string[], say: Say): number {
  let at = burn?.count ?? 0;
  if (burn?.shown && burn.shown !== shoe[0]) {
    say('deal', shoe[0] ?? '–', burn.shown);
    return at;
  }
  let compared = 0;
  for (const { round, burned, cards } of rounds) {
    at += burned;
    for (const card of cards === '' ? [] : cards.split(' ')) {
      const lay = shoe[at];
      if (lay === undefined || (card !== UNSEEN && card !== lay)) {
        say('deal', `${round}: ${lay ?? '–'}`, `${round}: ${card}`);
        return at;
      }
      if (card !== UNSEEN) compared += 1;
      at += 1;
    }
  }
  say('deal', `${compared}`, `${compared}`);
  return at;
}

export function isHash(text: string): boolean {
  return HEX.test(text);
}
