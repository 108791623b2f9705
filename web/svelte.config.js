// Svelte in runes mode everywhere; warnings (accessibility among them) fail the check.
import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

export default { preprocess: vitePreprocess(), compilerOptions: { runes: true } };
