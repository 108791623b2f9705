// For everybody: on a phone by touch, in Chinese, and without a serious finding of axe.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { WAIT, betting, openBrowser, openHouse, phase, playAt, visitor, zone } from './house.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TOUCH = 44;
let house;
let browser;
before(async () => {
  house = await openHouse({ tables: ['lotus', 'jade', 'lisboa'], staff: [{ login: 'ana', password: 'nine of hearts', role: 'dealer' }] });
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await house?.close();
});

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Everything that can be touched and is smaller than a finger. */
function tooSmall(page) {
  return page.evaluate((least) => {
    const targets = document.querySelectorAll('button, a, input, select, [role="slider"]');
    return [...targets]
      .filter((target) => target.checkVisibility() && target.getBoundingClientRect().width > 0)
      .map((target) => ({ target, box: target.getBoundingClientRect() }))
      .filter(({ box }) => box.width < least - 0.5 || box.height < least - 0.5)
      .map(({ target, box }) => `${target.tagName} ${target.textContent?.trim().slice(0, 30)} ${box.width}x${box.height}`);
  }, TOUCH);
}
const sideways = (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

test('on a phone one bets by touch, nothing scrolls sideways, every target fits a finger', async () => {
  const { page, complaints } = await visitor(browser, house, phone);
  await page.goto('/');
  await page.getByRole('article').first().waitFor();
  assert.deepEqual(await tooSmall(page), []);
  assert.equal(await sideways(page), 0);
  await page.getByRole('article', { name: 'Lotus' }).getByRole('button').tap();
  await betting(page, 5);
  assert.deepEqual(await tooSmall(page), []);
  assert.equal(await sideways(page), 0);
  await zone(page, 'player').tap();
  await page.getByRole('button', { name: /^Confirm/ }).tap();
  await page.waitForFunction(() => document.querySelector('[data-balance="990000"]'), null, WAIT);
  await phase(page, 'settled');
  assert.deepEqual(await tooSmall(page), []);
  assert.equal(await sideways(page), 0);
  for (const path of ['/rules/1', '/rules/2', '/rounds']) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    assert.equal(await sideways(page), 0, path);
  }
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('in Chinese no English is left, from the lobby to the result', async () => {
  const { page, complaints } = await visitor(browser, house, { locale: 'zh-TW' });
  const foreign = async () => {
    const text = await page.evaluate(() => document.body.innerText);
    return text
      // A commitment is a number, shortened in its middle.
      .replaceAll(/[0-9a-f]+…[0-9a-f]+/g, '')
      .replaceAll(/English|Lotus|Jade|Lisboa|Guest \d+|SHA-256/gi, '')
      .match(/[A-Za-z]{2,}[^\n]*/g) ?? [];
  };
  await page.goto('/');
  await page.getByRole('article').first().waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'zh-Hant');
  assert.deepEqual(await foreign(), []);
  await playAt(page, 'Jade');
  await betting(page);
  await zone(page, 'player').click();
  await page.locator('[data-outcome]').waitFor(WAIT);
  assert.match(await page.locator('[data-phase]').innerText(), /贏|和局/);
  assert.deepEqual(await foreign(), []);
  await page.goto('/rules/1');
  await page.getByRole('heading', { name: '補牌' }).waitFor();
  await page.goto('/dealer');
  await page.getByRole('heading', { name: '荷官登入' }).waitFor();
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('axe finds nothing serious on any page', async () => {
  const { page } = await visitor(browser, house);
  const dealer = await visitor(browser, house);
  const found = [];
  const look = async (where, name) => {
    await where.evaluate(axe);
    const { violations } = await where.evaluate(() => window.axe.run());
    for (const { id, impact, nodes } of violations) {
      if (['serious', 'critical'].includes(impact)) found.push(`${name}: ${id} ${nodes[0]?.target}`);
    }
  };
  await page.goto('/');
  await page.getByRole('article').first().waitFor();
  await look(page, 'lobby');
  await playAt(page, 'Lotus');
  await betting(page);
  await zone(page, 'player').click();
  await page.getByRole('button', { name: /^Confirm 100/ }).click();
  await look(page, 'betting');
  await phase(page, 'settled');
  await look(page, 'result');
  for (const path of ['/rules/2', '/rounds', '/shoe/1-1', '/nowhere']) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await look(page, path);
  }
  await dealer.page.goto('/dealer');
  await dealer.page.getByRole('button', { name: 'Enter' }).waitFor();
  await look(dealer.page, 'login');
  await dealer.page.getByLabel('Login').fill('ana');
  await dealer.page.getByLabel('Password').fill('nine of hearts');
  await dealer.page.getByRole('button', { name: 'Enter' }).click();
  await dealer.page.getByRole('link', { name: /Lisboa/ }).waitFor();
  await look(dealer.page, 'dealer tables');
  await dealer.page.getByRole('link', { name: /Lisboa/ }).click();
  await dealer.page.locator('[data-next]').waitFor();
  await look(dealer.page, 'console');
  assert.deepEqual(found, []);
  await page.context().close();
  await dealer.context.close();
});
