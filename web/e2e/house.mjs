// A house of its own for each test file, a browser to visit it, and what visitors do again and again.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

const BINARY = resolve(import.meta.dirname, '..', process.env.CROUPIER_BIN ?? '../target/debug/croupier');
const OPENS_WITHIN_MS = 30_000;
export const WAIT = { timeout: 40_000 };

const limits = `
[tables.limits]
main = { min = "20.00", max = "5000.00" }
tie = { min = "5.00", max = "500.00" }
side = { min = "5.00", max = "500.00" }
zone_max = "50000.00"
step = "5.00"
`;

/** Tables with short times: by name, so that a test opens only those that it visits. */
const TABLES = {
  lotus: `[[tables]]
number = 1
name = "Lotus"
rules = "macau"
options = { squeeze_s = 12 }
dealt_by = "robot"
practice = true
bet_s = 8
settle_s = 3
cut_s = 1
ask_road = true
pace_ms = 120
${limits}diff_limit = "25000.00"
`,
  jade: `[[tables]]
number = 2
name = "Jade"
rules = "no-commission"
dealt_by = "robot"
practice = true
bet_s = 8
settle_s = 3
cut_s = 1
ask_road = true
pace_ms = 120
${limits}`,
  salon: `[[tables]]
number = 4
name = "Salon"
rules = "chemin"
options = { squeeze_s = 6 }
dealt_by = "robot"
practice = true
bet_s = 8
settle_s = 3
cut_s = 1
ask_road = true
pace_ms = 120
${limits}`,
  endless: `[[tables]]
number = 3
name = "Endless"
rules = "macau"
options = { shuffle_mode = "continuous", holding = "off", reveal = "dealt_face_up" }
dealt_by = "robot"
practice = true
bet_s = 2
settle_s = 2
cut_s = 1
ask_road = true
pace_ms = 60
${limits}diff_limit = "25000.00"
`,
  lisboa: `[[tables]]
number = 5
name = "Lisboa"
rules = "macau"
options = { shuffle_mode = "hand" }
dealt_by = "dealer"
practice = true
bet_s = 60
settle_s = 3
cut_s = 1
ask_road = true
${limits}diff_limit = "25000.00"
`,
};

/** As fast as a practice table may be, so that the roads fill. */
function hurried(table) {
  return table
    .replaceAll(/^(bet_s|settle_s) = \d+$/gm, '$1 = 1')
    .replaceAll(/^pace_ms = \d+$/gm, 'pace_ms = 10');
}

/**
 * Opens a house on a free port. Its data folder is its own and goes with it, unless one is given
 * that was kept by another before.
 */
export async function openHouse({ tables = ['jade'], staff = [], hurry = false, keep = null } = {}) {
  const folder = keep ?? mkdtempSync(join(tmpdir(), 'croupier-e2e-'));
  const config = join(folder, 'croupier.toml');
  const texts = tables.map((name) => (hurry ? hurried(TABLES[name]) : TABLES[name]));
  writeFileSync(config, `data = "${join(folder, 'data')}"\n${texts.join('\n')}`);
  for (const { login, password, role } of staff) {
    const file = join(folder, 'password');
    writeFileSync(file, password);
    await run(['staff', 'add', login, '--role', role, '--password-file', file, '--config', config]);
  }
  const process_ = spawn(BINARY, ['serve', '--config', config, '--listen', '127.0.0.1:0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  process_.stderr.on('data', (text) => (log = `${log}${text}`.slice(-20_000)));
  const address = await new Promise((found, failed) => {
    let said = '';
    const timer = setTimeout(() => failed(new Error(`the house did not open\n${log}`)), OPENS_WITHIN_MS);
    process_.stdout.on('data', (text) => {
      said += text;
      const url = /http:\/\/[\d.]+:\d+/.exec(said)?.[0];
      if (url === undefined) return;
      clearTimeout(timer);
      found(url);
    });
    process_.once('exit', (code) => failed(new Error(`the house closed with ${code}\n${log}`)));
  });
  return {
    address,
    folder,
    log: () => log,
    close: ({ kept = false } = {}) =>
      new Promise((closed) => {
        process_.once('exit', () => {
          if (!kept) rmSync(folder, { recursive: true, force: true });
          closed();
        });
        process_.kill('SIGTERM');
      }),
  };
}

function run(words) {
  return new Promise((done, failed) => {
    const command = spawn(BINARY, words, { stdio: ['ignore', 'ignore', 'inherit'] });
    command.once('error', failed);
    command.once('exit', (code) => (code === 0 ? done() : failed(new Error(`${words[0]}: ${code}`))));
  });
}

export function openBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  });
}

/** A visitor with a browser profile of his own; what his page complains about fails the test. */
export async function visitor(browser, house, options = {}) {
  const context = await browser.newContext({
    baseURL: house.address,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT.timeout);
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return { page, context, complaints };
}

/** From the lobby to a table in one click. */
export async function playAt(page, name) {
  await page.goto('/');
  await page.getByRole('article', { name }).getByRole('button').click();
  await page.waitForURL(/\/table\/\d+/);
  await page.locator('[data-phase]').waitFor();
}

/** Waits for a window that has at least so many seconds left. */
export async function betting(page, seconds = 4) {
  await page.waitForFunction((least) => {
    const phase = document.querySelector('[data-phase]')?.getAttribute('data-phase');
    const left = Number(document.querySelector('.seconds')?.textContent ?? 0);
    const zone = document.querySelector('[data-bet="player"]');
    return phase === 'betting' && left >= least && !zone?.hasAttribute('disabled');
  }, seconds, WAIT);
}

export function zone(page, bet) {
  return page.locator(`[data-bet="${bet}"]`);
}

export async function phase(page, ...phases) {
  await page.waitForFunction(
    (wanted) => wanted.includes(document.querySelector('[data-phase]')?.getAttribute('data-phase')),
    phases,
    WAIT,
  );
}

export async function chooseChip(page, name) {
  await page.getByRole('radio', { name, exact: true }).click();
}

/** The balance as the page shows it, in smallest units. */
export async function balance(page) {
  return Number(await page.locator('[data-balance]').getAttribute('data-balance'));
}

export async function api(page, path) {
  return page.evaluate(async (where) => (await fetch(where)).json(), path);
}
