// What the dealer calls: always as text for those who listen to the page, and aloud for who wants it.
import { language } from './i18n/index.svelte';

const KEPT_UNDER = 'croupier.voice';
const TONE_HZ = 660;
const TONE_S = 0.18;

let aloud = $state(kept());
let said = $state('');

function kept(): boolean {
  try {
    return localStorage.getItem(KEPT_UNDER) === 'on';
  } catch {
    return false;
  }
}

/** The last call, for the page's live region. */
export function lastCall(): string {
  return said;
}

export function isAloud(): boolean {
  return aloud;
}

export function speakAloud(on: boolean): void {
  aloud = on;
  if (!on) globalThis.speechSynthesis?.cancel();
  try {
    localStorage.setItem(KEPT_UNDER, on ? 'on' : 'off');
  } catch {
    // Not remembered then.
  }
}

/** Calls something out: in the live region, and by voice where that is wanted. */
export function call(text: string): void {
  if (text === '') return;
  said = text;
  const voice = globalThis.speechSynthesis;
  if (!aloud || voice === undefined || typeof SpeechSynthesisUtterance === 'undefined') return;
  const words = new SpeechSynthesisUtterance(text);
  words.lang = language() === 'zh-Hant' ? 'zh-HK' : 'en-GB';
  voice.cancel();
  voice.speak(words);
}

/** The short tone at the close of the bets. */
export function tone(): void {
  if (!aloud || typeof AudioContext === 'undefined') return;
  const sound = new AudioContext();
  const string = sound.createOscillator();
  const loud = sound.createGain();
  string.frequency.value = TONE_HZ;
  loud.gain.setValueAtTime(0.12, sound.currentTime);
  loud.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + TONE_S);
  string.connect(loud).connect(sound.destination);
  string.start();
  string.stop(sound.currentTime + TONE_S);
  string.onended = () => void sound.close();
}
