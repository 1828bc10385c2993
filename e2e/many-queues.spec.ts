/** More queues than the live stream lists: they are filtered, sorted and paged on the server, and what is cut is said. */
import { expect, test } from '@playwright/test';
import { Redis } from 'ioredis';
import { createKeys } from '../lib/broker/redis/redis-keys';
import { overviewSchema } from '../lib/contract/queues/queue-schemas';
import { createBroker } from '../testing/create-broker';
import { Processes } from '../testing/worlds/processes';
import { type RealConsole, startRealConsole } from '../testing/worlds/real-console';
import { get } from './api-requests';
import { objections } from './axe';
import { ANN, signIn } from './user-pages';

const IDLE = 1_200;
const PAYMENTS = 'tenant-northwind-traders-international.payments';
const PREFIX = 'many';
const processes = new Processes();
/** Of a prefix of its own: no other test wants so many queues. */
let own: RealConsole;

test.beforeAll(async () => {
  const redisUrl = process.env.REDRIVE_E2E_REDIS_URL ?? '';
  const redis = new Redis(redisUrl);
  const names = Array.from({ length: IDLE }, (_, i) => [Date.now(), `idle${String(i).padStart(4, '0')}`]);
  await redis.zadd(createKeys(PREFIX).global('queues'), ...names.flat());
  redis.disconnect();
  const broker = createBroker({ url: redisUrl, prefix: PREFIX });
  await broker.enqueue(PAYMENTS, { jobId: 'p1', jobType: 'pay' });
  await broker.pause('idle1100', { reason: 'Seen from every page' }, { actor: 'tester' });
  await broker.close();
  own = await startRealConsole(processes, {
    redisUrl,
    users: [ANN],
    env: { REDRIVE_PREFIX: PREFIX, REDRIVE_RATE_FACTOR: '50' },
    name: 'the console of many queues',
  });
});
test.afterAll(() => processes.stopAll());

test('H3: of 1,201 queues each is found by name and by page, and what is cut is said', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: own.url, storageState: await signIn(own.url, ANN) });
  const page = await context.newPage();
  await expect
    .poll(
      async () => {
        const { unread, total } = overviewSchema.parse(
          await (await get(context.request, '/api/v1/queues?limit=1')).json(),
        );
        return total - unread;
      },
      { timeout: 30_000 },
    )
    .toBe(IDLE + 1);
  await page.goto('/');
  const rows = page.locator('tbody [data-queue]');
  const pages = page.getByRole('navigation', { name: 'Pages' });

  // The worst is first; what is not listed counts in the verdict, the pauses and the sums.
  await expect(rows).toHaveCount(50);
  await expect(rows.first()).toHaveAttribute('data-queue', PAYMENTS);
  await expect(page.getByRole('link', { name: PAYMENTS, exact: true })).toBeVisible();
  await expect(pages).toContainText('50 of 1,201 queues');
  await expect(page.getByRole('region', { name: 'Verdict' })).toContainText('idle1100');

  // By page, from the first to the next and back; the place stands in the address.
  await page.getByRole('combobox', { name: 'Sort queues' }).selectOption('name');
  await expect(rows.first()).toHaveAttribute('data-queue', 'idle0000');
  await pages.getByRole('button', { name: 'Next' }).click();
  await expect(rows.first()).toHaveAttribute('data-queue', 'idle0050');
  await page.reload();
  await expect(rows.first()).toHaveAttribute('data-queue', 'idle0050');
  await pages.getByRole('button', { name: 'First' }).click();
  await expect(rows.first()).toHaveAttribute('data-queue', 'idle0000');

  // By a part of its name, in any case; and nothing is a sentence with a way back.
  const filter = page.getByRole('searchbox', { name: 'Filter queues by name' });
  await filter.fill('NORTHWIND');
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toHaveAttribute('data-queue', PAYMENTS);
  await expect(page.getByText('1 of 1,201 queues', { exact: true })).toBeVisible();
  await filter.fill('nobody');
  await expect(page.getByText('No queue has “nobody” in its name.')).toBeVisible();
  expect(await objections(page)).toEqual([]);
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await expect(rows).toHaveCount(50);

  // A picker finds what the stream does not list.
  await page.goto('/schedules');
  await page.getByRole('button', { name: 'New schedule' }).first().click();
  const dialog = page.getByRole('dialog');
  const queue = dialog.getByLabel('Queue', { exact: true });
  await queue.fill('');
  await expect(dialog.getByText('25 of 1,201 queues: type to search')).toBeVisible();
  await queue.fill('idle11');
  await expect(dialog.getByText('25 of 100 queues with “idle11”: type more')).toBeVisible();
  await queue.fill('idle1199');
  await expect(dialog.locator('datalist option[value=idle1199]')).toHaveCount(1);
  await context.close();
});
