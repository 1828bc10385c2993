/** 1,201 queues: the last of them is in every answer over all, who sees some sees only those, and what is cut is said. */
import { beforeAll, describe, expect, test } from 'vitest';
import { createKeys } from '@/lib/broker/redis/redis-keys';
import type { Frame } from '@/lib/contract/live/live-frame';
import type { Overview, QueueMinutes } from '@/lib/contract/queues/queue-schemas';
import { until } from '@/testing/poll';
import { type Headers, OTHER_QUEUE, type People, signInAll } from '@/testing/security/two-scopes';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';

const OTHERS = 1_200;
const LAST = 'zz-payments';

const world = await setUpConsole();
let people: People;
const pageOf = async (query: string, headers: Headers): Promise<Overview> => {
  const { status, body } = await callApi('GET', `/api/v1/queues${query}`, { headers });
  expect(status).toBe(200);
  return body as unknown as Overview;
};

beforeAll(async () => {
  process.env.REDRIVE_RATE_FACTOR = '1000';
  people = await signInAll(world);
  const redis = world.redis.connect();
  const names = Array.from({ length: OTHERS }, (_, i) => [Date.now(), `junk${i}`]);
  await redis.zadd(createKeys('rd').global('queues'), ...names.flat());
  for (const queue of [LAST, OTHER_QUEUE, 'alpha']) {
    await world.broker.enqueue(queue, { jobId: 'p1', jobType: 'pay' });
    await world.broker.enqueue(queue, { jobId: 'p2', jobType: 'pay' });
    await world.broker.cancel(queue, ['p2'], { actor: 'tester', reason: 'a test' });
  }
  // Read in turns: all were read once.
  await until(async () => (await pageOf('?limit=1', people.admin)).unread === 0, {
    what: 'every queue to be read',
    timeoutMs: 20_000,
  });
});

describe('H3: more queues than fit', () => {
  test('H3: the last is found by its name and is in the sums, and the pages have every queue once', async () => {
    const found = await pageOf('?q=PAYM', people.admin);
    expect(found).toMatchObject({ total: OTHERS + 3, matching: 1, nextCursor: null });
    expect(found.queues).toMatchObject([{ queue: LAST, counts: { ready: 1, dead: 1 }, level: 'bad' }]);
    expect(found.sums.counts).toMatchObject({ ready: 3, dead: 3 });
    expect(found.verdict.findings.flatMap(({ queues }) => queues.named)).toContain(LAST);
    const all = new Set<string>();
    let cursor: string | null = '';
    for (let pages = 0; cursor !== null && pages < 10; pages++) {
      const part = await pageOf(`?sort=name&limit=500${cursor && `&cursor=${cursor}`}`, people.admin);
      for (const { queue } of part.queues) all.add(queue);
      cursor = part.nextCursor;
    }
    expect(all.size).toBe(OTHERS + 3);
  });

  test('H3: the troubled come first in what the stream and the first page bring, which hold 50 at most', async () => {
    const first = await pageOf('', people.admin);
    expect(first.queues).toHaveLength(50);
    expect(first.queues.slice(0, 3).map(({ queue }) => queue)).toContain(LAST);
    const { getSampler } = await import('@/lib/server/live/sampler');
    const { visibleFrame } = await import('@/lib/server/live/visible-frame');
    const { FULL_SCOPE: EVERYWHERE } = await import('@/lib/contract/access/grant-scopes');
    const frame: Frame = visibleFrame(await getSampler().current(), EVERYWHERE);
    expect(frame.overview.queues).toHaveLength(50);
    expect(frame.overview.queues.slice(0, 3).map(({ queue }) => queue)).toContain(LAST);
    expect(frame.overview.total).toBe(OTHERS + 3);
  });

  test('a page is small, and made once for all who see the same', async () => {
    const rows = await callApi('GET', '/api/v1/queues', { headers: people.admin });
    expect((await rows.response.clone().arrayBuffer()).byteLength).toBeLessThan(60_000);
    const { getSampler } = await import('@/lib/server/live/sampler');
    const { SnapshotBodies } = await import('@/lib/server/live/snapshot-bodies');
    const bodies = new SnapshotBodies();
    const sample = await getSampler().current();
    let made = 0;
    const make = () => ({ ageMs: 99, made: ++made });
    const text = (version: number, key: string) =>
      new TextDecoder().decode(bodies.body({ ...sample, version }, key, make));
    const { ageMs } = sample.frame.overview;
    expect([text(1, 'all'), text(1, 'all'), text(1, 'some'), text(2, 'all')]).toEqual(
      [1, 1, 2, 3].map((n) => `{"ageMs":${ageMs},"made":${n}}`),
    );
  });

  test('the metrics of all are one text, written in parts', async () => {
    const { response } = await callApi('GET', '/metrics', { headers: people.admin });
    const lines = (await response.text()).trimEnd().split('\n');
    const heads = lines.filter((line) => line.startsWith('# HELP'));
    expect(new Set(heads).size).toBe(heads.length);
    const counts = lines.filter((line) => /^redis_job_\w+_count\{queue="/.test(line));
    expect(counts.length % (OTHERS + 3)).toBe(0);
    expect(new Set(counts).size).toBe(counts.length);
    expect(counts.some((line) => line.includes(`"${LAST}"`))).toBe(true);
  });

  test('a second of frames is small while nothing happens in the queues', async () => {
    const { response } = await callApi('GET', '/api/v1/stream', { headers: people.admin });
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    let text = '';
    const changes = () => text.split('\n\n').filter((event) => event.startsWith('event: change'));
    while (changes().length < 7) text += decoder.decode((await reader?.read())?.value, { stream: true });
    await reader?.cancel();
    // The first may still hold rates that settle. Of the others the middle one: neither a lucky frame nor an unlucky one decides.
    const sizes = changes()
      .slice(1, 6)
      .map(({ length }) => length)
      .sort((a, b) => a - b);
    expect(sizes[2]).toBeLessThan(2_000);
    expect(text.indexOf('event: frame')).toBeLessThan(text.indexOf('event: change'));
  });

  test('minutes are of the named queues that one may see', async () => {
    const { body } = await callApi('GET', `/api/v1/minutes?queues=${LAST},${OTHER_QUEUE}`, {
      headers: people.ofOtherQueue,
    });
    const minutes = body as unknown as QueueMinutes;
    expect(minutes.queues.map(({ queue }) => queue)).toEqual([OTHER_QUEUE]);
    expect((await callApi('GET', '/api/v1/minutes?queues=a,,b', { headers: people.admin })).status).toBe(400);
  });

  test('H3: who may see one queue sees it, its sums and its total, whatever is asked', async () => {
    for (const query of ['', '?q=paym', '?sort=name&limit=1', '?sort=dead&order=asc'])
      expect(JSON.stringify(await pageOf(query, people.ofOtherQueue))).not.toMatch(/junk|payments|alpha/);
    const own = await pageOf('', people.ofOtherQueue);
    expect(own).toMatchObject({ total: 1, matching: 1, unread: 0, nextCursor: null });
    expect(own.sums.counts).toMatchObject({ ready: 1, dead: 1 });
    expect(await pageOf('?q=paym', people.ofOtherQueue)).toMatchObject({ matching: 0, queues: [] });
  });

  test('H3: its own numbers, metrics and stats have it, and say what they leave out', async () => {
    const { body } = await callApi('GET', `/api/v1/queues/${LAST}`, { headers: people.admin });
    expect(body).toMatchObject({ queue: { queue: LAST, counts: { ready: 1 } } });
    const { response } = await callApi('GET', '/metrics', { headers: people.admin });
    const text = await response.clone().text();
    expect(text).toContain(`redis_job_ready_depth{queue="${LAST}"} 1`);
    expect(text).toContain(`redrive_queues ${OTHERS + 3}`);
    expect(text).toContain('redrive_queues_left_out 0');
    const some = await callApi('GET', '/stats?q=paym', { headers: people.admin });
    expect(some.body).toMatchObject({
      total: OTHERS + 3,
      nextCursor: null,
      queues: { [LAST]: { ready: 1 } },
    });
    const paged = await callApi('GET', '/stats?limit=1000', { headers: people.admin });
    expect(paged.body.nextCursor).toEqual(expect.any(String));
  });

  test.each(['?limit=501', '?limit=0', '?sort=luck', '?order=up', '?cursor=x', '?page=2'])(
    'H3: refuses %s, which it does not know',
    async (query) => {
      const { status } = await callApi('GET', `/api/v1/queues${query}`, { headers: people.admin });
      expect(status).toBe(400);
    },
  );

  test('a queue that is younger than the last reading has its numbers at once', async () => {
    await pageOf('?limit=1', people.admin);
    await world.broker.enqueue('just-made', { jobId: 'p1', jobType: 'pay' });
    const { status, body } = await callApi('GET', '/api/v1/queues/just-made', { headers: people.admin });
    expect([status, body]).toMatchObject([200, { fresh: true, queue: { counts: { ready: 1 } } }]);
    const none = await callApi('GET', '/api/v1/queues/never-made', { headers: people.admin });
    expect(none.status).toBe(404);
  });
});
