/** What a person does to jobs by id: each move once, from the right states only, and every way back. */

import { describe, expect, it } from 'vitest';
import { openRedis } from '@/lib/broker/redis/redis-connection';
import { JOB_ACTIONS, type JobAction } from '@/lib/contract/jobs/job-actions';
import { JOB_STATES, type JobState } from '@/lib/contract/jobs/job-states';
import { QUEUE_CONFIG_DEFAULT } from '@/lib/contract/queues/queue-config-default';
import { readRaw, violations } from '@/testing/model/invariants';
import {
  BY,
  claimAll,
  claimOne,
  enqueueAll,
  failure,
  jobs,
  killAll,
  setUpWorld,
  stateOf,
} from '@/testing/worlds/world';

const world = await setUpWorld();

const JOB = 'j000000';
const retryable = { ...failure('X', 'retryable'), retryInMs: 60_000 };

/** Brings one job into a state. */
const INTO: Record<JobState, (queue: string) => Promise<unknown>> = {
  ready: (queue) => enqueueAll(world.broker, queue, jobs(1)),
  'in-flight': async (queue) => {
    await INTO.ready(queue);
    await claimOne(world.broker, queue);
  },
  scheduled: (queue) => enqueueAll(world.broker, queue, jobs(1, 0, { delayMs: 60_000 })),
  retry: async (queue) => {
    await INTO.ready(queue);
    await world.broker.fail(queue, [{ ...(await claimOne(world.broker, queue)), failure: retryable }]);
  },
  held: async (queue) => {
    await INTO.ready(queue);
    await world.broker.pause(queue, { scope: 'type:demo', reason: 'a test' }, BY);
    await world.broker.claim(queue, { worker: 'w1' });
  },
  completed: async (queue) => {
    await INTO.ready(queue);
    await world.broker.ack(queue, [await claimOne(world.broker, queue)]);
  },
  dead: (queue) => killAll(world.broker, queue, jobs(1)),
  suppressed: async (queue) => {
    await INTO.dead(queue);
    await world.broker.suppress(queue, [JOB], BY);
  },
  trashed: async (queue) => {
    await INTO.dead(queue);
    await world.broker.purge(queue, [JOB], BY);
  },
};
const AFTER: Record<JobAction, string> = {
  promote: 'ready',
  cancel: 'dead',
  redrive: 'ready',
  suppress: 'suppressed',
  purge: 'trashed',
  restore: 'dead',
  remove: 'JOB_NOT_FOUND',
};
const ACTIONS = Object.keys(JOB_ACTIONS) as JobAction[];
const CASES = ACTIONS.flatMap((action) => JOB_STATES.map((state) => ({ action, state })));

describe('an action', () => {
  it.each(CASES)(
    '$action on a $state job does what the table of the contract says',
    async ({ action, state }) => {
      const queue = world.freshQueue();
      await INTO[state](queue);
      expect(await stateOf(world.broker, queue, JOB)).toBe(state);
      const allowed = (JOB_ACTIONS[action] as readonly JobState[]).includes(state);
      const [outcome] = await world.broker[action](queue, [JOB], BY);
      expect(outcome === 'ok').toBe(allowed);
      expect(await stateOf(world.broker, queue, JOB)).toBe(allowed ? AFTER[action] : state);
      expect(violations(await readRaw(world.redis, world.keys, queue))).toEqual([]);
    },
  );

  it.each(ACTIONS)('%s twice, or twice in one call, is once', async (action) => {
    const queue = world.freshQueue();
    const from = JOB_ACTIONS[action][0];
    await INTO[from](queue);
    const results = await world.broker[action](queue, [JOB, JOB], BY);
    expect(results.filter((outcome) => outcome === 'ok')).toHaveLength(1);
    expect(await world.broker[action](queue, [JOB], BY)).not.toContain('ok');
    expect(violations(await readRaw(world.redis, world.keys, queue))).toEqual([]);
  });

  it.each(ACTIONS)('%s of a job that does not exist makes nothing', async (action) => {
    const queue = world.freshQueue();
    const [outcome] = await world.broker[action](queue, ['nobody'], BY);
    expect(outcome).not.toBe('ok');
    expect((await readRaw(world.redis, world.keys, queue)).hash('history').size).toBe(0);
  });
});

describe('likely 3: jobs of other tenants', () => {
  const ACME = (tenant: string) => tenant === 'acme';
  const make = async (queue: string, from: JobState, tenantId: string) => {
    await INTO[from](queue);
    const rows = world.column(queue, 'jobs');
    const row = await world.redis.hget(rows, JOB);
    const other = row?.replace(' default', ` ${tenantId}`) ?? '';
    return { rows, row: row ?? '', other };
  };

  it.each(ACTIONS)('%s leaves them alone where a queue has one shard, too', async (action) => {
    const queue = world.freshQueue();
    const [from] = JOB_ACTIONS[action];
    await make(queue, from, 'acme');
    expect(await world.broker[action](queue, [JOB, 'nobody'], BY, ACME)).toEqual(['not-found', 'not-found']);
    expect(await stateOf(world.broker, queue, JOB)).toBe(from);
    const some = (tenant: string) => tenant === 'default';
    expect(await world.broker[action](queue, ['nobody', JOB], BY, some)).toEqual(['not-found', 'ok']);
  });

  it.each(ACTIONS)(
    '%s leaves one alone that has the id of one of theirs since it was looked at',
    async (action) => {
      const queue = world.freshQueue();
      const [from] = JOB_ACTIONS[action];
      const { rows, other } = await make(queue, from, 'rival');
      const redis = openRedis(world.server.path);
      const broker = world.another({ redis });
      // Sent on the same connection, so it is in Redis after the tenant was read and before the script.
      const swapped = (tenant: string) => {
        redis.hset(rows, JOB, other).catch(() => undefined);
        return tenant === 'default';
      };
      expect(await broker[action](queue, [JOB], BY, swapped)).not.toContain('ok');
      expect((await world.broker.inspect.job(queue, JOB)).envelope.tenantId).toBe('rival');
      expect(await stateOf(world.broker, queue, JOB)).toBe(from);
      redis.disconnect();
    },
  );
});

describe('re-drive', () => {
  it('by two people at once moves each job once, with a fresh budget and a trace of who', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(200));
    const all = jobs(200).map((job) => job.jobId ?? '');
    const [a, b] = await Promise.all([
      world.broker.redrive(queue, all, { actor: 'ann', reason: 'fixed it' }),
      world.another().redrive(queue, all, { actor: 'bob' }),
    ]);
    expect(
      a?.filter((outcome) => outcome === 'ok').length + b?.filter((outcome) => outcome === 'ok').length,
    ).toBe(200);
    const detail = await world.broker.inspect.job(queue, JOB);
    expect([detail.attempt, detail.redrives]).toEqual([0, 1]);
    expect(detail.history.at(-1)).toMatchObject({ kind: 'redriven' });
    expect(['ann', 'bob']).toContain(detail.history.at(-1)?.actor);
    expect(await claimAll(world.broker, queue)).toHaveLength(200);
  });
});

describe('purge', () => {
  it('and restore keep the time of death, the facets and the history', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(3, 0, { tenantId: 'acme' }), failure('HTTP_500', 'malformed'));
    const [before, facets] = [
      await world.broker.inspect.search({ state: 'dead', q: '', queue }),
      (await world.broker.inspect.facets({ q: '', queue })).facets,
    ];
    world.clock.now += 1_000_000;
    const all = jobs(3).map((job) => job.jobId ?? '');
    await world.broker.purge(queue, all, BY);
    expect((await world.broker.inspect.search({ state: 'dead', q: '', queue })).jobs).toEqual([]);
    expect((await world.broker.inspect.facets({ q: '', queue })).facets).toMatchObject({
      type: [],
      tenant: [],
      code: [],
      class: [],
    });
    await world.broker.restore(queue, all, BY);
    const after = await world.broker.inspect.search({
      state: 'dead',
      q: 'code:HTTP_500 tenant:acme class:malformed',
      queue,
    });
    expect(after.jobs.map((job) => [job.jobId, job.stateAt, job.errorClass, job.errorCode])).toEqual(
      before.jobs.map((job) => [job.jobId, job.stateAt, job.errorClass, job.errorCode]),
    );
    const again = await world.broker.inspect.facets({ q: '', queue });
    expect({ ...again.facets, age: [] }).toEqual({ ...facets, age: [] });
    expect((await world.broker.inspect.job(queue, JOB)).history.map((line) => line.kind)).toEqual([
      'dead',
      'purged',
      'restored',
    ]);
  });

  it('is for good when its grace ends, and not before', async () => {
    const queue = world.freshQueue();
    await world.redis.hset(world.column(queue, 'config'), 'trashGraceMs', '5000');
    await killAll(world.broker, queue, jobs(450));
    const all = jobs(450).map((job) => job.jobId ?? '');
    await world.broker.purge(queue, all, BY);
    world.clock.now += 4_999;
    expect(await world.broker.maintain(queue)).toMatchObject({ expired: 0 });
    expect(await world.broker.restore(queue, [JOB], BY)).toEqual(['ok']);
    world.clock.now += 1;
    expect(await world.broker.maintain(queue)).toMatchObject({ expired: 449 });
    expect(await world.broker.inspect.ledger(queue)).toMatchObject({
      inStates: 1,
      deleted: 449,
      difference: 0,
      strayRows: 0,
    });
    expect(violations(await readRaw(world.redis, world.keys, queue))).toEqual([]);
  });
});

describe('completed jobs', () => {
  it.each([0, 1, 25])('are kept to %i, the oldest go first, and the ledger stays exact', async (keep) => {
    const queue = world.freshQueue();
    await world.redis.hset(world.column(queue, 'config'), 'completedKeep', String(keep));
    await enqueueAll(world.broker, queue, jobs(60));
    for (let i = 0; i < 60; i++) {
      world.clock.now += 1;
      await world.broker.ack(queue, [await claimOne(world.broker, queue)]);
    }
    // A busy queue may keep a tenth more; maintenance takes that away.
    expect(await world.redis.zcard(world.column(queue, 'completed'))).toBeLessThanOrEqual(keep * 1.1);
    await world.broker.maintain(queue);
    const raw = await readRaw(world.redis, world.keys, queue);
    expect([...(raw.states.get('completed')?.keys() ?? [])]).toEqual(
      jobs(60)
        .slice(60 - keep)
        .map((job) => job.jobId),
    );
    expect(violations(raw)).toEqual([]);
    expect(await world.broker.inspect.ledger(queue)).toMatchObject({
      inStates: keep,
      deleted: 60 - keep,
      difference: 0,
    });
  });

  it('leave nothing behind that would block their id once the resend window is over', async () => {
    const queue = world.freshQueue();
    await world.redis.hset(world.column(queue, 'config'), 'completedKeep', '0');
    for (let round = 0; round < 3; round++) {
      expect(await world.broker.enqueueMany(queue, jobs(1))).toEqual([{ jobId: JOB, outcome: 'ready' }]);
      await world.broker.ack(queue, [await claimOne(world.broker, queue)]);
      for (let i = 0; i < 2; i++) {
        world.clock.now += QUEUE_CONFIG_DEFAULT.resendWindowMs;
        await world.broker.maintain(queue);
      }
    }
  });
});

describe('enqueue', () => {
  it('of a taken id with another content is a conflict, whatever differs', async () => {
    const queue = world.freshQueue();
    const original = { jobId: JOB, jobType: 'demo', payload: 'a' };
    await world.broker.enqueue(queue, original);
    const others = [
      { payload: 'b' },
      { payload: '' },
      { jobType: 'other' },
      { tenantId: 'other' },
      { priority: 1 },
      { maxAttempts: 2 },
      { jobVersion: 2 },
      { timeoutMs: 1 },
      { deadline: 5 },
    ];
    for (const other of others)
      await expect(
        world.broker.enqueue(queue, { ...original, ...other }),
        JSON.stringify(other),
      ).rejects.toMatchObject({ code: 'ID_CONFLICT' });
    world.clock.now += 5;
    expect(await world.broker.enqueue(queue, { ...original, traceId: 'another-trace' })).toMatchObject({
      outcome: 'duplicate',
    });
    expect(await world.broker.inspect.ledger(queue)).toMatchObject({ enqueued: 1, difference: 0 });
  });

  it('tells payload references apart', async () => {
    const queue = world.freshQueue();
    const send = (payloadRef: string) =>
      world.broker.enqueue(queue, { jobId: JOB, jobType: 'demo', payloadRef });
    await send('s3://bucket/a');
    expect(await send('s3://bucket/a')).toMatchObject({ outcome: 'duplicate' });
    await expect(send('s3://bucket/b')).rejects.toMatchObject({ code: 'ID_CONFLICT' });
  });

  it('of the same id twice in one call is one job', async () => {
    const queue = world.freshQueue();
    const results = await world.broker.enqueueMany(queue, [...jobs(2), ...jobs(2)]);
    expect(results.map((result) => result.outcome)).toEqual(['ready', 'ready', 'duplicate', 'duplicate']);
  });
});
