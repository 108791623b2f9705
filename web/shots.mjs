// Photographs the gallery at desk and phone size, and reports what axe finds. `node shots.mjs [folder] [only]`
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';
import { createServer } from 'vite';

const folder = process.argv[2] ?? 'shots';
const only = process.argv[3] ?? '';
const SCENES = ['betting', 'squeeze', 'result', 'extras', 'full', 'parts'];
const SIZES = [
  ['desk', { width: 1440, height: 900 }],
  ['phone', { width: 390, height: 844 }],
];
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

mkdirSync(folder, { recursive: true });
const server = await createServer({ server: { port: 0, host: '127.0.0.1', hmr: false } });
await server.listen();
const address = `http://127.0.0.1:${server.httpServer.address().port}`;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
});
let faults = 0;
for (const [size, viewport] of SIZES) {
  for (const scene of SCENES) {
    const shown = scene === 'full' ? 'betting' : scene;
    for (const language of ['en', 'zh-Hant']) {
      const name = `${scene}-${size}${language === 'en' ? '' : '-zh'}`;
      if (!name.includes(only) || (scene === 'extras' && language !== 'en')) continue;
      const page = await browser.newPage({ viewport, reducedMotion: 'reduce' });
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) console.log(name, message.text());
      });
      page.on('pageerror', (error) => console.log(name, error.message));
      await page.goto(`${address}/gallery.html?show=${shown}&language=${language}`);
      await page.evaluate(() => document.fonts.ready);
      await page.waitForLoadState('networkidle');
      if (scene === 'full') {
        await page.getByRole('button', { name: language === 'en' ? 'Full window' : '全螢幕路單' }).click();
        await page.locator('dialog').getByRole('button').nth(1).click();
      }
      if (scene === 'parts') {
        const ask = page.getByRole('button', { name: language === 'en' ? 'Ask Banker' : '莊問路' });
        await ask.first().click();
        await page.mouse.move(0, 0);
      }
      await page.screenshot({ path: `${folder}/${name}.png`, fullPage: scene === 'parts' || (size === 'phone' && scene !== 'full') });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 0) console.log(`${name}: ${wide} px too wide`);
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() =>
        window.axe.run({ rules: { 'page-has-heading-one': { enabled: false }, region: { enabled: false }, 'landmark-unique': { enabled: false }, 'landmark-one-main': { enabled: false } } }),
      );
      for (const { id, nodes } of violations) {
        faults += 1;
        console.log(`${name}: ${id}`, nodes.slice(0, 3).map(({ target, any }) => `${target} ${any[0]?.message ?? ''}`));
      }
      await page.close();
    }
  }
}
await browser.close();
await server.close();
console.log(`axe: ${faults} findings`);
