// A card reader that types: a line such as `9H` and Enter, wherever the keyboard is at the moment.
import type { Card } from '../../wire/generated';

/** A reader types a whole line at once; a pause longer than this begins a new one. */
const PAUSE_MS = 1_500;
const LETTERS_MAX = 8;

/** A card as readers write it: `9H`, `10h`, `td`. */
export function cardIn(line: string): Card | null {
  const plain = line.trim().toUpperCase().replace(/^10/, 'T');
  return /^[A2-9TJQK][CDHS]$/.test(plain) ? plain : null;
}

export class Scanner {
  #line = '';
  #at = 0;

  constructor(
    private readonly oncard: (card: Card) => void,
    private readonly onnonsense: (line: string) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Takes a key; true when it belongs to a line and should do nothing else. */
  key(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>, typing: boolean): boolean {
    const held = event.ctrlKey || event.metaKey || event.altKey;
    if (typing || held) return false;
    if (this.now() - this.#at > PAUSE_MS) this.#line = '';
    this.#at = this.now();
    if (event.key === 'Enter') return this.#enter();
    if (!/^[0-9a-zA-Z]$/.test(event.key)) return false;
    this.#line = (this.#line + event.key).slice(-LETTERS_MAX);
    return true;
  }

  #enter(): boolean {
    const line = this.#line;
    this.#line = '';
    if (line === '') return false;
    const card = cardIn(line);
    if (card === null) this.onnonsense(line);
    else this.oncard(card);
    return true;
  }
}
