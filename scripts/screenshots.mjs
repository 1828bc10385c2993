/**
 * Pictures of a running console, for looking at what was built: every page, light and dark, wide and phone.
 *
 *   node scripts/screenshots.mjs http://127.0.0.1:3000 out-folder [page …]
 *
 * The address may be a one-time sign-in link, as `npm run demo` prints it.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { browserArgs, findBrowser } from './setup/browser.mjs';

const [address = 'http://127.0.0.1:3000', folder = 'test-results/screenshots', ...only] =
  process.argv.slice(2);
const base = new URL(address).origin;
const SIZES = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

const { path: executablePath } = findBrowser();
const browser = await chromium.launch({ executablePath, args: browserArgs(executablePath) });

/** The cookies of a user who followed the sign-in link; none where the address is no such link. */
async function signIn() {
  const context = await browser.newContext();
  if (address.includes('#code=')) {
    const page = await context.newPage();
    await page.goto(address);
    await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'));
  }
  return context;
}
const signedIn = await signIn();
const storageState = await signedIn.storageState();

/** A job and an operation of this Redis, whichever come first. */
async function examples() {
  const json = async (path) => (await signedIn.request.get(new URL(path, base).href)).json();
  const { queues } = await json('/api/v1/queues');
  const queue = queues[0]?.queue;
  const dead = (await json('/api/v1/dead?limit=1')).jobs[0];
  const completed = queue
    ? (await json(`/api/v1/queues/${queue}/jobs?state=completed&limit=1`)).jobs[0]
    : undefined;
  const operation = (await json('/api/v1/operations?limit=1')).operations[0];
  return { queue, dead, job: dead ?? completed, operation };
}

const { queue, job, operation } = await examples();
const pages = {
  overview: '/',
  queue: queue && `/queues/${queue}`,
  settings: queue && `/queues/${queue}/settings`,
  job: job && `/queues/${job.queue}/jobs/${job.jobId}`,
  dead: '/dead',
  rows: '/dead?view=rows',
  search: `/dead?view=rows&q=${encodeURIComponent('"e" age:<=24h')}`,
  operations: '/operations',
  operation: operation && `/operations/${operation.id}`,
  schedules: '/schedules',
  workers: '/workers',
  audit: '/audit',
  access: '/access',
  lab: '/lab',
};
mkdirSync(folder, { recursive: true });
for (const [size, viewport] of Object.entries(SIZES))
  for (const colorScheme of ['light', 'dark']) {
    const context = await browser.newContext({ viewport, colorScheme, storageState });
    const page = await context.newPage();
    page.on(
      'console',
      (message) => message.type() === 'error' && console.error(`${page.url()}: ${message.text()}`),
    );
    page.on('pageerror', (error) => console.error(`${page.url()}: ${error.message}`));
    for (const [name, path] of Object.entries(pages)) {
      if (!path || (only.length > 0 && !only.includes(name))) continue;
      await page.goto(new URL(path, base).href);
      await page.waitForLoadState('load');
      // Two frames of the live stream, so that rates and movements show.
      await page.waitForTimeout(2_500);
      await page.screenshot({
        path: join(folder, `${name}-${size}-${colorScheme}.png`),
        fullPage: size === 'phone',
      });
    }
    await context.close();
  }
await browser.close();
