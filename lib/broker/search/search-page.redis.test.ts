/** Searches, facets and groups say what a walk over all jobs would, in order and over any pages. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { JOB_STATES, type JobState } from '@/lib/contract/jobs/job-states';
import {
  type Filter,
  type JobFacts,
  matches,
  parseQuery,
  parseQueryOrThrow,
  printQuery,
} from '@/lib/contract/search/query';
import { AGE_BUCKETS } from '@/lib/contract/search/search-limits';
import type { Facets } from '@/lib/contract/search/search-schemas';
import { anyFilter } from '@/testing/model/any-filter';
import { type Planted, plant, QUEUES } from '@/testing/model/search-jobs';
import { START, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();
let all: Planted[];
let groups: string[];
beforeAll(async () => {
  all = await plant(world);
  groups = [...new Set(all.flatMap((job) => job.facts.group ?? []))].slice(0, 4);
}, 60_000);

const nameOf = (job: Planted) => `${job.queue}/${job.facts.id}`;
const ENDED = new Set<JobState>(['completed', 'dead', 'suppressed', 'trashed']);

/** By score, then queue and shard, then id; what has ended from the newest. */
function expected(filter: Filter, state: JobState, queue?: string): Planted[] {
  const sign = ENDED.has(state) ? -1 : 1;
  return all
    .filter(
      (job) => job.state === state && (queue ?? job.queue) === job.queue && matches(filter, job.facts, START),
    )
    .sort(
      (a, b) =>
        sign * (a.score - b.score) ||
        (a.queue < b.queue ? -1 : a.queue > b.queue ? 1 : a.shard - b.shard) ||
        sign * (a.facts.id < b.facts.id ? -1 : 1),
    );
}
/** Filters that can be typed, with what they mean. */
const anyQuery = () =>
  anyFilter(groups)
    .map(printQuery)
    .filter((text) => parseQuery(text).ok)
    .map((q) => ({ q, filter: parseQueryOrThrow(q) }));
const anyState = fc.constantFrom(...JOB_STATES, ...Array.from({ length: 6 }, () => 'dead' as const));
const runs = (usual: number) => Number(process.env.RUNS ?? usual);

describe('a search', () => {
  it('finds in pages of any size what matches, each once, in order, and counts it', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyQuery(),
        anyState,
        fc.constantFrom(undefined, ...QUEUES),
        fc.integer({ min: 1, max: 80 }),
        fc.constantFrom(undefined, 30, 200),
        async ({ q, filter }, state, queue, limit, budget) => {
          const wanted = expected(filter, state, queue);
          const seen: string[] = [];
          let cursor: string | undefined;
          let pages = 0;
          do {
            const page = await world.broker.inspect.search({ state, q, queue }, { cursor, limit, budget });
            if (page.matching.exact) expect(page.matching.count).toBe(wanted.length);
            else expect(page.matching.count).toBeLessThanOrEqual(wanted.length);
            expect(page.jobs.length).toBeLessThanOrEqual(limit);
            seen.push(...page.jobs.map((job) => `${job.queue}/${job.jobId}`));
            expect(page.scan.found).toBe(seen.length);
            expect(page.scan.scanned).toBeLessThanOrEqual(page.scan.of);
            expect(page.unavailable).toBeUndefined();
            expect(page.nextCursor?.length ?? 0).toBeLessThanOrEqual(600);
            if (page.nextCursor === null)
              expect(page.matching).toEqual({ count: wanted.length, exact: true });
            cursor = page.nextCursor ?? undefined;
          } while (cursor && ++pages < 1_000);
          expect(seen).toEqual(wanted.map(nameOf));
        },
      ),
      { numRuns: runs(120) },
    );
  }, 120_000);

  it('finds the same when it is streamed', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyQuery(),
        anyState,
        fc.integer({ min: 1, max: 700 }),
        async ({ q, filter }, state, limit) => {
          const wanted = expected(filter, state);
          const seen: string[] = [];
          let ended = 0;
          for await (const event of world.broker.inspect.searchStream({ state, q }, { limit })) {
            expect(ended).toBe(0);
            if ('jobs' in event) seen.push(...event.jobs.map((job) => `${job.queue}/${job.jobId}`));
            if ('end' in event) {
              ended += 1;
              if (wanted.length > limit) expect(event.end.nextCursor).not.toBeNull();
              if (wanted.length < limit)
                expect(event.end).toMatchObject({
                  nextCursor: null,
                  matching: { count: wanted.length, exact: true },
                });
            }
          }
          expect(ended).toBe(1);
          expect(seen).toEqual(wanted.slice(0, limit).map(nameOf));
        },
      ),
      { numRuns: runs(60) },
    );
  }, 120_000);

  it('shows all of a query that is empty', async () => {
    const page = await world.broker.inspect.search({ state: 'dead', q: '  ' }, { limit: 500 });
    expect(page.jobs.length).toBe(expected({ kind: 'all' }, 'dead').length);
  });
});

const recount = (jobs: readonly Planted[], of: (facts: JobFacts) => string | null) => {
  const counts = new Map<string, number>();
  for (const { facts } of jobs) {
    const value = of(facts);
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
};
const shown = (values: readonly { value: string; count: number }[]) =>
  Object.fromEntries(values.map(({ value, count }) => [value, count]));

describe('facets', () => {
  it('are a recount of what matches', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyQuery(),
        anyState,
        fc.constantFrom(undefined, ...QUEUES),
        async ({ q, filter }, state, queue) => {
          const jobs = expected(filter, state, queue);
          const found: Facets = await world.broker.inspect.facets({ state, q, queue });
          expect(found).toMatchObject({
            sampled: null,
            ageSampled: null,
            matching: { count: jobs.length, exact: true },
          });
          const { facets } = found;
          expect(shown(facets.queue)).toEqual(recount(jobs, (facts) => facts.queue));
          expect(shown(facets.type)).toEqual(recount(jobs, (facts) => facts.type));
          expect(shown(facets.tenant)).toEqual(recount(jobs, (facts) => facts.tenant));
          expect(shown(facets.code)).toEqual(recount(jobs, (facts) => facts.code));
          expect(shown(facets.class)).toEqual(recount(jobs, (facts) => facts.class));
          expect(shown(facets.attempts)).toEqual(recount(jobs, (facts) => String(facts.attempts)));
          expect(facets.age).toEqual(
            AGE_BUCKETS.map(({ value, query }) => ({
              value,
              count: jobs.filter((job) => matches(parseQueryOrThrow(query), job.facts, START)).length,
            })),
          );
        },
      ),
      { numRuns: runs(100) },
    );
  }, 120_000);
});

describe('groups', () => {
  it('are those of what matches, each with whom it hits', async () => {
    await fc.assert(
      fc.asyncProperty(anyQuery(), async ({ q, filter }) => {
        const jobs = expected(filter, 'dead');
        const page = await world.broker.inspect.groups({ q });
        expect(page).toMatchObject({ sampled: null, matching: { count: jobs.length, exact: true } });
        const counts = recount(jobs, (facts) => facts.group);
        expect(page.total).toBe(Object.keys(counts).length);
        // At most a hundred, and those with most.
        expect(page.groups.length).toBe(Math.min(100, page.total));
        expect(page.groups.map(({ count }) => count)).toEqual(
          Object.values(counts)
            .sort((a, b) => b - a)
            .slice(0, 100),
        );
        for (const [i, group] of page.groups.entries()) {
          const members = jobs.filter((job) => job.facts.group === group.group);
          expect(group.count).toBe(members.length);
          expect(shown(group.queues)).toEqual(recount(members, (facts) => facts.queue));
          expect(shown(group.tenants)).toEqual(recount(members, (facts) => facts.tenant));
          expect(shown(group.versions)).toEqual(recount(members, (facts) => String(facts.version)));
          expect(group.tenantCount).toBe(group.tenants.length);
          const every = all.filter((job) => job.facts.group === group.group && job.state === 'dead');
          expect(group.lastSeen).toBeGreaterThanOrEqual(Math.max(...every.map((job) => job.score)));
          expect(group.firstSeen).toBeLessThanOrEqual(Math.min(...every.map((job) => job.score)));
          expect(
            every.some((job) => job.facts.id === group.sample?.jobId && job.facts.message === group.message),
          ).toBe(true);
          const before = page.groups[i - 1];
          if (before) expect(before.count).toBeGreaterThanOrEqual(group.count);
        }
      }),
      { numRuns: runs(60) },
    );
  }, 120_000);
});
