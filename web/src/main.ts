// Opens the door: tokens, language, the line to the house, the page.
import './tokens.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { House, houseAddress } from './house.svelte';
import { speakAsBefore } from './i18n/index.svelte';
import { Session } from './session.svelte';

speakAsBefore();
const house = new House(houseAddress('/ws'));
// Who deals has a line of his own (pages/dealer); the player's is not dialled there.
if (!location.pathname.startsWith('/dealer')) house.start();
const target = document.getElementById('app');
if (target !== null) mount(App, { target, props: { house, session: new Session() } });
