/** A scan finds exactly what the language says matches, in the order of the index, however it is cut into steps. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContext } from '@/lib/broker/redis/broker-context';
import { shardRefsOf } from '@/lib/broker/shards/shard-ref';
import { type ShardedContext, withShards } from '@/lib/broker/shards/sharded-context';
import { JOB_STATES, type JobState } from '@/lib/contract/jobs/job-states';
import { matches } from '@/lib/contract/search/query';
import { anyFilter } from '@/testing/model/any-filter';
import { type Planted, plant, QUEUES } from '@/testing/model/search-jobs';
import { START, setUpWorld } from '@/testing/worlds/world';
import { countMatches } from './count-matches';
import { scanShard } from './scan-shard';

const world = await setUpWorld();
let ctx: ShardedContext;
let all: Planted[];
let groups: string[];
beforeAll(async () => {
  all = await plant(world);
  groups = [...new Set(all.flatMap((job) => job.facts.group ?? []))].slice(0, 4);
  ctx = withShards(createContext({ url: world.server.path, clock: () => world.clock.now }));
}, 60_000);
afterAll(async () => {
  ctx?.close();
});

/** By bytes, as Redis orders ids; all are ASCII. */
const inOrder = (a: Planted, b: Planted) =>
  a.score - b.score || (a.facts.id < b.facts.id ? -1 : a.facts.id > b.facts.id ? 1 : 0);

describe('a scan', () => {
  it('is tried on jobs in every state', () => {
    for (const state of JOB_STATES)
      expect(all.filter((job) => job.state === state).length, state).toBeGreaterThan(5);
    expect(all.length).toBeGreaterThan(500);
  });

  it('finds what matches, in both orders, over any steps', async () => {
    const places = await shardRefsOf(ctx, QUEUES);
    await fc.assert(
      fc.asyncProperty(
        anyFilter(groups),
        fc.constantFrom(...JOB_STATES, 'dead' as JobState, 'dead' as JobState, 'dead' as JobState),
        fc.constantFrom('newest' as const, 'oldest' as const),
        fc.constantFrom(null, START, START - 1, START - 60_000, START - 3_600_000),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 300 }),
        async (filter, state, order, cutoff, maxHits, maxScan) => {
          for (const place of places) {
            const expected = all
              .filter(
                (job) =>
                  job.queue === place.queue &&
                  job.shard === place.shard &&
                  job.state === state &&
                  (cutoff === null || job.facts.enteredAt <= cutoff) &&
                  matches(filter, job.facts, START),
              )
              .sort(inOrder)
              .map((job) => job.facts.id);
            if (order === 'newest') expected.reverse();
            const seen: string[] = [];
            let cursor = '';
            for (;;) {
              const scan = await scanShard(ctx, place, {
                state,
                filter,
                at: START,
                cutoff,
                order,
                cursor,
                maxHits,
                maxScan,
              });
              seen.push(...scan.hits.map((hit) => hit.jobId));
              expect(scan.hits.length).toBeLessThanOrEqual(maxHits);
              expect(scan.scanned).toBeLessThanOrEqual(maxScan);
              if (scan.done) break;
              expect(scan.cursor).not.toBe(cursor);
              cursor = scan.cursor;
            }
            expect(seen).toEqual(expected);
            const count = await countMatches(ctx, [place], {
              state,
              filter,
              at: START,
              cutoff,
              budget: 1_000,
            });
            expect(count).toEqual({ count: expected.length, exact: true });
          }
        },
      ),
      { numRuns: Number(process.env.RUNS ?? 150) },
    );
  }, 120_000);
});
