// A coup that a person deals: from the closed table to the pay, on the dealer's page and on a player's.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { WAIT, balance, betting, chooseChip, openBrowser, openHouse, playAt, visitor, zone } from './house.mjs';

const ana = { login: 'ana', password: 'nine of hearts', role: 'dealer' };
const lam = { login: 'lam', password: 'ten of clubs, dry', role: 'pit_boss' };
let house;
let browser;
before(async () => {
  house = await openHouse({ tables: ['lisboa', 'jade'], staff: [ana, lam] });
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await house?.close();
});

async function signIn({ page }, { login, password }) {
  await page.goto('/dealer');
  await page.getByLabel('Login').fill(login);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Enter' }).click();
  await page.getByRole('link', { name: /Lisboa/ }).click();
  await page.locator('[data-phase]').waitFor();
}
const next = (page) => page.locator('[data-next]');
/** Waits until this is the next thing, and presses the one large button. */
async function press(page, words) {
  await next(page).getByText(words).waitFor(WAIT);
  await page.locator('.great:enabled').click();
}
async function scan(page, card) {
  await page.keyboard.type(card);
  await page.keyboard.press('Enter');
}

test('a wrong password is told in the words of any wrong credential', async () => {
  const { page } = await visitor(browser, house);
  await page.goto('/dealer');
  await page.getByLabel('Login').fill('nobody');
  await page.getByLabel('Password').fill('something else');
  await page.getByRole('button', { name: 'Enter' }).click();
  await page.getByText('Login or password is wrong').waitFor();
  await page.context().close();
});

test('a coup dealt by hand, seen and bet by a player', async () => {
  const dealer = await visitor(browser, house);
  const player = await visitor(browser, house);
  const { page } = dealer;
  await signIn(dealer, ana);
  await press(page, 'The table is closed');
  await press(page, 'The shoe is over');
  for (const step of ['Inspect the cards', 'Wash the cards', 'Shuffle', 'Cut the cards', 'Place the white card', 'Load the shoe']) {
    await press(page, step);
  }
  for (let left = 8; left >= 1; left -= 1) await press(page, left === 1 ? 'Burn 1 card' : `Burn ${left} cards`);

  await playAt(player.page, 'Lisboa');
  await press(page, 'Ready for the next round');
  await betting(player.page, 5);
  await chooseChip(player.page, '100 chip');
  await zone(player.page, 'player').click();
  await player.page.getByRole('button', { name: 'Confirm 100' }).click();
  await page.locator('dl').getByText('1 bettor').waitFor(WAIT);
  assert.ok(!(await page.locator('body').innerText()).includes('Guest'), 'no names on the dealer page');
  await press(page, 'Bets are open');

  await next(page).getByText('Player, card 1').waitFor(WAIT);
  await scan(page, '9h');
  await next(page).getByText('Banker, card 1').waitFor(WAIT);
  await page.getByRole('button', { name: '2', exact: true }).click();
  await page.getByRole('button', { name: 'two of diamonds' }).click();
  await next(page).getByText('Player, card 2').waitFor(WAIT);
  await scan(page, '1x');
  await page.getByText('The scanner read no card').waitFor();
  await scan(page, 'QC');
  await page.getByRole('button', { name: 'Take the last card back' }).click();
  await next(page).getByText('Player, card 2').waitFor(WAIT);
  await scan(page, 'KC');
  await next(page).getByText('Banker, card 2').waitFor(WAIT);
  assert.equal(await player.page.locator('.hand .face').count(), 0);
  await scan(page, '5S');
  await next(page).getByText('Open Player').waitFor(WAIT);
  await player.page.getByRole('button', { name: 'Open Player' }).click();
  await press(page, 'Open Banker');
  await press(page, 'Player wins, 9 to 7, a natural');

  await player.page.locator('[data-outcome]').waitFor(WAIT);
  assert.match(await player.page.locator('[data-phase]').innerText(), /Player wins, 9 to 7, a natural/);
  await player.page.waitForFunction(() => document.querySelector('[data-balance="1010000"]'), null, WAIT);
  assert.equal(await balance(player.page), 1_010_000);
  assert.deepEqual([...dealer.complaints, ...player.complaints], []);

  await press(page, 'Player wins, 9 to 7, a natural');
  await betting(player.page, 5);
  await player.page.getByRole('button', { name: 'Repeat' }).click();
  await player.page.waitForFunction(() => document.querySelector('[data-balance="1000000"]'), null, WAIT);
  const boss = await visitor(browser, house);
  await signIn(boss, lam);
  await boss.page.getByRole('button', { name: 'Void this round' }).click();
  await boss.page.getByLabel(/Why is round/).fill('a card left the table');
  await boss.page.getByRole('button', { name: 'Void it, all stakes go back' }).click();
  await player.page.locator('.notice').getByText('a card left the table').waitFor(WAIT);
  await player.page.waitForFunction(() => document.querySelector('[data-balance="1010000"]'), null, WAIT);
  assert.deepEqual(boss.complaints, []);
  await dealer.context.close();
  await player.context.close();
  await boss.context.close();
});

test('a card that the shoe cannot hold, and one that is not due, are refused with the reason', async () => {
  const dealer = await visitor(browser, house);
  const { page } = dealer;
  await signIn(dealer, ana);
  await press(page, /Ready for the next round|The round is void/);
  await next(page).getByText('Bets are open').waitFor(WAIT);
  await scan(page, '9H');
  await page.getByRole('alert').getByText(/9H/).waitFor();
  await press(page, 'Bets are open');
  await next(page).getByText('Player, card 1').waitFor(WAIT);
  await dealer.context.close();
});
