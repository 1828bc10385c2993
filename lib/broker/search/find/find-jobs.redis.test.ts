/** A reference finds what a walk over all jobs would find, in every state and queue, and nothing outside of a scope. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { hash } from '@/lib/broker/shards/shard-layout';
import { type AccessScope, FULL_SCOPE, scopeHasJob } from '@/lib/contract/access/grant-scopes';
import { JOB_STATES } from '@/lib/contract/jobs/job-states';
import type { FindEvent } from '@/lib/contract/search/find-schemas';
import { FOUND_JOBS_MAX } from '@/lib/contract/search/search-limits';
import { anyWithin } from '@/testing/model/any-scope';
import { type Planted, plant } from '@/testing/model/search-jobs';
import { BY, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();
let all: Planted[];
beforeAll(async () => {
  all = await plant(world);
}, 60_000);

interface Named {
  readonly queue: string;
  readonly jobId: string;
  readonly state: string;
}
const nameOf = ({ queue, jobId, state }: Named) => `${queue}/${jobId} ${state}`;
const plantedName = ({ queue, state, facts }: Planted) => `${queue}/${facts.id} ${state}`;
const inScope = (within: AccessScope) =>
  all.filter(({ queue, facts }) => scopeHasJob(within, queue, facts.tenant));

async function stream(reference: string, within?: AccessScope, budget?: number) {
  const names: string[] = [];
  let end: Extract<FindEvent, { end: unknown }>['end'] | undefined;
  for await (const event of world.broker.inspect.findStream(reference, { within, budget })) {
    if ('jobs' in event) names.push(...event.jobs.map(nameOf));
    if ('end' in event) end = event.end;
  }
  if (!end) throw new Error('The stream has no end.');
  return { names, end };
}

describe('by id', () => {
  it('finds a job of every state, with any scope', async () => {
    expect(new Set(all.map(({ state }) => state))).toEqual(new Set(JOB_STATES));
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.option(anyWithin, { nil: FULL_SCOPE }), async (n, within) => {
        const { id } = all[n % all.length]?.facts ?? { id: '' };
        const { jobs, more } = await world.broker.inspect.find(id, { within });
        const expected = inScope(within).filter(({ facts }) => facts.id === id);
        expect(jobs.map(nameOf).sort()).toEqual(expected.map(plantedName).sort());
        expect(more).toBe(false);
      }),
      { numRuns: 150 },
    );
  });

  it('finds every job of an id that several queues and shards have', async () => {
    const count = 5;
    await world.broker.sharding.set('same-by-tenant', { count, by: 'tenant' }, BY);
    // Tenants that share a shard could not both have that id.
    const byShard = new Map(Array.from({ length: 40 }, (_, i) => [hash(`t${i}`) % count, `t${i}`]));
    const tenants = [...byShard.values()];
    expect(tenants).toHaveLength(count);
    for (const queue of ['same-1', 'same-2'])
      await world.broker.enqueue(queue, { jobId: 'order-42', jobType: 'demo' });
    for (const tenantId of tenants)
      await world.broker.enqueue('same-by-tenant', { jobId: 'order-42', jobType: 'demo', tenantId });
    const { jobs } = await world.broker.inspect.find('order-42');
    expect(jobs.map(({ queue }) => queue)).toEqual([
      'same-1',
      'same-2',
      ...tenants.map(() => 'same-by-tenant'),
    ]);
    const seen = tenants.slice(0, 2);
    const within = [{ queue: 'same-by-tenant', tenants: seen }];
    const inScope = await world.broker.inspect.find('order-42', { within });
    expect(inScope.jobs.map(({ tenantId }) => tenantId).sort()).toEqual(seen.sort());
  });

  it('lists a hundred jobs, and says that there are more', async () => {
    const queues = Array.from({ length: FOUND_JOBS_MAX + 1 }, (_, i) => `many-${i}`);
    for (const queue of queues) await world.broker.enqueue(queue, { jobId: 'everywhere', jobType: 'demo' });
    const found = await world.broker.inspect.find('everywhere');
    expect(found.jobs).toHaveLength(FOUND_JOBS_MAX);
    expect(found.more).toBe(true);
    const some = await world.broker.inspect.find('everywhere', {
      within: [{ queue: 'many-1*', tenants: null }],
    });
    expect(some.jobs.every(({ queue }) => queue.startsWith('many-1'))).toBe(true);
    expect(some.more).toBe(false);
  });
});

it('finds the job that holds a uniqueness key, of any letters, while it holds it', async () => {
  const key = 'customer:42/{a}';
  const unique = { key, scope: 'claimed', ttlMs: 60_000 } as const;
  const { jobId } = await world.broker.enqueue('keyed', { jobType: 'demo', tenantId: 'a', unique });
  expect((await world.broker.inspect.find(key)).jobs).toMatchObject([
    { queue: 'keyed', jobId, by: 'unique' },
  ]);
  const other = await world.broker.inspect.find(key, { within: [{ queue: 'keyed', tenants: ['b'] }] });
  expect(other.jobs).toEqual([]);
  await world.broker.claim('keyed', { worker: 'w' });
  expect((await world.broker.inspect.find(key)).jobs).toEqual([]);
});

describe('by an idempotency key', () => {
  const find = async (key: string) => (await world.broker.inspect.find(key)).jobs;

  it.each(['order/42:{x}', 'a"b\\c"', '","key":"x'])('finds the job that came in with %s', async (key) => {
    const queue = world.freshQueue();
    const { jobId } = await world.broker.enqueue(queue, { jobType: 'demo', idempotencyKey: key });
    expect(await find(key)).toMatchObject([{ queue, jobId, by: 'key', state: 'ready' }]);
    const other = await world.broker.inspect.find(key, { within: [{ queue, tenants: ['b'] }] });
    expect(other.jobs).toEqual([]);
  });

  it('follows it through all states, until it is gone', async () => {
    const queue = world.freshQueue();
    const key = `through/${queue}`;
    const how = { jobType: 'demo', idempotencyKey: key };
    await world.broker.enqueue(queue, { ...how, jobId: 'late', delayMs: 60_000, critical: false });
    await world.broker.enqueue(queue, { ...how, jobId: 'once', unique: { key, ttlMs: 60_000 } });
    await world.broker.enqueue(queue, { jobType: 'demo', jobId: 'none' });
    const stateOf = async () => Object.fromEntries((await find(key)).map((job) => [job.jobId, job.state]));
    expect(await stateOf()).toEqual({ late: 'scheduled', once: 'ready' });
    const { jobs } = await world.broker.claim(queue, { worker: 'w' });
    expect(await stateOf()).toEqual({ late: 'scheduled', once: 'in-flight' });
    await world.broker.ack(queue, jobs);
    expect(await stateOf()).toEqual({ late: 'scheduled', once: 'completed' });
    await world.broker.config.change(queue, { completedKeep: 0 }, BY);
    await world.broker.maintain(queue);
    expect(await stateOf()).toEqual({ late: 'scheduled' });
  });

  it('does not take another job for it that has its id by now', async () => {
    const queue = world.freshQueue();
    const key = `taken/${queue}`;
    await world.broker.config.change(queue, { completedKeep: 0, resendWindowMs: 600_000 }, BY);
    await world.broker.enqueue(queue, { jobType: 'demo', jobId: 'same', idempotencyKey: key });
    const { jobs } = await world.broker.claim(queue, { worker: 'w' });
    await world.broker.ack(queue, jobs);
    await world.broker.maintain(queue);
    world.clock.now += 1_300_000;
    await world.redis.del(world.column(queue, 'finished'), world.column(queue, 'finishedBefore'));
    await world.broker.enqueue(queue, { jobType: 'demo', jobId: 'same', idempotencyKey: `${key}/2` });
    expect(await find(key)).toEqual([]);
    expect(await find(`${key}/2`)).toMatchObject([{ jobId: 'same', by: 'key' }]);
  });

  it('finds the newest of many in a queue', async () => {
    const queue = world.freshQueue();
    const key = `many/${queue}`;
    const ids = Array.from({ length: 25 }, (_, i) => `job-${i}`);
    for (const jobId of ids)
      await world.broker.enqueue(queue, { jobType: 'demo', jobId, idempotencyKey: key });
    expect((await find(key)).map(({ jobId }) => jobId)).toEqual(ids.slice(5).reverse());
  });
});

it('names a shard that it cannot read, and finds the jobs of the others', async () => {
  await world.broker.enqueue('readable', { jobId: 'somewhere', jobType: 'demo' });
  await world.broker.enqueue('damaged', { jobId: 'elsewhere', jobType: 'demo' });
  await world.redis.del(world.column('damaged', 'jobs'));
  await world.redis.set(world.column('damaged', 'jobs'), 'text');
  const found = await world.broker.inspect.find('somewhere');
  expect(found.jobs).toMatchObject([{ queue: 'readable' }]);
  expect(found.unavailable).toEqual([{ queue: 'damaged', shard: 0 }]);
  await world.redis.del(world.column('damaged', 'jobs'));
});

describe('by idempotency key, correlation id or trace id', () => {
  const REFERENCES = ['k-1', 'k-12', 'a"b\\c', 'corr-3', 'corr-6', 'trace/2', 'no-such-reference'];
  it('streams the jobs of all states, with any scope', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...REFERENCES),
        fc.option(anyWithin, { nil: FULL_SCOPE }),
        async (reference, within) => {
          const { names, end } = await stream(reference, within);
          const expected = inScope(within)
            .filter(({ facts }) => [facts.key, facts.correlation, facts.trace].includes(reference))
            .map(plantedName);
          if (expected.length >= FOUND_JOBS_MAX) {
            expect(names).toHaveLength(FOUND_JOBS_MAX);
            expect(names.filter((name) => !expected.includes(name))).toEqual([]);
            if (expected.length > FOUND_JOBS_MAX) expect(end.stopped).toBe('limit');
          } else {
            expect(names.sort()).toEqual(expected.sort());
            expect(end).toMatchObject({ stopped: null, states: [], found: expected.length });
          }
        },
      ),
      { numRuns: 25 },
    );
  }, 120_000);

  it('says where it stopped at its budget', async () => {
    const { end } = await stream('no-such-reference', undefined, 40);
    expect(end.stopped).toBe('budget');
    expect(end.scanned).toBeGreaterThanOrEqual(40);
    expect(end.of).toBeGreaterThan(all.length - 1);
    expect(end.states.length).toBeGreaterThan(0);
    const whole = await stream('no-such-reference', undefined, 100_000);
    expect(whole.end).toMatchObject({ stopped: null, states: [], scanned: whole.end.of });
  });

  it('does not tell users of some tenants how many jobs others have', async () => {
    const within = [{ queue: '*', tenants: ['a'] }];
    const { names, end } = await stream('corr-3', within);
    expect(end).toMatchObject({ found: names.length, scanned: names.length, of: names.length });
  });
});
