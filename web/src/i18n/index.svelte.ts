// Which language is spoken now, its words, and money written in it.
import type { AnyBet, PrintedPay, Rejection } from '../wire/generated';
import { en } from './en';
import { paid, written } from './money';
import { zhHant } from './zh-Hant';

/** The shape of English with every text free: what a language has to say. */
type Free<T> = T extends string
  ? string
  : T extends (...given: infer Given) => string
    ? (...given: Given) => string
    : { [K in keyof T]: Free<T[K]> };
export type Catalogue = Free<typeof en>;

export const catalogues = { en, 'zh-Hant': zhHant } satisfies Record<string, Catalogue>;
export type Language = keyof typeof catalogues;
/** Each language by its own name, as a choice shows it. */
export const languages: Record<Language, string> = { en: 'English', 'zh-Hant': '繁體中文' };

const KEPT_UNDER = 'croupier.language';
let spoken = $state<Language>('en');

/** The words of the language that is spoken. */
export function say(): Catalogue {
  return catalogues[spoken];
}

export function language(): Language {
  return spoken;
}

/** Speaks another language from now on, and remembers it on this machine. */
export function speak(chosen: Language): void {
  spoken = chosen;
  document.documentElement.lang = chosen;
  try {
    localStorage.setItem(KEPT_UNDER, chosen);
  } catch {
    // A browser that keeps nothing still speaks the language for this visit.
  }
}

/** The remembered language, else the first of the browser's that the house speaks, else English. */
export function speakAsBefore(): void {
  let kept: string | null = null;
  try {
    kept = localStorage.getItem(KEPT_UNDER);
  } catch {
    kept = null;
  }
  const wanted = [...(kept === null ? [] : [kept]), ...navigator.languages];
  speak(wanted.map(nearest).find((found) => found !== null) ?? 'en');
}

function nearest(tag: string): Language | null {
  if (tag.toLowerCase().startsWith('zh')) return 'zh-Hant';
  if (tag.toLowerCase().startsWith('en')) return 'en';
  return null;
}

/** Money on the cloth: cents only where there are some. */
export function money(amount: number): string {
  return written(amount, say().separators);
}

/** Money in a statement: always two decimals. */
export function statement(amount: number): string {
  return written(amount, say().separators, 'always');
}

/** The name of a bet. */
export function betName(on: AnyBet): string {
  const [name = '', more] = on.split(':');
  const words = say().bets;
  if (name === 'egalite') return say().bet_of.egalite(more ?? '');
  if (name.startsWith('insurance')) {
    return say().bet_of.insurance(more === 'player' ? words.player : words.banker);
  }
  return Object.hasOwn(words, name) ? words[name as keyof typeof words] : on;
}

/** Why the house said no, in words, with what it would accept. */
export function whyRefused(refusal: Rejection): string {
  const words = say().refused;
  const known = Object.hasOwn(words, refusal.code) ? refusal.code : 'OTHER';
  const word = words[known as keyof typeof words];
  const least = money(refusal.min ?? refusal.step ?? 0);
  return word(least, money(refusal.max ?? 0));
}

/** One pay as printed: `8:1`, `0.95:1`. */
export function onePay(pays: string): string {
  return say().zone.pays(...paid(pays, say().separators.decimal));
}

/** On what a pay depends, in words; the house's own name where there are none. */
export function payCase(when: string): string {
  const words = say().zone.when;
  return Object.hasOwn(words, when) ? words[when as keyof typeof words] : when;
}

/** The pays of a zone as one printed line; many of them as a range; and what the house keeps of a win. */
export function printedPays(lines: PrintedPay[], commission = 0): string {
  const words = say().zone;
  const first = lines.at(0);
  const last = lines.at(-1);
  if (first === undefined || last === undefined) return '';
  if (lines.length > 2) return words.range(onePay(last.pays), onePay(first.pays));
  const printed = lines
    .map(({ pays, when }) => (when === null ? onePay(pays) : `${onePay(pays)} ${payCase(when)}`))
    .join(' · ');
  return commission > 0 ? words.less(printed, commission) : printed;
}

/** A moment of the house's clock as the hour on this machine's wall. */
export function clockTime(at: number, seconds = true): string {
  const tag = spoken === 'zh-Hant' ? 'zh-Hant-HK' : 'en-GB';
  return new Date(at).toLocaleTimeString(tag, {
    hour: '2-digit',
    minute: '2-digit',
    ...(seconds ? { second: '2-digit' } : {}),
    hour12: false,
  });
}

/** A span of time as hours and minutes. */
export function span(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  return `${Math.floor(minutes / 60)}:${`${minutes % 60}`.padStart(2, '0')}`;
}
