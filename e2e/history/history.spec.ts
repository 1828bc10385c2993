/** Charts of the past: a drag over one of them zooms all, and the address keeps what is on show. */
import { expect, type Locator, type Page, test } from '@playwright/test';
import { Redis } from 'ioredis';
import { emptyRow, encodeRow } from '../../lib/broker/history/row-codec';
import { createKeys } from '../../lib/broker/redis/redis-keys';
import { openBroker } from '../dead-jobs';

const MINUTE_MS = 60_000;
const QUEUE = `history-${Date.now().toString(36)}`;
/** Ready jobs of each minute, oldest first; null: not known. */
const READY = Array.from({ length: 40 }, (_, n) => (n >= 20 && n < 25 ? null : 100 + n));
/** Start of the first ten minutes, in minutes since 1970. */
const FIRST = (Math.floor(Date.now() / MINUTE_MS / 10) - 4) * 10;
const PAUSED_AT = (FIRST + 12) * MINUTE_MS;

/** Minutes that are long over: rows in blocks of ten, as maintenance leaves them. */
test.beforeAll(async () => {
  const keys = createKeys('rd');
  const broker = openBroker();
  const redis = new Redis(process.env.REDRIVE_E2E_REDIS_URL ?? '');
  try {
    await broker.enqueue(QUEUE, { jobId: 'later', jobType: 'invoice.pay', delayMs: 86_400_000 });
    for (let block = 0; block < READY.length / 10; block += 1) {
      const rows = READY.slice(10 * block, 10 * block + 10).flatMap((ready, minute) => {
        const depths = { ready: ready ?? 0, inFlight: 0, scheduled: 1, retry: 0, held: 0, dead: 0 };
        const row = encodeRow(emptyRow(ready === null ? null : depths));
        return [Buffer.from([minute, row.length]), row];
      });
      await redis.xadd(
        keys.column(QUEUE, 'minuteBlocks'),
        `${FIRST + 10 * block}-0`,
        'r',
        Buffer.concat(rows),
      );
    }
    const pause = { what: 'pause', at: String(PAUSED_AT), by: JSON.stringify({ actor: 'ann' }) };
    await redis.xadd(keys.column(QUEUE, 'changes'), '*', ...Object.entries(pause).flat());
  } finally {
    redis.disconnect();
    broker.close();
  }
});

const paramsOf = (page: Page) => new URL(page.url()).searchParams;
const moveTo = async (page: Page, chart: Locator, share: number) => {
  const box = await chart.boundingBox();
  if (!box) throw new Error('the chart is not on show');
  await page.mouse.move(box.x + box.width * share, box.y + box.height / 2, { steps: 4 });
};

test('a drag over one chart zooms all; the address keeps range and marks; a table has the same numbers', async ({
  page,
}) => {
  await page.goto(`/queues/${QUEUE}`);
  const figures = page.locator('figure');
  const sign = page.getByText('‖ Pause', { exact: true });
  const plots = figures.locator('.recharts-cartesian-grid');
  const lines = page.locator('.recharts-tooltip-cursor');
  await expect(plots).toHaveCount(7);
  await plots.first().scrollIntoViewIfNeeded();

  // What is not known is a gap: the line is drawn in two parts. And the table says it.
  const depth = figures.first();
  await expect(depth.locator('path.recharts-line-curve').first()).toHaveAttribute('d', /M.+M/);
  const table = depth.getByRole('table', { name: 'Depth' });
  await expect(table).toContainText('not known');
  await expect(table).toContainText(`${QUEUE}: Paused by ann`);

  // Where the charts end is said by them and by their tables, also for a part that was chosen.
  await expect(
    page.getByText(/^Up to \d\d:\d\d:\d\d: the last point is of the 60 seconds before it\./),
  ).toBeVisible();
  await expect(table.locator('caption')).toHaveText(
    /Each time is the start of a whole minute; the last row is of the 60 seconds before its time\.$/,
  );

  // One crosshair in all of them.
  await moveTo(page, plots.first(), 0.4);
  await expect(lines).toHaveCount(7);

  await page.mouse.down();
  await moveTo(page, plots.first(), 0.6);
  await page.mouse.up();
  await expect.poll(() => paramsOf(page).has('from')).toBe(true);
  const [from, to] = ['from', 'to'].map((name) => Number(paramsOf(page).get(name))) as [number, number];
  expect(from % MINUTE_MS).toBe(0);
  expect((to - from) / MINUTE_MS).toBeGreaterThanOrEqual(9);
  expect((to - from) / MINUTE_MS).toBeLessThanOrEqual(16);
  await expect(page.getByText(/^From \d\d:\d\d to \d\d:\d\d\./)).toBeVisible();
  await expect(table.locator('caption')).toContainText(` to ${new Date(to).toISOString()}.`);
  const rows = () => table.locator('tbody tr').count();
  await expect.poll(rows).toBe((to - from) / MINUTE_MS);
  await page.reload();
  await expect.poll(rows).toBe((to - from) / MINUTE_MS);

  await page.getByRole('button', { name: 'Reset zoom' }).click();
  await expect.poll(() => paramsOf(page).has('from')).toBe(false);
  await expect(sign).toBeVisible();
  await page.getByRole('button', { name: 'Hide marks' }).click();
  await expect(sign).toBeHidden();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Show marks' })).toBeVisible();
  await expect(plots).toHaveCount(7);
  await expect(sign).toBeHidden();
});

test('the charts are of a tenant that is clicked in the breakdown', async ({ page }) => {
  const queue = `${QUEUE}-tenants`;
  const broker = openBroker();
  await broker.enqueue(queue, { jobId: 'j1', jobType: 'invoice.pay', tenantId: 'acme' });
  broker.close();
  await page.goto(`/queues/${queue}`);
  await page.getByRole('rowheader').getByRole('button', { name: 'acme', exact: true }).click();
  await expect.poll(() => paramsOf(page).get('of')).toBe('tenant:acme');
  await expect(page.getByLabel('Jobs of the charts')).toHaveValue('tenant:acme');
  await expect(page.locator('figure').filter({ hasText: 'Claimed a minute' })).toBeInViewport();
  await page.getByLabel('Jobs of the charts').selectOption('All jobs');
  await expect(page.locator('figure')).toHaveCount(7);
});
