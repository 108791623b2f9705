// The pictures of the README, from a real house in a real browser: `node screenshots.mjs [folder]`.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { WAIT, betting, chooseChip, openBrowser, openHouse, playAt, visitor, zone } from './e2e/house.mjs';

const folder = resolve(process.argv[2] ?? '../docs/screenshots');
mkdirSync(folder, { recursive: true });

const ana = { login: 'ana', password: 'nine of hearts', role: 'dealer' };
const TABLES = ['lotus', 'jade', 'salon', 'lisboa'];
const FILL_MS = 75_000;
const browser = await openBrowser();
const house = await lived();
const desk = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** A house in which some coups were dealt already, so that the roads tell something. */
async function lived() {
  const early = await openHouse({ tables: TABLES, staff: [ana], hurry: true });
  const guests = [];
  for (const name of ['Lotus', 'Jade', 'Salon']) {
    const guest = await visitor(browser, early);
    await playAt(guest.page, name);
    guests.push(guest.context);
  }
  await new Promise((filled) => setTimeout(filled, FILL_MS));
  for (const guest of guests) await guest.close();
  await early.close({ kept: true });
  return openHouse({ tables: TABLES, keep: early.folder });
}

async function picture(page, name) {
  await page.evaluate(() => document.fonts.ready);
  const path = `${folder}/${name}.png`;
  await page.screenshot({ path });
  // The weave of the cloth makes large files; where pngquant is installed they become small.
  spawnSync('pngquant', ['--force', '--skip-if-larger', '--output', path, '128', path]);
  console.log(`${name}.png`);
}

/** A guest with a bet on the cloth, from the betting window to the result. */
async function coup(options, name, { squeeze = false } = {}) {
  const { page, context } = await visitor(browser, house, options);
  await playAt(page, 'Lotus');
  await betting(page, 5);
  await chooseChip(page, options.locale === 'zh-TW' ? '籌碼 100' : '100 chip');
  await zone(page, 'banker').click();
  await zone(page, 'banker').click();
  await zone(page, 'tie').click();
  await page.locator('.confirm').click();
  await page.waitForFunction(() => document.querySelector('[data-balance="970000"]'), null, WAIT);
  await picture(page, `table-${name}`);
  const slider = page.getByRole('slider').first();
  await slider.waitFor(WAIT);
  const box = await slider.boundingBox();
  if (squeeze && box !== null) {
    await page.mouse.move(box.x + box.width * 0.9, box.y + box.height * 0.92);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.12, box.y + box.height * 0.3, { steps: 8 });
    await page.waitForLoadState('networkidle');
    await picture(page, `squeeze-${name}`);
    await page.mouse.up();
  }
  await page.locator('.hand .open').first().click();
  await page.locator('[data-outcome]').waitFor(WAIT);
  await picture(page, `result-${name}`);
  await context.close();
}

async function still(options, path, name) {
  const { page, context } = await visitor(browser, house, options);
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  await picture(page, name);
  await context.close();
}

async function dealing() {
  const { page, context } = await visitor(browser, house, desk);
  await page.goto('/dealer');
  await page.getByLabel('Login').fill(ana.login);
  await page.getByLabel('Password').fill(ana.password);
  await page.getByRole('button', { name: 'Enter' }).click();
  await page.getByRole('link', { name: /Lisboa/ }).click();
  const said = page.locator('[data-next]');
  const press = async (words) => {
    await said.getByText(words).waitFor(WAIT);
    await page.locator('.great:enabled').click();
  };
  for (const words of ['is closed', 'is over', 'Inspect', 'Wash', 'Shuffle', 'Cut', 'white card', 'Load']) await press(words);
  for (let left = 8; left >= 1; left -= 1) await press(`Burn ${left} card`);
  await press('Ready');
  const guest = await visitor(browser, house, desk);
  await playAt(guest.page, 'Lisboa');
  await betting(guest.page, 5);
  await zone(guest.page, 'player').click();
  await zone(guest.page, 'tie').click();
  await guest.page.locator('.confirm').click();
  await page.locator('dl').getByText('1 bettor').first().waitFor(WAIT);
  await press('Bets are open');
  for (const card of ['9H', '2D', 'KC']) {
    await said.getByText(/card \d/).waitFor(WAIT);
    const before = await said.innerText();
    await page.keyboard.type(card);
    await page.keyboard.press('Enter');
    await page.waitForFunction((text) => document.querySelector('[data-next]')?.textContent !== text, before, WAIT);
  }
  await picture(page, 'dealer');
  await guest.context.close();
  await context.close();
}

await dealing();
await coup(desk, 'desk', { squeeze: true });
await coup(phone, 'phone');
await coup({ ...desk, locale: 'zh-TW' }, 'zh-Hant');
await still(desk, '/', 'lobby-desk');
await still(phone, '/', 'lobby-phone');
await still(desk, '/rules/2', 'rules-desk');
await browser.close();
await house.close();
