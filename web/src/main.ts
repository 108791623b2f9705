// Opens the door: tokens, language, the line to the house, the page.
import './tokens.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { House, houseAddress } from './house.svelte';
import { speakAsBefore } from './i18n/index.svelte';

speakAsBefore();
const house = new House(houseAddress());
house.start();
const target = document.getElementById('app');
if (target !== null) mount(App, { target, props: { house } });
