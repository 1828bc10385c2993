/** The page of workers holds still while workers die, are replaced and leave, on a wide screen and on a phone. */
import { expect, type Page, test } from '@playwright/test';
import { type Broker, createBroker } from '../../testing/create-broker';
import { IDLE_REPORT } from '../../testing/records/idle-worker';
import { Processes } from '../../testing/worlds/processes';
import { startRealConsole } from '../../testing/worlds/real-console';
import { ANN, signIn } from '../user-pages';
import { expectStill, LOOKS, openTab } from '../weight/layout-shifts';

const processes = new Processes();
test.afterAll(() => processes.stopAll());

/** Workers that report as often as real ones do. */
class Fleet {
  readonly #live = new Map<string, number>();
  readonly #startedAt = Date.now();
  readonly #timer = setInterval(() => void this.report(), 1_000);
  constructor(private readonly broker: Broker) {}

  async start(workerId: string, pid: number): Promise<void> {
    this.#live.set(workerId, pid);
    await this.report();
  }
  async end(workerId: string, status: 'crashed' | 'stopped'): Promise<void> {
    this.#live.delete(workerId);
    const cause = status === 'crashed' ? 'SIGKILL' : 'stopped on request';
    await this.broker.workers.ended(workerId, status, { at: Date.now(), cause, reclaimed: 2 });
  }
  async report(): Promise<void> {
    for (const [workerId, pid] of this.#live)
      await this.broker.workers.report({
        ...IDLE_REPORT,
        workerId,
        pid,
        startedAt: this.#startedAt,
        queues: { mail: 1 },
        concurrency: 4,
        breakers: [{ jobType: 'email.send', state: 'open', failures: 5, retryAt: Date.now() + 60_000 }],
      });
  }
  stop(): void {
    clearInterval(this.#timer);
  }
}

const card = (page: Page, id: string) => page.getByRole('article', { name: `Worker ${id}` });
const statusOf = (page: Page, id: string, status: string) =>
  expect(card(page, id).getByText(status, { exact: true })).toBeVisible({ timeout: 20_000 });

test('workers that die, are replaced and leave move nothing on the page', async ({ browser }) => {
  test.setTimeout(180_000);
  const redisUrl = process.env.REDRIVE_E2E_REDIS_URL ?? '';
  const prefix = 'places';
  const broker = createBroker({ url: redisUrl, prefix });
  const fleet = new Fleet(broker);
  try {
    await broker.enqueue('mail', { jobId: 'j1', jobType: 'email.send' });
    const { url } = await startRealConsole(processes, {
      redisUrl,
      users: [ANN],
      env: { REDRIVE_PREFIX: prefix, REDRIVE_LAB: 'on' },
      name: 'the console of workers that die',
    });
    const storageState = await signIn(url, ANN);
    for (const [round, viewport] of LOOKS.entries()) {
      const ids = ['a', 'b', 'c'].map((name, i) => `app-${name}-${100 * (round + 1) + i}`);
      for (const [i, id] of ids.entries()) await fleet.start(id, 100 * (round + 1) + i);
      const context = await browser.newContext({ baseURL: url, viewport, storageState });
      // The page is to come with all of them.
      await expect
        .poll(async () => (await context.request.get('/api/v1/workers')).text())
        .toContain(ids.at(-1) ?? '');
      const { page, errors } = await openTab(context, '/workers');
      const [first = '', second = '', third = ''] = ids;
      await statusOf(page, third, 'Running');

      await fleet.end(first, 'crashed');
      await statusOf(page, first, 'Crashed');
      // Other workers serve its queue, and that is not all there is to say.
      const summary = page.getByRole('region', { name: 'Queues without workers' });
      await expect(summary).toContainText('worker crash', { timeout: 20_000 });
      const replacement = `app-a-${100 * (round + 1) + 50}`;
      await fleet.start(replacement, 100 * (round + 1) + 50);
      await statusOf(page, replacement, 'Running');
      await expect(card(page, first)).toHaveCount(0);
      await fleet.end(second, 'stopped');
      await fleet.end(third, 'stopped');
      await fleet.end(replacement, 'crashed');
      await statusOf(page, replacement, 'Crashed');
      await expect(page.getByText('No live workers.')).toBeVisible({ timeout: 20_000 });
      await expectStill(page, `/workers on ${viewport.width}`);

      const ended = page.getByRole('region', { name: 'Ended workers' });
      await expect(ended).toContainText('SIGKILL');
      expect(await ended.evaluate((region) => region.scrollWidth - region.clientWidth)).toBe(0);
      await page.getByRole('button', { name: 'Hide 3 ended cards' }).click();
      await expect(page.getByRole('article')).toHaveCount(0);
      expect(errors).toEqual([]);
      await context.close();
    }
  } finally {
    fleet.stop();
    broker.close();
  }
});
