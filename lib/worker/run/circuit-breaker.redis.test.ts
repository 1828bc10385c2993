/** A downstream that fails for real: what reaches it, what it costs the jobs, and what the console can see of it. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '@/testing/poll';
import { setUpWorkshop } from '@/testing/worlds/workers';
import { RateLimitedError, RetryableError } from './job-errors';

const shop = await setUpWorkshop();
let downstream: Server;
let url: string;
let answer: { status: number; retryAfter?: string } = { status: 200 };
let requests = 0;
beforeAll(async () => {
  downstream = createServer((_, response) => {
    requests += 1;
    response.statusCode = answer.status;
    if (answer.retryAfter) response.setHeader('retry-after', answer.retryAfter);
    response.end();
  });
  await new Promise<void>((resolve) => downstream.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(downstream.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await shop.next();
  answer = { status: 200 };
  requests = 0;
});
afterAll(async () => {
  downstream.close();
});

async function call(): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
  const retryAfterMs = 1_000 * Number(response.headers.get('retry-after') ?? 0);
  if (response.status === 429) throw new RateLimitedError(retryAfterMs);
  if (!response.ok) throw new RetryableError(`HTTP_${response.status}`, 'down', { retryAfterMs });
  return 'delivered';
}
const BREAKER = { failureThreshold: 3, windowMs: 10_000, cooldownMs: 400, cooldownMaxMs: 400 };
/** Longer than the test: a job that failed is not tried again while it looks. */
const LATER = { curve: 'fixed' as const, baseMs: 3_600_000, factor: 1, maxMs: 3_600_000, jitter: 0 };
const breakersOf = async (workerId: string) =>
  (await shop.broker.workers.list()).workers.find((worker) => worker.workerId === workerId)?.breakers;

describe('a handler whose downstream is away', () => {
  it('stops calling it; its jobs wait without burning attempts or spinning, and are done when it is back', async () => {
    answer = { status: 503 };
    const ids = await Promise.all(Array.from({ length: 40 }, () => shop.enqueue()));
    const { worker, events, count } = shop.work(call, {
      breaker: BREAKER,
      retry: { ...LATER, baseMs: 200, maxMs: 200 },
    });
    const changes = () => events.flatMap((event) => (event.type === 'breaker' ? [event.state] : []));
    await until(() => changes().filter((state) => state === 'half-open').length >= 4, {
      what: 'four trials',
      timeoutMs: 20_000,
    });
    // Three opened it; up to four more were on their way; then it was one trial a cooldown.
    const trials = changes().filter((state) => state === 'half-open').length;
    expect(requests).toBeLessThanOrEqual(3 + 4 + trials);
    const [reading] = await shop.broker.inspect.snapshot([shop.queue]);
    // Each job may come back once a quarter cooldown at the most, and does so far less often.
    expect(reading?.totals.released).toBeLessThanOrEqual(40 * 4 * (trials + 1));
    expect(count('failed')).toBeLessThanOrEqual(requests);
    await until(
      async () => ['open', 'half-open'].includes((await breakersOf(worker.workerId))?.[0]?.state ?? ''),
      {
        what: 'the report to show it open',
      },
    );
    const [shown] = (await breakersOf(worker.workerId)) ?? [];
    expect(shown).toMatchObject({ jobType: 'demo.run' });
    expect(shown?.failures).toBeGreaterThanOrEqual(3);

    answer = { status: 200 };
    const jobs = await Promise.all(ids.map((id) => shop.becomes(id, 'completed', 20_000)));
    expect(changes().at(-1)).toBe('closed');
    // What burnt an attempt is what reached the other side.
    const burnt = jobs.reduce((sum, job) => sum + job.attempt - 1, 0);
    expect(burnt).toBe(count('failed'));
    expect(requests).toBe(40 + burnt);
    expect(await shop.broker.inspect.ledger(shop.queue)).toMatchObject({ difference: 0, strayRows: 0 });
  });

  it('does not call sooner than it was asked to', async () => {
    answer = { status: 429, retryAfter: '3600' };
    const ids = await Promise.all(Array.from({ length: 6 }, () => shop.enqueue()));
    const { saw, worker } = shop.work(call, {
      concurrency: 1,
      breaker: { ...BREAKER, cooldownMaxMs: 3_600_000 },
    });
    await saw('released', 3);
    expect(requests).toBe(3);
    await until(async () => (await breakersOf(worker.workerId))?.length, { what: 'the report to show it' });
    const [shown] = (await breakersOf(worker.workerId)) ?? [];
    expect(shown?.state).toBe('open');
    const { workers, at } = await shop.broker.workers.list();
    expect(workers.length).toBeGreaterThan(0);
    expect((shown?.retryAt ?? 0) - at).toBeGreaterThan(3_500_000);
    for (const id of ids) expect((await shop.becomes(id, 'retry')).stateAt).toBeGreaterThan(at + 3_500_000);
    // All were claimed once: three ran, three were given back for as long as the breaker stays open.
    const [reading] = await shop.broker.inspect.snapshot([shop.queue]);
    expect(reading?.totals).toMatchObject({ claimed: 6, failed: 3, released: 3 });
  });

  it('leaves other job types alone', async () => {
    answer = { status: 503 };
    const other = await shop.enqueue({ jobType: 'demo.unknown', maxAttempts: 1 });
    for (let i = 0; i < 5; i++) await shop.enqueue();
    const { saw } = shop.work(call, { breaker: BREAKER, retry: LATER, concurrency: 1 });
    await saw('released');
    expect((await shop.becomes(other, 'dead')).history.at(-1)?.errorCode).toBe('UNKNOWN_TYPE');
  });
});
