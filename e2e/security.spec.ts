/**
 * S1: what a producer, a worker or a person wrote is shown as what it is. Texts that would run in a careless page stand in every field
 * that takes them, and in every address; nothing runs, nothing is added to a page, and the content security policy has nothing to stop.
 */
import { expect, test } from '@playwright/test';
import { type Broker, createBroker } from '../testing/create-broker';
import { Processes } from '../testing/worlds/processes';
import { startRealConsole } from '../testing/worlds/real-console';
import { ATTACKS, attackOf, hostileLine } from './attacks/attacks';
import { plantAttacks } from './attacks/plant-attacks';
import { grown, visit, watch } from './attacks/watch-pages';
import { expectFits } from './axe';
import { openBroker } from './dead-jobs';

let broker: Broker;
test.beforeAll(() => {
  broker = openBroker();
});
test.afterAll(() => broker.close());

test('S1: in every stored field', async ({ context, page, request }) => {
  test.setTimeout(300_000);
  const found = await watch(context);
  const { paths, queue, jobId, schedule, worker } = await plantAttacks(broker, request);
  const look = async (path: string) => {
    await page.setViewportSize({ width: 1_440, height: 900 });
    expect(await visit(page, path, found), path).toBe(200);
    // Marks that turn the direction of what follows are written out.
    expect(await page.locator('body').innerText(), path).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    await expectFits(page, `${path}, 1440,`);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectFits(page, `${path}, 390,`);
  };
  for (const path of paths) await look(path);
  const end = { at: Date.now(), cause: hostileLine(100, 20), reclaimed: 1 };
  await broker.workers.ended(worker, 'crashed', end);
  await look('/workers');
  // The texts did get to the page, as texts.
  await page.goto(`/queues/${queue}/jobs/${jobId}`);
  await expect(page.locator('body')).toContainText('<script data-xss>alert(1)</script>');
  expect(await grown(page)).toEqual([]);
  await request.post(`/api/v1/queues/${queue}/resume`, { data: {} });
  await request.post(`/api/v1/queues/${queue}/drain`, { data: { draining: false, reason: 'over' } });
  await request.delete(`/api/v1/schedules/${schedule}`, { data: {} });
  expect(found).toEqual([]);
});

test("S1: in a user's name", async ({ browser }) => {
  const processes = new Processes();
  try {
    const prefix = `names-${Date.now().toString(36)}`;
    const { url } = await startRealConsole(processes, {
      redisUrl: process.env.REDRIVE_E2E_REDIS_URL ?? '',
      env: { AUTH: 'none', REDRIVE_PREFIX: prefix },
      name: 'the console of a hostile user',
    });
    const context = await browser.newContext({ baseURL: url, viewport: { width: 390, height: 844 } });
    const found = await watch(context);
    const name = attackOf(60, 3);
    expect((await context.request.put('/api/v1/me', { data: { name } })).status()).toBe(200);
    const own = createBroker({ url: process.env.REDRIVE_E2E_REDIS_URL ?? '', prefix });
    await own.enqueue('mail', { jobType: 'email.send' });
    await own.close();
    const paused = await context.request.post('/api/v1/queues/mail/pause', { data: { reason: 'by name' } });
    expect(paused.status()).toBe(200);
    const page = await context.newPage();
    for (const path of ['/', '/queues/mail', '/operations', '/audit']) {
      await visit(page, path, found, url);
      await expectFits(page, path);
    }
    await expect(page.locator('body')).toContainText(name);
    await context.close();
  } finally {
    await processes.stopAll();
  }
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
    `/alerts?tab=${all}&alert=${all}&dialog=silence&of=${all}`,
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
