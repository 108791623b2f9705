// Which language is spoken now, its words, and money written in it.
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

/** Why the house said no, in words, with what it would accept. */
export function whyRefused(refusal: {
  code: string;
  min?: number;
  max?: number;
  step?: number;
}): string {
  const words = say().refused;
  const known = Object.hasOwn(words, refusal.code) ? refusal.code : 'OTHER';
  const word = words[known as keyof typeof words];
  const least = money(refusal.min ?? refusal.step ?? 0);
  return word(least, money(refusal.max ?? 0));
}

/** The pays of a zone as one printed line; many of them as a range. */
export function printedPays(lines: { pays: string; when: string | null }[]): string {
  const words = say().zone;
  const one = (pays: string): string => words.pays(...paid(pays, say().separators.decimal));
  const first = lines.at(0);
  const last = lines.at(-1);
  if (first === undefined || last === undefined) return '';
  if (lines.length > 2) return words.range(one(last.pays), one(first.pays));
  return lines
    .map(({ pays, when }) => {
      const known = when !== null && Object.hasOwn(words.when, when);
      return known ? `${one(pays)} ${words.when[when as keyof typeof words.when]}` : one(pays);
    })
    .join(' · ');
}
