/**
 * S1: what a producer, a worker or a person wrote is shown as what it is. Texts that would run in a careless page stand in every field
 * that takes them, and in every address; nothing runs, nothing is added to a page, and the content security policy has nothing to stop.
 */
import { type APIRequestContext, type BrowserContext, expect, type Page, test } from '@playwright/test';
import type { Broker } from '../lib/broker';
import { startOperation } from './api-requests';
import { ATTACKS, attackOf, attackWithoutSpaces } from './attacks';
import { openBroker } from './dead-jobs';

let broker: Broker;
test.beforeAll(() => {
  broker = openBroker();
});
test.afterAll(() => broker.close());

/** Watches all pages of a context for what must not happen. */
async function watch(context: BrowserContext) {
  const found: string[] = [];
  const note = (where: string, what: string) => found.push(`${where}: ${what}`);
  await context.exposeBinding('reportViolation', ({ page }, what: string) => note(page.url(), what));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
      (window as unknown as { reportViolation(what: string): void }).reportViolation(
        `${violatedDirective} stopped ${blockedURI} of ${sourceFile}`,
      ),
    );
  });
  context.on('dialog', (dialog) => {
    note(dialog.page()?.url() ?? '', `a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on('request', (request) => {
    if (new URL(request.url()).hostname.endsWith('evil.example')) note('a request', request.url());
  });
  context.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) note('the console', message.text());
  });
  return found;
}

/** What the page would have grown by, had it taken any of the texts for more than text. */
const grown = (page: Page) =>
  page.evaluate(() => [
    ...[...document.querySelectorAll('[data-xss], x-attack, base, object, embed, iframe')].map(
      (e) => e.outerHTML,
    ),
    // Where anything leads or loads from.
    ...[...document.querySelectorAll('[href], [src], [action]')]
      .flatMap((e) => ['href', 'src', 'action'].flatMap((name) => e.getAttribute(name) ?? []))
      .filter(
        (url) => !url.startsWith('data:image/') && new URL(url, location.href).origin !== location.origin,
      ),
    ...('polluted' in {} ? ['Object.prototype'] : []),
  ]);

/** The status it was answered with. */
async function visit(page: Page, path: string, found: string[]): Promise<number | undefined> {
  const answer = await page.goto(path);
  const isPage = answer?.headers()['content-type']?.startsWith('text/html');
  // Who is signed in is led on at once, and only ever to this console.
  if (path.startsWith('/sign-in')) await page.waitForURL((url) => url.pathname !== '/sign-in');
  expect(new URL(page.url()).origin, path).toBe(process.env.REDRIVE_E2E_URL);
  if (isPage) {
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await expect(page.locator('[data-slot=skeleton]')).toHaveCount(0);
  }
  expect(await grown(page), path).toEqual([]);
  expect(found, path).toEqual([]);
  return answer?.status();
}

/** A queue whose jobs, failures, pause, settings, schedule, search, group and operation are all full of it. */
async function plant(request: APIRequestContext): Promise<{ paths: string[]; jobId: string; queue: string }> {
  const queue = `xss-${Date.now().toString(36)}`;
  const post = async (path: string, data: object, method: 'POST' | 'PATCH' = 'POST') => {
    const answer = await request.fetch(path, { method, data });
    expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
    return (await answer.json()) as Record<string, unknown>;
  };
  const payload = {
    [attackOf(200)]: ATTACKS,
    nested: { text: attackOf(4_000), [attackOf(100, 5)]: [attackOf(100, 9)] },
  };
  const inputs = [0, 1, 2].map((n) => ({
    jobType: 'xss.type',
    tenantId: 'xss-tenant',
    jobId: `${queue}-${n}`,
    maxAttempts: 1,
    idempotencyKey: attackWithoutSpaces(180, n).concat(String(n)),
    correlationId: attackWithoutSpaces(190, n + 7),
    traceId: attackWithoutSpaces(190, n + 14),
    unique: { key: attackWithoutSpaces(180, n + 21).concat(String(n)) },
    ...(n === 2 ? { payloadRef: attackOf(900, n) } : { payload: JSON.stringify(payload) }),
  }));
  await broker.enqueueMany(queue, inputs);
  const { jobs } = await broker.claim(queue, { worker: 'xss-worker', count: 2 });
  const [first, second] = jobs;
  if (!first || !second) throw new Error('there should be two jobs to claim');
  const failure = {
    errorClass: 'permanent' as const,
    errorCode: 'XSS',
    message: attackOf(1_000),
    stack: attackOf(3_000, 3),
    again: false,
  };
  await broker.fail(queue, [{ jobId: first.jobId, token: first.token, failure }]);
  await broker.ack(queue, [{ jobId: second.jobId, token: second.token, result: attackOf(3_000, 11) }]);
  const { groups } = (await (await request.get(`/api/v1/dead/groups?q=queue:${queue}`)).json()) as {
    groups: { group: string }[];
  };
  const group = groups[0]?.group ?? '';
  await post(`/api/v1/dead/groups/${group}`, { name: attackOf(120), note: attackOf(500, 4) }, 'PATCH');
  await post('/api/v1/searches', {
    name: attackOf(80),
    q: `queue:${queue} "${attackOf(60, 3).replace(/"/g, '')}"`,
    shared: true,
  });
  await post(`/api/v1/queues/${queue}/pause`, { reason: attackOf(300), forMs: 3_600_000 });
  await post('/api/v1/schedules', {
    id: `${queue}-schedule`,
    queue,
    timing: { everyMs: 86_400_000 },
    job: { jobType: 'xss.type', payload: attackOf(4_000) },
    reason: attackOf(300, 6),
  });
  const operation = await startOperation(
    request,
    { kind: 'export', format: 'csv', scope: { q: `queue:${queue}` } },
    { reason: attackOf(300, 8) },
  );
  await post(`/api/v1/queues/${queue}/jobs/${queue}-2/cancel`, { reason: attackOf(300, 10) });
  const at = encodeURIComponent(`queue:${queue}`);
  return {
    queue,
    jobId: first.jobId,
    paths: [
      '/',
      `/queues/${queue}`,
      `/queues/${queue}?state=completed`,
      `/queues/${queue}/settings`,
      ...[first, second].map(({ jobId }) => `/queues/${queue}/jobs/${jobId}`),
      `/queues/${queue}/jobs/${queue}-2`,
      `/dead?q=${at}`,
      `/dead?q=${at}&view=rows`,
      `/dead?q=${at}&group=${group}`,
      '/operations',
      `/operations/${operation.id}`,
      '/schedules',
      `/schedules?schedule=${queue}-schedule`,
      '/workers',
      '/redis',
      '/access',
      '/audit',
      '/lab',
    ],
  };
}

test('S1: in every stored field', async ({ context, page, request }) => {
  test.setTimeout(300_000);
  const found = await watch(context);
  const { paths, queue, jobId } = await plant(request);
  for (const path of paths) expect(await visit(page, path, found), path).toBe(200);
  // The texts did get to the page, as texts.
  await page.goto(`/queues/${queue}/jobs/${jobId}`);
  await expect(page.locator('body')).toContainText('<script data-xss>alert(1)</script>');
  expect(await grown(page)).toEqual([]);
  await request.post(`/api/v1/queues/${queue}/resume`, { data: {} });
  await request.delete(`/api/v1/schedules/${queue}-schedule`, { data: {} });
  expect(found).toEqual([]);
});

test('S1: in every address', async ({ context, page }) => {
  test.setTimeout(300_000);
  const found = await watch(context);
  const all = encodeURIComponent(attackOf(1_500));
  for (const query of [
    `/dead?q=${all}`,
    `/dead?view=${all}&group=${all}&sort=${all}&cursor=${all}`,
    `/queues/default?state=${all}&q=${all}&tab=${all}`,
    `/operations?status=${all}&kind=${all}`,
    `/schedules?schedule=${all}`,
    `/audit?q=${all}&who=${all}&from=${all}`,
    `/access?tab=${all}`,
    `/sign-in?next=${all}&error=${all}`,
    `/?${all}=${all}`,
  ])
    await visit(page, query, found);
  for (const [i, attack] of ATTACKS.entries()) {
    const text = encodeURIComponent(attack);
    const places = [
      `/queues/${text}`,
      `/queues/default/jobs/${text}`,
      `/operations/${text}`,
      `/${text}`,
      `/sign-in?next=${text}`,
    ];
    await visit(page, places[i % places.length] ?? '/', found);
  }
});

test('what watches over that does see', async ({ context, page }) => {
  const found = await watch(context);
  await page.goto('/nowhere');
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.dataset.xss = '';
    script.textContent = 'window.ran = true';
    document.body.append(script);
  });
  expect(await grown(page)).toHaveLength(1);
  await expect.poll(() => found.join('\n')).toMatch(/script-src/);
  expect(await page.evaluate(() => 'ran' in window)).toBe(false);
});
