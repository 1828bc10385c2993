/** What pages weigh and whether they hold still: budgets that do not depend on the machine. */
import { gzipSync } from 'node:zlib';
import { type APIRequestContext, expect, test } from '@playwright/test';
import { links } from '../../lib/browser/links';
import { paths } from '../../lib/contract/api-paths';
import { createBroker } from '../../testing/create-broker';
import { consolePages, consolePaths } from '../../testing/pages/console-pages';
import { newWatchedPage, pageLoad, readPageAt } from '../../testing/pages/page-load';
import { IDLE_REPORT } from '../../testing/records/idle-worker';
import { Processes } from '../../testing/worlds/processes';
import { startRealConsole } from '../../testing/worlds/real-console';
import { dead, enqueueMails, QUIET, setLab, snapshots } from '../api-requests';
import { die, GATEWAY, openBroker } from '../dead-jobs';
import { ANN, signIn } from '../user-pages';
import { expectStill, LOOKS, openTab } from './layout-shifts';

const KB = 1_000;
/** Compressed: what a page's HTML names, before anything is loaded later. */
const SCRIPT_MAX_BYTES = 200 * KB;
/** Compressed: all that a page has asked for when its first data is on the screen, with the parts that it loads at once. */
const FIRST_DATA_SCRIPT_MAX_BYTES = 320 * KB;
/** A page loads by itself what it shows; dialogs come three seconds after it. */
const ALL_MS = 2_500;
/** Before compression, whatever the number of queues. */
const HTML_MAX_BYTES = 150 * KB;
/** A page of queues of the API, before compression. */
const QUEUES_MAX_BYTES = 60 * KB;
const LIVE_MS = 30_000;
/** Tabs at once: more would wait for each other instead of for their data. */
const TABS = 6;

const QUEUES = 200;
const GROUPS = 25;
const CRASHED = 200;
/** Lists with something in their address come without rows in the HTML, as all do when Redis is slow. */
const LATE = ['/dead', '/dead?view=rows', '/operations', '/schedules', '/audit'].map(
  (path) => `${path}${path.includes('?') ? '&' : '?'}late`,
);
/** Rows of these lists, or fields, that stand in the HTML: they are seen before any script ran. */
const IN_HTML: Record<string, [part: RegExp, atLeast: number]> = {
  'dead letters': [/<tr\b/g, 16],
  'dead letters as rows': [/<tr\b/g, 16],
  'settings of a queue': [/<input\b/g, 10],
};
const PREFIX = 'weight';
const queueName = (i: number) => `tenant-${i % 7}.a-queue-of-usual-length.${String(i).padStart(3, '0')}`;

const processes = new Processes();
test.afterAll(() => processes.stopAll());

test(`of ${QUEUES} queues in trouble, every page begins with little`, async ({ playwright, browser }) => {
  test.setTimeout(300_000);
  const redisUrl = process.env.REDRIVE_E2E_REDIS_URL ?? '';
  const broker = createBroker({ url: redisUrl, prefix: PREFIX });
  try {
    // More dead letters and failure groups than the first screen shows.
    for (let i = 0; i < GROUPS; i += 1)
      await die(broker, 'all-dead', { ...GATEWAY, jobType: `invoice.pay-${i}`, count: 2 });
    // Nobody works on them, and every fifth is paused: a finding for each.
    for (let i = 0; i < QUEUES; i += 1) {
      await broker.enqueue(queueName(i), { jobId: 'j1', jobType: 'invoice.pay' });
      if (i % 5 === 0) await broker.pause(queueName(i), { reason: 'The bank is down' }, { actor: 'ann' });
    }
    // A crash storm: as many ended workers as are kept.
    for (let i = 0; i < CRASHED; i += 1) {
      await broker.workers.report({ ...IDLE_REPORT, workerId: `demo-${i}`, queues: { [queueName(i)]: 1 } });
      const end = { at: Date.now(), cause: 'SIGKILL' as const, reclaimed: 3 };
      await broker.workers.ended(`demo-${i}`, 'crashed', end);
    }
  } finally {
    broker.close();
  }
  const { url } = await startRealConsole(processes, {
    redisUrl,
    users: [ANN],
    env: { REDRIVE_PREFIX: PREFIX, REDRIVE_RATE_FACTOR: '50', REDRIVE_LAB: 'on' },
    name: 'the console of 200 queues',
  });
  const session = await signIn(url, ANN);
  const request = await playwright.request.newContext({ baseURL: url, storageState: session });
  const sizes = new Map<string, number>();
  const weights: { path: string; script: number; html: number }[] = [];
  for (const { name, path } of consolePages({ queue: queueName(0), jobId: 'j1' })) {
    const [part, atLeast] = IN_HTML[name] ?? [/<main\b/g, 1];
    let html = '';
    // A page waits a quarter of a second for its rows, and on a busy machine they may come later.
    await expect(async () => {
      html = await (await request.get(path)).text();
      expect([...html.matchAll(part)].length, `${path}: ${part}`).toBeGreaterThanOrEqual(atLeast);
    }).toPass({ timeout: 60_000 });
    let script = 0;
    for (const address of scriptsOf(html)) {
      const size = sizes.get(address) ?? gzipSync(await (await request.get(address)).body()).length;
      sizes.set(address, size);
      script += size;
    }
    weights.push({ path, script, html: Buffer.byteLength(html) });
  }
  const page = await (await request.get(paths.queues())).body();
  console.log(`${page.length} bytes of queues`);
  expect(page.length).toBeLessThanOrEqual(QUEUES_MAX_BYTES);
  await request.dispose();
  console.table(weights);
  expect(Math.min(...weights.map(({ script }) => script))).toBeGreaterThan(100 * KB);
  expect(weights.filter(({ script }) => script > SCRIPT_MAX_BYTES)).toEqual([]);
  expect(weights.filter(({ html }) => html > HTML_MAX_BYTES)).toEqual([]);

  const loads: { path: string; firstData: number; all: number; requests: number }[] = [];
  for (const { path, data, isPublic } of consolePages({ queue: queueName(0), jobId: 'j1' })) {
    const storageState = isPublic ? { cookies: [], origins: [] } : session;
    const context = await browser.newContext({ baseURL: url, storageState });
    const page = await newWatchedPage(context, data);
    await page.goto(path);
    const reading = await readPageAt(page, ALL_MS, path);
    const { scriptBytes, requests } = pageLoad(reading);
    loads.push({ path, firstData: scriptBytes, all: pageLoad(reading, ALL_MS).scriptBytes, requests });
    await context.close();
  }
  console.table(loads);
  // The browser and the HTML count the same.
  for (const [i, { all, path }] of loads.entries())
    expect.soft(all, path).toBeGreaterThan(0.9 * (weights[i]?.script ?? 0));
  expect(loads.filter(({ firstData }) => firstData > FIRST_DATA_SCRIPT_MAX_BYTES)).toEqual([]);
});

/** Not those for browsers without modules. */
const scriptsOf = (html: string): Set<string> =>
  new Set(
    [...html.matchAll(/<script\b([^>]*)>/g)]
      .filter(([, attributes = '']) => !/\bnomodule\b/i.test(attributes))
      .flatMap(([, attributes = '']) => /\ssrc="([^"]+)"/.exec(attributes)?.[1] ?? []),
  );

test('pages hold still while they arrive and change, log no error, and prefetch nothing twice', async ({
  browser,
  request,
}) => {
  test.setTimeout(900_000);
  // The overview last: by then its findings have settled.
  const paths = (await livePaths(request)).reverse();
  for (const viewport of LOOKS) {
    for (let first = 0; first < paths.length; first += TABS) {
      // Each in a browser of its own: all six connections of one would be held by the streams, and none left for rows.
      const open = async (path: string) => openTab(await browser.newContext({ viewport }), path);
      const tabs = await Promise.all(paths.slice(first, first + TABS).map(open));
      await Promise.all(tabs.map((tab) => tab.watch(LIVE_MS)));
      for (const { path, page, errors, prefetches } of tabs) {
        await expectStill(page, `${path} on ${viewport.width}`);
        expect.soft(errors, path).toEqual([]);
        expect.soft(prefetches.length, `${path}: ${prefetches}`).toBe(new Set(prefetches).size);
        await page.context().close();
      }
    }
  }
});

// Whatever came of a test, jobs that still arrive would be in the way of the next.
test.afterEach(({ request }) => setLab(request, QUIET));

test('findings that come and go on the overview move nothing else', async ({ browser }) => {
  test.setTimeout(240_000);
  const queues = ['calm-1', 'calm-2', 'calm-3'] as const;
  const { url } = await startCalmConsole(queues);
  for (const viewport of LOOKS) {
    const context = await browser.newContext({
      baseURL: url,
      viewport,
      storageState: await signIn(url, ANN),
    });
    const post = async (path: string, data: object) => {
      const answer = await context.request.post(`/api/v1/queues/${path}`, { data });
      expect(answer.ok(), await answer.text()).toBe(true);
    };
    const { page, errors, watch } = await openTab(context, '/');
    const verdict = page.getByRole('region', { name: 'Verdict' });
    await expect(verdict.locator('[data-finding]')).toHaveCount(0, { timeout: 60_000 });
    const { height } = (await verdict.boundingBox()) ?? { height: 0 };
    const reason = 'The bank is down, and so is everything behind it until they answer our calls';
    await post(`${queues[1]}/pause`, { reason });
    await post(`${queues[2]}/drain`, { reason });
    await expect(verdict.locator('[data-finding=PAUSED]')).toBeVisible();
    await expect(verdict.locator('[data-finding=DRAINING]')).toBeVisible();
    expect((await verdict.boundingBox())?.height).toBe(height);
    await post(`${queues[1]}/resume`, {});
    await post(`${queues[2]}/drain`, { draining: false, reason: 'It is back' });
    await expect(verdict.locator('[data-finding]')).toHaveCount(0, { timeout: 30_000 });
    await watch(LIVE_MS);
    await expectStill(page, `/ on ${viewport.width}, two findings`);
    expect.soft(errors).toEqual([]);
    await context.close();
  }
});

test('failure groups that change places move nothing', async ({ browser }) => {
  test.setTimeout(120_000);
  const broker = openBroker();
  const queue = 'weight-places';
  // Their values are short and long in turn.
  const deaths = (i: number, count: number) =>
    die(broker, queue, {
      ...GATEWAY,
      jobType: i % 2 ? 'pay' : 'invoice.pay.by-direct-debit',
      errorClass: i % 2 ? 'permanent' : 'unsupported-version',
      errorCode: i % 2 ? `E${i}` : `E${i}_NOT_A_CODE_OF_THIS_API`,
      tenantId: i % 2 ? 'a' : 'a-tenant-of-usual-length',
      message: `the gateway answered with ${'abcdefghijklmno'[i]}`,
      count,
    });
  try {
    for (let i = 0; i < 14; i += 1) await deaths(i, 30 - i);
    const context = await browser.newContext({ viewport: LOOKS[0] });
    const { page, errors } = await openTab(context, links.dead(`queue:${queue}`));
    const first = page.locator('main tbody tr').first();
    await expect(first).toContainText('E0');
    for (const i of [13, 12, 11]) {
      await deaths(i, 40);
      await expect(first).toContainText(`E${i}`, { timeout: 30_000 });
    }
    await expectStill(page, '/dead on 1440, groups that change places');
    expect.soft(errors).toEqual([]);
    await context.close();
  } finally {
    broker.close();
  }
});

/** Of queues whose only job is not due: nothing is wrong with them. */
async function startCalmConsole(queues: readonly string[]) {
  const redisUrl = process.env.REDRIVE_E2E_REDIS_URL ?? '';
  const prefix = `${PREFIX}-calm`;
  const broker = createBroker({ url: redisUrl, prefix });
  try {
    for (const queue of queues)
      await broker.enqueue(queue, { jobId: 'j1', jobType: 'invoice.pay', delayMs: 3_600_000 });
  } finally {
    broker.close();
  }
  return startRealConsole(processes, {
    redisUrl,
    users: [ANN],
    env: { REDRIVE_PREFIX: prefix },
    name: 'the console of calm queues',
  });
}

/** Jobs arrive, run, fail and die in all queues of the demo. */
async function livePaths(request: APIRequestContext): Promise<string[]> {
  // A pause of an earlier test would end while the pages are watched, and its notice with it.
  for (const { queue, pauses } of await snapshots(request))
    for (const { scope } of pauses) await request.post(paths.resume(queue), { data: { scope } });
  await setLab(request, { ...QUIET, failPercent: 50, trafficPerSecond: 15, delayedPercent: 20 });
  await enqueueMails(request, 5, 1);
  // Of several types and classes: a list whose jobs are all of one has no column for it until another comes.
  const kinds = async () => {
    const { jobs } = await dead(request);
    return Math.min(new Set(jobs.map((j) => j.jobType)).size, new Set(jobs.map((j) => j.errorClass)).size);
  };
  await expect.poll(kinds, { timeout: 90_000 }).toBeGreaterThan(1);
  const job = (await dead(request, '', 1)).jobs[0];
  if (!job) throw new Error('there is no dead letter');
  return [...consolePaths({ queue: job.queue, jobId: job.jobId }), ...LATE];
}
