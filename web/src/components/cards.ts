// Where a card's picture lies, and its name. On the wire a card is rank and suit: `9H`, `TD`.
import { say } from '../i18n/index.svelte';
import type { Card } from '../wire/generated';

export const RANKS = ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K'] as const;
export const SUITS = ['S', 'H', 'C', 'D'] as const;

/** The address of its picture; clubs and diamonds have another one in the four-colour pack. */
export function picture(card: Card, fourColour: boolean): string {
  const suit = card.slice(1).toLowerCase();
  const own = fourColour && (suit === 'c' || suit === 'd');
  return `/cards/${own ? 'four/' : ''}${card.slice(0, 1)}${suit}.svg`;
}

/** Its name in the language that is spoken. */
export function cardName(card: Card): string {
  return say().cards.name(card.slice(0, 1), card.slice(1).toLowerCase());
}
