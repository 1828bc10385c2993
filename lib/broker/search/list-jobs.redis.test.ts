/** Pages by cursor: exact while the list changes under the reader, even where thousands of entries share one time. */
import { describe, expect, it } from 'vitest';
import type { JobState } from '@/lib/contract/jobs/job-states';
import { claimAll, enqueueAll, ids, jobs, killAll, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

/** Reads all pages; `between` runs after each. */
async function readAll(
  queue: string,
  state: JobState,
  limit: number,
  between: (page: number) => Promise<void> = async () => {},
): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 1_000; page++) {
    const reply = await world.broker.inspect.list(queue, { state, limit, cursor });
    seen.push(...ids(reply.jobs));
    if (reply.nextCursor === null) return seen;
    cursor = reply.nextCursor;
    await between(page);
  }
  throw new Error('the list does not end');
}

describe('a list', () => {
  it.each([1, 7, 50, 499, 500])(
    'shows 2,500 jobs of one millisecond once each, %i to a page',
    async (limit) => {
      const queue = world.freshQueue();
      const count = limit === 1 ? 150 : 2_500;
      await enqueueAll(world.broker, queue, jobs(count, 0, { delayMs: 1_000 }));
      expect(await readAll(queue, 'scheduled', limit)).toEqual(jobs(count).map((job) => job.jobId));
    },
  );

  it('of the line is in order of priority, then of arrival', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(120));
    await enqueueAll(world.broker, queue, jobs(120, 500, { priority: 9 }));
    const expected = [...jobs(120, 500), ...jobs(120)].map((job) => job.jobId);
    expect(await readAll(queue, 'ready', 50)).toEqual(expected);
    expect(ids(await claimAll(world.broker, queue))).toEqual(expected);
  });

  it.each(['scheduled', 'dead'] as const)(
    'of what is %s skips and repeats nothing that stayed, though others come and go',
    async (state) => {
      const queue = world.freshQueue();
      const delay = state === 'scheduled' ? { delayMs: 1_000 } : {};
      const put = (count: number, from: number) =>
        state === 'scheduled'
          ? enqueueAll(world.broker, queue, jobs(count, from, delay))
          : killAll(world.broker, queue, jobs(count, from));
      await put(3_000, 0);
      const original = jobs(3_000).map((job) => job.jobId ?? '');
      const removed = new Set<string>();
      let added = 10_000;
      const seen = await readAll(queue, state, 100, async (page) => {
        // Some already shown, some still to come, the very one the cursor stands on, and new ones among them.
        const shown = state === 'scheduled' ? page * 100 + 99 : 2_999 - (page * 100 + 99);
        const victims = [shown, (page * 37) % 3_000, (page * 91 + 1_500) % 3_000].map(
          (i) => original[((i % 3_000) + 3_000) % 3_000] ?? '',
        );
        await world.broker.remove(queue, victims);
        for (const id of victims) removed.add(id);
        await put(5, added);
        added += 5;
      });
      expect(new Set(seen).size).toBe(seen.length);
      const untouched = original.filter((id) => !removed.has(id));
      const set = new Set(seen);
      expect(untouched.filter((id) => !set.has(id))).toEqual([]);
    },
  );

  it('refuses a cursor it did not make, in one sentence', async () => {
    const queue = world.freshQueue();
    for (const cursor of [
      '',
      'x',
      '!!',
      Buffer.from('{}').toString('base64url'),
      Buffer.from('{"score":"nan","jobId":"a"}').toString('base64url'),
      Buffer.from('{"score":"1","jobId":"a\\nb"}').toString('base64url'),
    ])
      await expect(world.broker.inspect.list(queue, { state: 'ready', cursor })).rejects.toMatchObject({
        code: 'BAD_CURSOR',
      });
  });

  it('counts exactly, and its last page costs Redis no more commands than a few halvings', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(8_192, 0, { delayMs: 1_000 }));
    let cursor: string | undefined;
    let reads = 0;
    do {
      await world.redis.config('RESETSTAT');
      const page = await world.broker.inspect.list(queue, { state: 'scheduled', limit: 500, cursor });
      expect(page.total).toBe(8_192);
      const stats = await world.redis.info('commandstats');
      reads = [...stats.matchAll(/cmdstat_z\w+:calls=(\d+)/g)].reduce(
        (sum, match) => sum + Number(match[1]),
        0,
      );
      expect(reads).toBeLessThanOrEqual(20);
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(reads).toBeGreaterThan(1);
  });
});

describe('dead letters', () => {
  it('of several queues with equal times of death come newest first, each once', async () => {
    const queues = [world.freshQueue(), world.freshQueue(), world.freshQueue()];
    const expected: string[] = [];
    for (let round = 0; round < 4; round++) {
      for (const queue of queues) {
        await killAll(world.broker, queue, jobs(90, round * 100));
        expected.push(...jobs(90, round * 100).map((job) => `${queue} ${job.jobId}`));
      }
      world.clock.now += 1;
    }
    for (const q of ['', 'type:demo', 'type:demo class:permanent']) {
      const seen: { key: string; at: number }[] = [];
      let cursor: string | undefined;
      do {
        const page = await world.broker.inspect.search({ state: 'dead', q }, { limit: 110, cursor });
        seen.push(
          ...page.jobs
            .filter((job) => queues.includes(job.queue))
            .map((job) => ({ key: `${job.queue} ${job.jobId}`, at: job.stateAt ?? 0 })),
        );
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
      expect(seen.map((entry) => entry.key).sort()).toEqual([...expected].sort());
      expect(seen.every((entry, i) => i === 0 || entry.at <= (seen[i - 1]?.at ?? 0))).toBe(true);
    }
  });
});
