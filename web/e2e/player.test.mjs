// A player against a real house: money against the cards, refusals, two at one table, a reload, a squeeze, a proof.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { WAIT, api, balance, betting, chooseChip, openBrowser, openHouse, phase, playAt, visitor, zone } from './house.mjs';

let house;
let browser;
before(async () => {
  house = await openHouse({ tables: ['lotus', 'jade', 'endless'] });
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await house?.close();
});

const value = (card) => ('TJQK'.includes(card[0]) ? 0 : card[0] === 'A' ? 1 : Number(card[0]));
const total = (cards) => cards.reduce((sum, card) => sum + value(card), 0) % 10;

/** What the printed pays of the no-commission layout give back, worked out from the cards alone. */
function due({ player, banker }, on, stake) {
  const [p, b] = [total(player), total(banker)];
  if (on === 'tie') return p === b ? stake + (stake * 93) / 10 : 0;
  if (on === 'lucky-six') return b === 6 && p < 6 ? stake + stake * (banker.length === 2 ? 15 : 22) : 0;
  if (p === b) return stake;
  if (on === 'player') return p > b ? 2 * stake : 0;
  if (b < p) return 0;
  return b === 6 ? stake + stake / 2 : 2 * stake;
}

test('a guest bets and is paid what the cards say', async () => {
  const { page, complaints } = await visitor(browser, house);
  await playAt(page, 'Jade');
  await betting(page);
  const had = await balance(page);
  assert.equal(had, 1_000_000);
  await chooseChip(page, '100 chip');
  await zone(page, 'banker').click();
  await zone(page, 'banker').click();
  await chooseChip(page, '25 chip');
  await zone(page, 'tie').click();
  await zone(page, 'lucky-six').click();
  const bets = [['banker', 20_000], ['tie', 2_500], ['lucky-six', 2_500]];
  const staked = 25_000;
  await page.waitForFunction((left) => document.querySelector(`[data-balance="${left}"]`), had - staked, WAIT);
  assert.match(await zone(page, 'banker').innerText(), /200/);
  const round = await page.locator('[data-round]').getAttribute('data-round');
  await page.locator('[data-outcome]').waitFor(WAIT);
  assert.equal(await page.locator('[data-round]').getAttribute('data-round'), round);
  const { rounds } = await api(page, '/api/me/rounds');
  const mine = rounds.find((one) => `${one.round}` === round);
  const returned = bets.reduce((sum, [on, stake]) => sum + due(mine, on, stake), 0);
  assert.equal(mine.staked, staked);
  assert.equal(mine.returned, returned);
  await page.waitForFunction((now) => document.querySelector(`[data-balance="${now}"]`), had - staked + returned, WAIT);
  const [p, b] = [total(mine.player), total(mine.banker)];
  const said = p === b ? `Tie, ${p} each` : p > b ? `Player wins, ${p} to ${b}` : `Banker wins, ${b} to ${p}`;
  assert.ok((await page.locator('[data-phase]').innerText()).startsWith(said));
  const net = await page.locator('[data-net]').getAttribute('data-net');
  assert.equal(Number(net), returned - staked);
  const gain = await page.locator('[data-outcome]').evaluate((line) => line.classList.contains('gain'));
  assert.equal(gain, returned > staked);
  await page.goto('/rounds');
  await page.getByText('Replay of your last rounds').waitFor();
  await page.getByRole('article').first().waitFor();
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('a refused bet says why, and what would be accepted', async () => {
  const { page, complaints } = await visitor(browser, house);
  await playAt(page, 'Lotus');
  await betting(page);
  await chooseChip(page, '25 chip');
  await zone(page, 'banker').click();
  await page.getByRole('button', { name: 'Confirm 25' }).click();
  await zone(page, 'banker').getByRole('alert').waitFor();
  assert.equal(await zone(page, 'banker').getByRole('alert').innerText(), 'Banker is bet in multiples of 20');
  assert.equal(await balance(page), 1_000_000);
  await playAt(page, 'Jade');
  await betting(page);
  await chooseChip(page, '100 chip');
  await zone(page, 'player').click();
  await page.waitForFunction(() => document.querySelector('[data-balance="990000"]'), null, WAIT);
  await zone(page, 'banker').click();
  assert.equal(
    await zone(page, 'banker').getByRole('alert').innerText(),
    'Banker and Player cannot be bet together here',
  );
  await page.getByRole('button', { name: 'Cancel all' }).click();
  await page.waitForFunction(() => document.querySelector('[data-balance="1000000"]'), null, WAIT);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('two at one table see what both have on it, and what both say', async () => {
  const [one, other] = [await visitor(browser, house), await visitor(browser, house)];
  await playAt(one.page, 'Jade');
  await playAt(other.page, 'Jade');
  await betting(one.page, 6);
  await chooseChip(one.page, '100 chip');
  await chooseChip(other.page, '25 chip');
  await zone(one.page, 'player').click();
  await zone(other.page, 'player').click();
  for (const { page } of [one, other]) {
    await page.waitForFunction(() => {
      const text = document.querySelector('[data-bet="player"]')?.textContent ?? '';
      return text.includes('on the table 125') && text.includes('2 bettors');
    }, null, WAIT);
  }
  await one.page.getByRole('button', { name: 'Chat' }).click();
  await one.page.getByRole('textbox', { name: 'Say something' }).fill('Good luck, all');
  await one.page.getByRole('button', { name: 'Say', exact: true }).click();
  await other.page.getByRole('button', { name: 'Chat' }).click();
  for (const { page } of [one, other]) await page.getByRole('log').getByText('Good luck, all').waitFor();
  assert.deepEqual([...one.complaints, ...other.complaints], []);
  await one.context.close();
  await other.context.close();
});

test('a reload in mid-round keeps the bets', async () => {
  const { page, complaints } = await visitor(browser, house);
  await playAt(page, 'Jade');
  await betting(page, 5);
  await chooseChip(page, '100 chip');
  await zone(page, 'player').click();
  await page.waitForFunction(() => document.querySelector('[data-balance="990000"]'), null, WAIT);
  const round = await page.locator('[data-round]').getAttribute('data-round');
  await page.reload();
  await zone(page, 'player').getByText('your stake 100').waitFor(WAIT);
  assert.equal(await page.locator('[data-round]').getAttribute('data-round'), round);
  assert.equal(await balance(page), 990_000);
  await page.locator('[data-outcome]').waitFor(WAIT);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('the holder squeezes his cards before anybody else sees them', async () => {
  const { page, complaints } = await visitor(browser, house);
  const watcher = await visitor(browser, house);
  await playAt(page, 'Lotus');
  await page.getByRole('button', { name: /You/ }).waitFor();
  await watcher.page.goto('/table/1');
  await betting(page);
  await chooseChip(page, '100 chip');
  await zone(page, 'player').click();
  await page.getByRole('button', { name: 'Confirm 100' }).click();
  await page.getByRole('slider').first().waitFor(WAIT);
  const seen = (where) => where.locator('.player .face').count();
  assert.equal(await watcher.page.getByRole('slider').count(), 0);
  assert.equal(await seen(watcher.page), 0);
  await page.getByRole('button', { name: 'Open Player' }).click();
  await watcher.page.locator('.player .face').first().waitFor(WAIT);
  await page.locator('[data-outcome]').waitFor(WAIT);
  assert.deepEqual([...complaints, ...watcher.complaints], []);
  await page.context().close();
  await watcher.context.close();
});

test('a finished shoe is proven in the browser, against the commitment that it saw', async () => {
  const { page, complaints } = await visitor(browser, house);
  await playAt(page, 'Endless');
  await phase(page, 'settled');
  const shoe = await page.locator('a.proof').getAttribute('href');
  const number = Number(shoe.split('-')[1]);
  await page.waitForFunction(
    (before) => Number(document.querySelector('a.proof')?.getAttribute('href')?.split('-')[1]) > before,
    number,
    WAIT,
  );
  await page.goto(shoe);
  await page.getByRole('button', { name: 'Check this shoe' }).click();
  await page.locator('.checks li').first().waitFor();
  const checks = await page.locator('.checks li').allInnerTexts();
  const verdict = await page.locator('.verdict').innerText();
  assert.equal(verdict, 'Proven: every card lay where the commitment says.', checks.join());
  assert.ok(checks.some((text) => text.includes('the one that was seen before')), checks.join());
  assert.ok(checks.every((text) => text.startsWith('holds')), checks.join());
  await page.getByRole('textbox').fill('ab'.repeat(32));
  await page.getByRole('button', { name: 'Check this shoe' }).click();
  await page.getByText('Not proven.').waitFor(WAIT);
  assert.deepEqual(complaints, []);
  await page.context().close();
});
