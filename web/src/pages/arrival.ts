// How somebody arrives: as a guest with play chips after one click, and with the wish for a seat.
import { becomeGuest } from '../api';
import type { House } from '../house.svelte';
import { go } from '../routes.svelte';
import type { Rejection } from '../wire/generated';

let seatWanted: number | null = null;

/** Sees to it that the visitor is a player; the refusal if the house would not. */
export async function arrive(house: House): Promise<Rejection | null> {
  if (house.me?.role === 'player') return null;
  const answer = await becomeGuest();
  if (!answer.ok) return answer.refusal;
  house.reconnect();
  return null;
}

/** Goes to a table and takes the first free seat there. */
export async function playAt(house: House, table: number): Promise<Rejection | null> {
  const refusal = await arrive(house);
  if (refusal !== null) return refusal;
  seatWanted = table;
  go(`/table/${table}`);
  return null;
}

/** True once for the table at which a seat was wished for. */
export function wantsSeat(table: number): boolean {
  const wanted = seatWanted === table;
  if (wanted) seatWanted = null;
  return wanted;
}
