// What is asked of the house over HTTP: becoming a guest, chips, own rounds, rules, shoes, staff.
import type { Chips, Me, MyRound, Rejection } from './wire/generated';

/** Most bytes of an answer that this page reads. */
const ANSWER_MAX = 2_000_000;
/** No answer came, or none that can be read. */
export const UNREACHABLE = 'UNREACHABLE';

export type Told<T> = { ok: true; told: T } | { ok: false; refusal: Rejection };

async function ask<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<Told<T>> {
  try {
    const answer = await fetch(path, {
      method,
      credentials: 'same-origin',
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const told: unknown = text === '' || text.length > ANSWER_MAX ? null : readJson(text);
    if (answer.ok) return { ok: true, told: told as T };
    return { ok: false, refusal: refusalIn(told) ?? { code: `HTTP_${answer.status}` } };
  } catch {
    return { ok: false, refusal: { code: UNREACHABLE } };
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A refusal as the house writes it, bare or under `refusal`. */
function refusalIn(told: unknown): Rejection | null {
  if (typeof told !== 'object' || told === null) return null;
  const found = 'refusal' in told ? told.refusal : told;
  const coded = typeof found === 'object' && found !== null && 'code' in found;
  return coded && typeof found.code === 'string' ? (found as Rejection) : null;
}

/** A name and play chips, kept by a cookie. The socket has to be dialled anew afterwards. */
export function becomeGuest(): Promise<Told<unknown>> {
  return ask('POST', '/api/guest', {});
}

/** Play chips anew, for who cannot bet any more; the same id counts once. */
export function refill(id: string): Promise<Told<unknown>> {
  return ask('POST', '/api/refill', { id });
}

/** A round of one's own history: with the rule set it was played by, and the balance around it. */
export type HistoryRound = MyRound & { rules?: string; balance_before?: Chips; balance_after?: Chips };

/** One's own last rounds at all tables, newest first. */
export async function ownRounds(): Promise<Told<HistoryRound[]>> {
  const answer = await ask<{ rounds?: HistoryRound[] }>('GET', '/api/me/rounds');
  return answer.ok ? { ok: true, told: answer.told?.rounds ?? [] } : answer;
}

/** Who the cookie belongs to. */
export function whoAmI(): Promise<Told<Me>> {
  return ask('GET', '/api/me');
}

/** The rule set of a table. */
export function rulesOf(table: number): Promise<Told<unknown>> {
  return ask('GET', `/api/tables/${table}/rules`);
}

/** The record of a shoe, as docs/fairness.md describes it. */
export function shoeRecord(table: number, shoe: number): Promise<Told<unknown>> {
  return ask('GET', `/api/shoes/${table}-${shoe}`);
}

export function staffLogin(login: string, password: string): Promise<Told<unknown>> {
  return ask('POST', '/api/staff/login', { login, password });
}

export function logout(): Promise<Told<unknown>> {
  return ask('POST', '/api/logout', {});
}

/** Voids the open round of a table; every stake goes back. */
export function voidRound(table: number, round: number, reason: string): Promise<Told<unknown>> {
  return ask('POST', `/api/pit/rounds/${table}-${round}/void`, { reason });
}
