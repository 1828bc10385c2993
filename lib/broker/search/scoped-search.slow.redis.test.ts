/** Whoever may see only some of it gets what a walk over all jobs would leave after everything else was taken out. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type AccessScope,
  scopeHasJob,
  scopeHasQueue,
  scopeReachesQueue,
} from '@/lib/contract/access/grant-scopes';
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
import { anyFilter } from '@/testing/model/any-filter';
import { anyWithin } from '@/testing/model/any-scope';
import { type Planted, plant, QUEUES, TENANTS } from '@/testing/model/search-jobs';
import { BY, START, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();
let all: Planted[];
let groups: string[];
beforeAll(async () => {
  all = await plant(world);
  groups = [...new Set(all.flatMap((job) => job.facts.group ?? []))].slice(0, 4);
}, 60_000);

const nameOf = (job: Planted) => `${job.queue}/${job.facts.id}`;
const ENDED = new Set<JobState>(['completed', 'dead', 'suppressed', 'trashed']);
const isWithin = (within: AccessScope, { queue, facts }: Planted) => scopeHasJob(within, queue, facts.tenant);

function expected(filter: Filter, state: JobState, within: AccessScope, queue?: string): Planted[] {
  const sign = ENDED.has(state) ? -1 : 1;
  return all
    .filter(
      (job) =>
        job.state === state &&
        (queue ?? job.queue) === job.queue &&
        isWithin(within, job) &&
        matches(filter, job.facts, START),
    )
    .sort(
      (a, b) =>
        sign * (a.score - b.score) ||
        (a.queue < b.queue ? -1 : a.queue > b.queue ? 1 : a.shard - b.shard) ||
        sign * (a.facts.id < b.facts.id ? -1 : 1),
    );
}
const anyQuery = () =>
  anyFilter(groups)
    .map(printQuery)
    .filter((text) => parseQuery(text).ok)
    .map((q) => ({ q, filter: parseQueryOrThrow(q) }));
const anyState = fc.constantFrom(...JOB_STATES, ...Array.from({ length: 6 }, () => 'dead' as const));
const runs = (usual: number) => Number(process.env.RUNS ?? usual);

/** Every page of a list, by its cursors. */
async function pages(
  next: (
    cursor: string | undefined,
  ) => Promise<{ jobs: readonly { queue: string; jobId: string }[]; nextCursor: string | null }>,
): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 1_000; page += 1) {
    const { jobs, nextCursor } = await next(cursor);
    seen.push(...jobs.map(({ queue, jobId }) => `${queue}/${jobId}`));
    if (nextCursor === null) return seen;
    cursor = nextCursor;
  }
  throw new Error('There is no end to these pages.');
}

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

describe('only what lies within', () => {
  it('is found in pages, each once, in order, and counted', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyQuery(),
        anyWithin,
        anyState,
        fc.integer({ min: 1, max: 80 }),
        fc.constantFrom(undefined, 30, 200),
        async ({ q, filter }, within, state, limit, budget) => {
          const wanted = expected(filter, state, within);
          const looksPast = QUEUES.some(
            (queue) => scopeReachesQueue(within, queue) && !scopeHasQueue(within, queue),
          );
          const seen = await pages(async (cursor) => {
            const page = await world.broker.inspect.search({ state, q, within }, { cursor, limit, budget });
            expect(page.matching.count).toBeLessThanOrEqual(wanted.length);
            if (page.matching.exact) expect(page.matching.count).toBe(wanted.length);
            // How much else there is cannot be told from how much was looked at.
            if (looksPast) expect(page.scan.of).toBeLessThanOrEqual(wanted.length);
            return page;
          });
          expect(seen).toEqual(wanted.map(nameOf));
        },
      ),
      { numRuns: runs(80) },
    );
  }, 120_000);

  it('is streamed', async () => {
    await fc.assert(
      fc.asyncProperty(anyQuery(), anyWithin, anyState, async ({ q, filter }, within, state) => {
        const seen: string[] = [];
        for await (const event of world.broker.inspect.searchStream({ state, q, within }, { limit: 900 }))
          if ('jobs' in event) seen.push(...event.jobs.map((job) => `${job.queue}/${job.jobId}`));
        expect(seen).toEqual(expected(filter, state, within).map(nameOf));
      }),
      { numRuns: runs(40) },
    );
  }, 120_000);

  it('is listed of a queue, in full pages', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('', 'type:mail*', 'attempts:1'),
        anyWithin,
        fc.constantFrom(...JOB_STATES),
        fc.constantFrom(...QUEUES),
        fc.integer({ min: 1, max: 40 }),
        async (q, within, state, queue, limit) => {
          const wanted = expected(parseQueryOrThrow(q), state, within, queue).map(nameOf);
          let left = wanted.length;
          const seen = await pages(async (cursor) => {
            const page = await world.broker.inspect.list(queue, { state, q, within, cursor, limit });
            expect(page.jobs).toHaveLength(Math.min(limit, left));
            expect(page.total).toBeLessThanOrEqual(wanted.length);
            left -= page.jobs.length;
            return page;
          });
          expect([...seen].sort()).toEqual([...wanted].sort());
        },
      ),
      { numRuns: runs(80) },
    );
  }, 120_000);

  it('is counted in facets, which name nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(anyQuery(), anyWithin, anyState, async ({ q, filter }, within, state) => {
        const jobs = expected(filter, state, within);
        const { facets, matching, sampled } = await world.broker.inspect.facets({ state, q, within });
        expect({ matching, sampled }).toEqual({
          matching: { count: jobs.length, exact: true },
          sampled: null,
        });
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
      }),
      { numRuns: runs(60) },
    );
  }, 120_000);

  it('makes up failure groups, and what is told of each', async () => {
    await fc.assert(
      fc.asyncProperty(anyQuery(), anyWithin, async ({ q, filter }, within) => {
        const jobs = expected(filter, 'dead', within);
        const page = await world.broker.inspect.groups({ q, within });
        expect(page.matching).toEqual({ count: jobs.length, exact: true });
        expect(page.total).toBe(Object.keys(recount(jobs, (facts) => facts.group)).length);
        for (const group of page.groups) {
          const members = jobs.filter((job) => job.facts.group === group.group);
          expect(group.count).toBe(members.length);
          expect(shown(group.tenants)).toEqual(recount(members, (facts) => facts.tenant));
          expect(shown(group.queues)).toEqual(recount(members, (facts) => facts.queue));
          // Of all that is dead within, whatever else the query says.
          const mine = all.filter(
            (job) => job.state === 'dead' && job.facts.group === group.group && isWithin(within, job),
          );
          const sample = mine.find(
            (job) => job.facts.id === group.sample?.jobId && job.queue === group.sample.queue,
          );
          expect(sample?.facts.message).toBe(group.message);
          expect(sample?.score).toBe(Math.max(...mine.map((job) => job.score)));
          const hourOf = (job: (typeof mine)[number]) => Math.ceil((START - job.score) / 3_600_000);
          expect(group.lastHour?.reduce((sum, count) => sum + count, 0) ?? 0).toBe(
            mine.filter((job) => hourOf(job) <= 1).length,
          );
          if (mine.some((job) => scopeHasQueue(within, job.queue))) continue;
          expect(group.firstSeen).toBe(Math.min(...mine.map((job) => job.score)));
          expect(group.lastSeen).toBe(Math.max(...mine.map((job) => job.score)));
          const lately = mine.filter(
            (job) => Math.floor(START / 3_600_000) - Math.floor(job.score / 3_600_000) < 24,
          );
          expect(group.trend.reduce((sum, count) => sum + count, 0)).toBe(lately.length);
        }
      }),
      { numRuns: runs(40) },
    );
  }, 120_000);

  it('has a failure group, or there is none of that id', async () => {
    const dead = all.filter((job) => job.state === 'dead');
    const ids = [...new Set(dead.flatMap((job) => job.facts.group ?? []))];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...ids), anyWithin, async (id, within) => {
        const mine = dead.filter((job) => job.facts.group === id && isWithin(within, job));
        const found = await world.broker.inspect.group(id, within).catch((error: unknown) => error);
        if (mine.length === 0) expect(found).toMatchObject({ code: 'GROUP_NOT_FOUND' });
        else expect(found).toMatchObject({ group: id, count: mine.length });
      }),
      { numRuns: runs(60) },
    );
  }, 60_000);

  it('says nothing of a group that people named, where none of it is within', async () => {
    const theirs = all.find((job) => job.state === 'dead' && job.facts.tenant !== 'ab');
    const group = theirs?.facts.group ?? '';
    const within = [{ queue: '*', tenants: ['nobody'] }];
    await world.broker.groups.change(group, { name: 'theirs', status: 'muted' }, BY);
    for (const call of [
      () => world.broker.inspect.group(group, within),
      () => world.broker.groups.change(group, { name: 'mine now' }, BY, within),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'GROUP_NOT_FOUND' });
    expect((await world.broker.inspect.groups({ q: '', within })).groups).toEqual([]);
  });

  it('is suggested', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('type', 'tenant', 'queue', 'code', 'id', 'key', 'correlation'),
        anyWithin,
        anyState,
        async (field, within, state) => {
          const jobs = expected({ kind: 'all' }, state, within);
          const q = `${field}:`;
          const found = await world.broker.inspect.suggest({ q, caret: q.length, state, within });
          const values = new Set(
            jobs.map(({ facts }) => new Map(Object.entries(facts)).get(field)).map(String),
          );
          for (const { insert } of found) {
            const there = values.has(insert.replace(/^"(.*)"$/s, '$1').replace(/\\(.)/g, '$1'));
            // A queue may be named though nothing of it is in this state just now.
            expect(there || (field === 'queue' && scopeReachesQueue(within, insert))).toBe(true);
          }
        },
      ),
      { numRuns: runs(80) },
    );
  }, 60_000);

  it('is what payload paths and values are suggested from', async () => {
    const within = (tenant: string) => [{ queue: 'pay', tenants: [tenant] }];
    const ask = (tenant: string) =>
      world.broker.inspect.suggest({ q: 'payload.', caret: 8, within: within(tenant) });
    expect((await ask('a')).length).toBeGreaterThan(0);
    expect(await ask('nobody')).toEqual([]);
  });

  it('is exported', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyQuery(),
        anyWithin,
        anyState,
        fc.boolean(),
        async ({ q, filter }, within, state, ticked) => {
          const some = all.filter((job) => job.state === state).slice(0, 150);
          const jobs = some.map(({ queue, facts }) => ({ queue, jobId: facts.id }));
          if (ticked && jobs.length === 0) return;
          const wanted = ticked
            ? some.filter((job) => isWithin(within, job))
            : expected(filter, state, within);
          const scope = { state, within, ...(ticked ? { jobs } : { q }) };
          const found: string[] = [];
          const options = { at: START, cutoff: null, limit: 10_000 };
          for await (const { facts } of world.broker.inspect.matching(scope, options))
            found.push(`${facts.queue}/${facts.id}`);
          expect(found.sort()).toEqual(wanted.map(nameOf).sort());
        },
      ),
      { numRuns: runs(40) },
    );
  }, 120_000);

  it('may be of a thousand tenants', async () => {
    const many = Array.from({ length: 1_000 }, (_, i) => `t${i}`);
    for (const tenants of [many, [...many, ...TENANTS.slice(0, 2)]])
      for (const state of ['dead', 'ready', 'completed'] as const) {
        const within = [{ queue: '*', tenants }];
        const page = await world.broker.inspect.search({ state, q: '', within }, { limit: 500 });
        expect(page.jobs.map((job) => `${job.queue}/${job.jobId}`)).toEqual(
          expected({ kind: 'all' }, state, within).map(nameOf),
        );
      }
  });
});
