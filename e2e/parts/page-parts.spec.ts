/** Parts of pages that no task of an operator passes: who a queue's jobs are of, what belongs to a job, what a worker held. */
import { type APIRequestContext, expect, type Page, test } from '@playwright/test';
import { type Broker, createBroker } from '../../testing/create-broker';
import { IDLE_REPORT } from '../../testing/records/idle-worker';
import { Processes } from '../../testing/worlds/processes';
import { startRealConsole } from '../../testing/worlds/real-console';
import { startOperation } from '../api-requests';
import { die, GATEWAY } from '../dead-jobs';
import { ANN, type SignedIn, signIn } from '../user-pages';

const PREFIX = `parts-${Date.now().toString(36)}`;
const MINUTE_MS = 60_000;
/** Enough for a p95. */
const RUNS = 30;
const processes = new Processes();
let broker: Broker;
let url: string;
let session: SignedIn;
let page: Page;
let request: APIRequestContext;

test.beforeAll(async () => {
  const redisUrl = process.env.REDRIVE_E2E_REDIS_URL ?? '';
  broker = createBroker({ url: redisUrl, prefix: PREFIX });
  ({ url } = await startRealConsole(processes, {
    redisUrl,
    users: [ANN],
    env: {
      REDRIVE_PREFIX: PREFIX,
      REDRIVE_ENVIRONMENT: 'staging',
      REDRIVE_ENVIRONMENT_COLOR: 'violet',
      REDRIVE_TRACE_URL: 'https://traces.example/trace/{traceId}?from=redrive',
    },
    name: 'the console of the parts',
  }));
  session = await signIn(url, ANN);
});
test.afterAll(async () => {
  broker.close();
  await processes.stopAll();
});
test.beforeEach(async ({ browser }) => {
  const context = await browser.newContext({
    baseURL: url,
    storageState: session,
    viewport: { width: 1_440, height: 900 },
  });
  page = await context.newPage();
  request = context.request;
});
test.afterEach(() => page.context().close());

/** The cells of the row with this head. */
const cells = (table: string, row: string) =>
  page
    .getByRole('region', { name: table })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: row, exact: true }) })
    .getByRole('cell');

test('a queue is broken down by tenants, job types, priorities and memory, and a pause names them with counts', async () => {
  const queue = 'orders';
  const enqueue = (tenantId: string, jobType: string, count: number, priority = 0) =>
    broker.enqueueMany(
      queue,
      Array.from({ length: count }, () => ({ tenantId, jobType, priority })),
    );
  await enqueue('acme', 'order.pay', 3 + RUNS);
  const { jobs } = await broker.claim(queue, { worker: 'e2e', count: RUNS });
  await broker.ack(queue, jobs);
  await enqueue('globex', 'order.ship', 1, 5);
  await page.goto(`/queues/${queue}`);
  // Ready, held, share, oldest, done and p95.
  await expect(cells('Jobs by tenant', 'acme').nth(0)).toHaveText('3');
  await expect(cells('Jobs by tenant', 'acme').nth(1)).toHaveText('0');
  await expect(cells('Jobs by tenant', 'acme').nth(2)).toContainText('75');
  await expect(cells('Jobs by tenant', 'acme').nth(3)).toContainText(/\d/);
  await expect(cells('Jobs by tenant', 'acme').nth(5)).toContainText(/\d/);
  await expect(cells('Jobs by tenant', 'globex').nth(0)).toHaveText('1');
  const view = (name: string) => page.getByRole('radio', { name }).click();
  await view('Job types');
  await expect(cells('Jobs by job type', 'order.ship').nth(0)).toHaveText('1');
  await view('Priorities');
  await expect(cells('Ready jobs by priority', '5').nth(0)).toHaveText('1');
  await view('Memory');
  await expect(page.getByText(/KiB|B in Redis, estimated from 20 rows of each key/).first()).toBeVisible();
  await expect(cells('Memory by key', 'jobs').nth(0)).toContainText(/B$/);
  await view('Tenants');
  await page.getByRole('button', { name: 'Pause globex…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Tenant id')).toHaveValue('globex');
  await dialog.getByRole('list', { name: 'Tenants of this queue' }).getByText('acme').click();
  await expect(dialog.getByLabel('Tenant id')).toHaveValue('acme');
  await expect(dialog.getByRole('button', { name: 'acme 3', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
});

test('a job leads to its neighbours, to similar failures and to its trace', async () => {
  const queue = 'payments';
  await broker.enqueueMany(
    'mails',
    ['receipt', 'reminder'].map((jobId) => ({ jobId, jobType: 'mail', correlationId: 'order-77' })),
  );
  await broker.enqueue(queue, {
    jobId: 'pay-77',
    jobType: 'order.pay',
    correlationId: 'order-77',
    traceId: 'ab/12',
    delayMs: 3_600_000,
  });
  const [dead] = await die(broker, queue, { ...GATEWAY, count: 3 });
  await page.goto(`/queues/${queue}/jobs/pay-77`);
  await expect(page.getByRole('link', { name: 'ab/12' })).toHaveAttribute(
    'href',
    'https://traces.example/trace/ab%2F12?from=redrive',
  );
  await page.getByRole('button', { name: 'Find related jobs' }).click();
  const neighbours = page.getByRole('region', { name: 'Same correlation id' });
  await expect(neighbours.getByRole('link')).toHaveText(['receipt', 'reminder'].sort(), { timeout: 30_000 });
  await expect(page.getByRole('region', { name: 'Same id in other queues' })).toContainText(
    'No other job found.',
  );
  await page.goto(`/queues/${queue}/jobs/${dead}`);
  await page.getByRole('link', { name: '3 dead letters' }).click();
  await expect(page).toHaveURL(/\/dead\?q=group/);
  // An old link to a job that is in another queue by now.
  await page.goto('/queues/mails/jobs/pay-77');
  await page.getByRole('link', { name: 'A job with this id is in payments' }).click();
  await expect(page).toHaveURL(`/queues/${queue}/jobs/pay-77`);
});

test('a worker says its memory and the delay of its event loop; ended, what it held and where those jobs are', async () => {
  const queue = 'reports';
  await broker.enqueueMany(
    queue,
    ['kept', 'done'].map((jobId) => ({ jobId, jobType: 'report.build' })),
  );
  const { jobs } = await broker.claim(queue, { worker: 'builder-1', count: 2, leaseMs: 10 * MINUTE_MS });
  const report = {
    ...IDLE_REPORT,
    workerId: 'builder-1',
    host: 'app-7',
    startedAt: Date.now(),
    queues: { [queue]: 1 },
    memoryBytes: 96 * 1_024 * 1_024,
    eventLoopDelayMs: 350,
    jobs: jobs.map(({ jobId }) => ({
      queue,
      jobId,
      jobType: 'report.build',
      startedAt: Date.now(),
      leaseUntil: Date.now() + MINUTE_MS,
    })),
  };
  const timer = setInterval(() => void broker.workers.report(report), 1_000);
  try {
    await page.goto('/workers');
    const card = page.getByRole('article', { name: 'Worker builder-1' });
    await expect(card).toContainText('Memory96 MiB');
    await expect(card).toContainText('Loop delay350 ms');
    await expect(card.getByRole('link', { name: /report\.build/ })).toHaveCount(2);
  } finally {
    clearInterval(timer);
  }
  await broker.ack(
    queue,
    jobs.filter(({ jobId }) => jobId === 'done'),
  );
  await broker.workers.report(report);
  await broker.workers.ended('builder-1', 'crashed', { at: Date.now(), cause: 'SIGKILL', reclaimed: 1 });
  const row = page
    .getByRole('region', { name: 'Ended workers' })
    .getByRole('row')
    .filter({ hasText: 'SIGKILL' });
  await row.getByRole('button', { name: /job/ }).filter({ visible: true }).click();
  const held = page.getByRole('dialog').getByRole('row');
  await expect(held.filter({ hasText: 'kept' })).toContainText('In-flight');
  await expect(held.filter({ hasText: 'done' })).toContainText('Completed');
});

test('a schedule shows how its last runs ended, as signs and as words', async () => {
  const made = await request.post('/api/v1/schedules', {
    data: {
      id: 'often',
      queue: 'ticks',
      timing: { everyMs: 1_000 },
      job: { jobType: 'tick' },
      reason: 'e2e',
    },
  });
  expect(made.ok(), await made.text()).toBe(true);
  await expect(async () => {
    const { jobs } = await broker.claim('ticks', { worker: 'e2e', count: 1 });
    expect(jobs).toHaveLength(1);
    await broker.ack('ticks', jobs);
  }).toPass();
  await page.goto('/schedules');
  const row = page.getByRole('row').filter({ hasText: 'often' });
  await expect(row).toContainText(/Last \d+: .*1 completed/);
  // A phone has them below the name.
  await expect(row.locator('[title$=completed]').filter({ visible: true })).toHaveCount(1);
  await request.delete('/api/v1/schedules/often', { data: {} });
});

test('the audit log has one row an operation, which says what it did, and the time of day', async () => {
  const queue = 'audited';
  await die(broker, queue, { ...GATEWAY, count: 4 });
  await startOperation(request, { kind: 'purge', scope: { q: `queue:${queue}` } }, { reason: 'Test data' });
  const row = page.getByRole('row').filter({ hasText: 'Test data' });
  await expect(async () => {
    await page.goto('/audit');
    await expect(row).toContainText('4 moved', { timeout: 2_000 });
  }).toPass();
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('Purge 4 dead jobs');
  await expect(row).toContainText(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}/);
});

test('every page names the environment, in the font that the console brings', async () => {
  const fonts: string[] = [];
  page.on('response', (answer) => {
    if (answer.request().resourceType() === 'font') fonts.push(answer.url());
  });
  for (const path of ['/', '/dead', '/nowhere']) {
    await page.goto(path);
    await expect(page.getByTitle('Environment: staging')).toBeVisible();
    await expect(page).toHaveTitle(/staging/);
  }
  const isLoaded = await page.evaluate(async () => {
    await document.fonts.ready;
    const [family = ''] = getComputedStyle(document.body).fontFamily.split(',');
    return [...document.fonts].some(
      (font) => font.family.includes(family.replace(/["']/g, '')) && font.status === 'loaded',
    );
  });
  expect(isLoaded).toBe(true);
  expect(fonts.length).toBeGreaterThan(0);
  for (const font of fonts) expect(new URL(font).origin).toBe(url);
});
