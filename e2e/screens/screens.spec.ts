/**
 * Key pages as pictures, on data that is the same in every run: `npm run screens` makes those in docs/screens anew. Text looks different in
 * every browser and with every font, so that pages are compared only where both are those of the pictures; elsewhere they must render.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Browser, type BrowserContext, expect, test } from '@playwright/test';
import { type Broker, createBroker } from '../../testing/create-broker';
import { Processes } from '../../testing/worlds/processes';
import { type RealConsole, startRealConsole } from '../../testing/worlds/real-console';
import { GATEWAY } from '../dead-jobs';
import { ANN, type SignedIn, signIn } from '../user-pages';
import { DEAD_JOB, reportWorkers, seedScreens } from './seed-screens';

/** Of each start its own: a failed test starts the file anew. */
const PREFIX = `screens-${Date.now().toString(36)}`;
const BROWSER_FILE = join(import.meta.dirname, '../../docs/screens/browser.json');
/** Nothing is claimed by it: two pictures alike take a busy machine its time. */
const PATIENCE_MS = 90_000;
const WIDTHS = { 1440: { width: 1_440, height: 900 }, 390: { width: 390, height: 844 } } as const;

/** `shows` is there when the page has its data. */
const SHOTS = [
  { name: 'overview', path: '/', shows: 'payments', as: ['1440-light', '1440-dark', '390-light'] },
  { name: 'queue', path: '/queues/mail', shows: 'mail-017', as: ['1440-light', '1440-dark'] },
  { name: 'dead', path: '/dead', shows: GATEWAY.message, as: ['1440-light', '1440-dark', '390-dark'] },
  {
    name: 'job',
    path: `/queues/${DEAD_JOB.queue}/jobs/${DEAD_JOB.jobId}`,
    shows: 'Why it died',
    as: ['1440-light', '390-light'],
  },
  { name: 'operations', path: '/operations', shows: 'Release 1.4.1 fixes it', as: ['1440-light'] },
  { name: 'workers', path: '/workers', shows: 'mailer-2', as: ['1440-dark'] },
] as const;

let own: RealConsole;
let session: SignedIn;
let stopReports = () => {};
const processes = new Processes();
let broker: Broker;

test.beforeAll(async ({ browser }) => {
  const redisUrl = process.env.REDRIVE_E2E_REDIS_URL ?? '';
  broker = createBroker({ url: redisUrl, prefix: PREFIX });
  own = await startRealConsole(processes, {
    redisUrl,
    users: [ANN],
    env: { REDRIVE_PREFIX: PREFIX, REDRIVE_LAB: 'off' },
    name: 'the console of the pictures',
  });
  session = await signIn(own.url, ANN);
  stopReports = reportWorkers(broker);
  const context = await openContext(browser);
  await seedScreens(broker, context.request);
  await context.close();
});
test.afterAll(async () => {
  stopReports();
  await broker.close();
  await processes.stopAll();
});

/** The policy of the pages would refuse the style sheet. */
const openContext = (
  browser: Browser,
  look: Pick<Parameters<Browser['newContext']>[0] & object, 'viewport' | 'colorScheme'> = {},
): Promise<BrowserContext> =>
  browser.newContext({
    baseURL: own.url,
    storageState: session,
    reducedMotion: 'reduce',
    bypassCSP: true,
    ...look,
  });

/** The browser without its patches, and how wide it draws some text: the mark of its fonts. */
async function lookOf(browser: Browser): Promise<string> {
  const page = await browser.newPage();
  const text = await page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d');
    const widths = ['sans-serif', 'ui-sans-serif, system-ui', 'monospace'].map((font) => {
      if (!canvas) return 0;
      canvas.font = `40px ${font}`;
      return Math.round(canvas.measureText('Redrive 0123456789 re-drives').width);
    });
    return widths.join(' ');
  });
  await page.close();
  const made = { browser: browser.version().split('.')[0], platform: process.platform, text };
  return `${JSON.stringify(made, null, 2)}\n`;
}

/** Runs in the page, once its fonts are decided on. */
async function drawsOwnFont(): Promise<boolean> {
  await document.fonts.ready;
  const [own = ''] = getComputedStyle(document.documentElement).getPropertyValue('--font-inter').split(',');
  const text = document.body.appendChild(document.createElement('span'));
  text.textContent = 'Redrive 0123456789';
  const widths = [`${own}, monospace`, 'monospace'].map((family) => {
    text.style.fontFamily = family;
    return text.getBoundingClientRect().width;
  });
  text.remove();
  return own !== '' && widths[0] !== widths[1];
}

for (const { name, path, shows, as } of SHOTS)
  for (const look of as)
    test(`picture of ${name}, ${look}`, async ({ browser }, { config }) => {
      const [width, colorScheme] = look.split('-') as ['1440' | '390', 'light' | 'dark'];
      const context = await openContext(browser, { viewport: WIDTHS[width], colorScheme });
      const page = await context.newPage();
      // A page that is painted before the font is here keeps another one; the next load has it in the cache.
      await expect
        .poll(async () => page.goto(path).then(() => page.evaluate(drawsOwnFont)), { timeout: PATIENCE_MS })
        .toBe(true);
      await expect(page.getByText(shows).filter({ visible: true }).first()).toBeVisible({
        timeout: PATIENCE_MS,
      });
      await expect(page.locator('main [data-slot=skeleton]').filter({ visible: true })).toHaveCount(0, {
        timeout: PATIENCE_MS,
      });
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(Number(width));
      const here = await lookOf(browser);
      if (config.updateSnapshots === 'all') {
        mkdirSync(dirname(BROWSER_FILE), { recursive: true });
        writeFileSync(BROWSER_FILE, here);
      }
      if (existsSync(BROWSER_FILE) && readFileSync(BROWSER_FILE, 'utf8') === here)
        await expect(page).toHaveScreenshot(`${name}-${look}.png`, {
          stylePath: join(import.meta.dirname, 'screens.css'),
          maxDiffPixelRatio: 0.01,
          timeout: PATIENCE_MS,
        });
      else
        console.log(
          `${name}, ${look}: not compared, since this browser or its fonts are not those of ${BROWSER_FILE}`,
        );
      await context.close();
    });
