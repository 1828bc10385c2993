/** Any filter finds exactly what a walk over all dead letters would. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeadFilter } from '@/lib/contract/dead';
import type { ErrorClass } from '@/lib/contract/failures';
import { claimAll, enqueueAll, ids, jobs, openWorld, START, type World } from '@/testing/world';

const TYPES = ['mail', 'mail.send', 'hook', 'm'];
const TENANTS = ['a', 'a-b', 'ab', 'b'];
const CODES = ['HTTP_500', 'HTTP_50', 'BAD', 'x.y'];
const CLASSES: ErrorClass[] = ['permanent', 'malformed', 'unsupported-version'];
const AGES = [0, 1, 999, 60_000, 3_600_000];
interface Dead {
  id: string;
  queue: string;
  type: string;
  tenant: string;
  code: string;
  class: ErrorClass;
  diedAt: number;
}

let world: World;
const queues = ['one', 'two'];
const dead: Dead[] = [];

beforeAll(async () => {
  world = await openWorld();
  for (const queue of queues)
    for (const [i, age] of [...AGES].reverse().entries()) {
      world.clock.now = START - age;
      const batch = jobs(80, i * 100).map((job, n) => ({
        ...job,
        jobType: TYPES[(n * 7) % 4] ?? 'm',
        tenantId: TENANTS[(n >> 1) % 4],
      }));
      await enqueueAll(world.broker, queue, batch);
      const taken = await claimAll(world.broker, queue);
      const why = taken.map((_, n) => ({
        errorCode: CODES[(n * 3) % 4] ?? 'BAD',
        errorClass: CLASSES[n % 3] ?? 'permanent',
        message: '',
      }));
      await world.broker.fail(
        queue,
        taken.map((job, n) => ({
          jobId: job.jobId,
          token: job.token,
          failure: why[n] ?? { errorCode: 'BAD', errorClass: 'permanent', message: '' },
        })),
      );
      taken.forEach((job, n) => {
        dead.push({
          id: job.jobId,
          queue,
          type: job.envelope.jobType,
          tenant: job.envelope.tenantId,
          code: why[n]?.errorCode ?? '',
          class: why[n]?.errorClass ?? 'permanent',
          diedAt: world.clock.now,
        });
      });
    }
  world.clock.now = START;
});
afterAll(() => world.close());

const bruteForce = (filter: DeadFilter) =>
  dead.filter(
    (job) =>
      (filter.queue ?? job.queue) === job.queue &&
      (filter.type ?? job.type) === job.type &&
      (filter.tenant ?? job.tenant) === job.tenant &&
      (filter.code ?? job.code) === job.code &&
      (filter.class ?? job.class) === job.class &&
      (filter.maxAgeMs === undefined || job.diedAt >= START - filter.maxAgeMs) &&
      (filter.minAgeMs === undefined || job.diedAt <= START - filter.minAgeMs),
  );
const optional = <T>(values: readonly T[]) => fc.constantFrom(undefined, undefined, ...values);
const ages = [0, 1, 2, 1_000, 59_999, 60_000, 60_001, 86_400_000];
const anyFilter = fc.record({
  queue: optional([...queues, 'three']),
  type: optional([...TYPES, 'nobody']),
  tenant: optional(TENANTS),
  code: optional([...CODES, 'HTTP_5']),
  class: optional(CLASSES),
  minAgeMs: optional(ages),
  maxAgeMs: optional(ages),
});

describe('a filter', () => {
  it('finds, in order and over any page size, what a walk over everything finds, and counts it exactly', async () => {
    await fc.assert(
      fc.asyncProperty(anyFilter, fc.integer({ min: 1, max: 120 }), async (filter, limit) => {
        const expected = bruteForce(filter);
        const seen: string[] = [];
        let newest = Number.POSITIVE_INFINITY;
        let cursor: string | undefined;
        do {
          const page = await world.broker.inspect.dead(filter, { limit: Math.max(limit, 20), cursor });
          expect(page.matching).toEqual({ count: expected.length, exact: true });
          for (const job of page.jobs) {
            expect(job.stateAt).toBeLessThanOrEqual(newest);
            newest = job.stateAt ?? 0;
          }
          seen.push(...page.jobs.map((job) => `${job.queue} ${job.jobId}`));
          cursor = page.nextCursor ?? undefined;
        } while (cursor);
        expect(seen.length).toBe(new Set(seen).size);
        expect([...seen].sort()).toEqual(expected.map((job) => `${job.queue} ${job.id}`).sort());
      }),
      { numRuns: 150 },
    );
  });

  it.each([undefined, 'one'])('has facets that count what is there (queue %s)', async (queue) => {
    const facets = await world.broker.inspect.deadFacets(queue);
    const among = bruteForce({ queue });
    for (const facet of ['type', 'tenant', 'code', 'class'] as const) {
      const counts = new Map<string, number>();
      for (const job of among) counts.set(job[facet], (counts.get(job[facet]) ?? 0) + 1);
      expect(new Map(facets[facet].map(({ value, count }) => [value, count]))).toEqual(counts);
      expect(
        facets[facet].every((entry, i) => i === 0 || entry.count <= (facets[facet][i - 1]?.count ?? 0)),
      ).toBe(true);
    }
    expect(facets.queue.reduce((sum, entry) => sum + entry.count, 0)).toBe(among.length);
  });
});

describe('a rare combination among many', () => {
  it('is found though a page may not look at all of it at once: no page that ends early ends the list', async () => {
    const queue = 'many';
    // 21,000 of the type and of the tenant, and both in one job only: the very oldest.
    await enqueueAll(world.broker, queue, jobs(1, 90_000, { jobType: 'rare', tenantId: 'rare' }));
    await enqueueAll(world.broker, queue, jobs(21_000, 0, { jobType: 'rare', tenantId: 'other' }));
    await enqueueAll(world.broker, queue, jobs(21_000, 30_000, { jobType: 'other', tenantId: 'rare' }));
    const all = [...jobs(1, 90_000), ...jobs(21_000), ...jobs(21_000, 30_000)].map((job) => job.jobId ?? '');
    // The oldest first, then all at one later moment.
    await world.broker.cancel(queue, all.slice(0, 1), { actor: 'tester' });
    world.clock.now += 1;
    for (let i = 1; i < all.length; i += 1_000)
      await world.broker.cancel(queue, all.slice(i, i + 1_000), { actor: 'tester' });
    const found: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await world.broker.inspect.dead(
        { queue, type: 'rare', tenant: 'rare' },
        { limit: 50, cursor },
      );
      found.push(...ids(page.jobs));
      cursor = page.nextCursor ?? undefined;
      pages += 1;
    } while (cursor && pages < 20);
    expect(found).toEqual(['j090000']);
  });
});
