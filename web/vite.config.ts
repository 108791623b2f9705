// How the pages are built, served while developing, and tested.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [svelte(), svelteTesting()],
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: { '/api': 'http://127.0.0.1:8080', '/ws': { target: 'ws://127.0.0.1:8080', ws: true } },
  },
  build: { target: 'es2022', assetsInlineLimit: 0, sourcemap: false },
  test: { environment: 'happy-dom', include: ['tests/**/*.test.ts'] },
});
