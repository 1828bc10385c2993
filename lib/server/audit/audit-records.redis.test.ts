/** Promise 10: no effect without a record. Each verb a person can reach leaves one, in the script that does it, or does nothing. */
import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { evalScript, scriptKeys } from '@/lib/broker/redis/script-runner';
import {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  pauseSchedule,
  resumeSchedule,
  runSchedule,
} from '@/lib/broker/schedules';
import type { AuditEventView } from '@/lib/contract/audit/audit-schemas';
import { runToEnd, startOperation } from '@/testing/worlds/operation-runs';
import { enqueueAll, jobs, killAll, setUpWorld } from '@/testing/worlds/world';

const BY = {
  actor: 'Ann',
  actorId: 'local:ann',
  method: 'local',
  via: 's1',
  address: '10.0.0.7',
  reason: 'because',
  requestId: 'r1',
} as const;
const world = await setUpWorld();
let queue: string;
beforeEach(async () => {
  await world.redis.flushall();
  queue = world.freshQueue();
});

/** What has come into the log since the last call. */
let seen = 0;
beforeEach(() => {
  seen = 0;
});
async function fresh(): Promise<AuditEventView[]> {
  await world.broker.audit.collect();
  const entries: AuditEventView[] = [];
  for await (const entry of world.broker.audit.matching({})) if (entry.n > seen) entries.push(entry);
  seen = entries.at(-1)?.n ?? seen;
  return entries;
}
const dead = (count: number, from = 0) => killAll(world.broker, queue, jobs(count, from));
const SCHEDULE = {
  id: 'nightly',
  queue: 'q',
  timing: { everyMs: 60_000 },
  job: { jobType: 'demo', payload: 'secret' },
  missed: 'skip',
  overlap: 'allow',
  startAt: null,
  endAt: null,
} as const;
async function schedule() {
  await createSchedule(world.broker, { ...SCHEDULE, queue }, BY);
}
async function operation(kind: 'purge' | 'redrive', count: number) {
  await dead(count);
  return startOperation(world.broker, { kind, q: 'type:demo' }, { by: BY });
}
const scheduleRow = () => world.redis.hget('rd:{.schedules}:records', 'nightly');

interface Case {
  readonly action: string;
  before?(): Promise<unknown>;
  does(): Promise<unknown>;
  readonly entry: Partial<AuditEventView>;
  /** Besides the one of the action. */
  readonly others?: readonly string[];
}
const one = ['j000000'];
const CASES: readonly Case[] = [
  {
    action: 'queue.pause',
    does: () => world.broker.pause(queue, { reason: 'because', scope: 'tenant:acme', forMs: 60_000 }, BY),
    entry: {
      object: { kind: 'queue', id: 'Q' },
      before: 'tenant:acme',
      after: expect.stringMatching(/^until \d+$/),
    },
  },
  {
    action: 'queue.resume',
    before: () => world.broker.pause(queue, { reason: 'x' }, BY),
    does: () => world.broker.resume(queue, 'queue', BY),
    entry: { object: { kind: 'queue', id: 'Q' }, before: 'queue' },
  },
  {
    action: 'queue.drain',
    does: () => world.broker.drain(queue, { reason: 'because' }, BY),
    entry: { object: { kind: 'queue', id: 'Q' } },
  },
  {
    action: 'queue.undrain',
    before: () => world.broker.drain(queue, { reason: 'x' }, BY),
    does: () => world.broker.drain(queue, { reason: 'because', draining: false }, BY),
    entry: { object: { kind: 'queue', id: 'Q' } },
  },
  {
    action: 'queue.config',
    does: () => world.broker.config.change(queue, { depthLimit: 10 }, BY),
    entry: { before: '{"depthLimit":null}', after: '{"depthLimit":10}' },
  },
  {
    action: 'queue.sharding',
    before: async () => {
      queue = world.freshQueue();
    },
    does: () => world.broker.sharding.set(queue, { count: 2 }, BY),
    entry: { before: '{"count":1,"by":"id"}', after: '{"count":2,"by":"id"}', shard: null },
    // Each shard gets its share of the limits.
    others: ['queue.config', 'queue.config'],
  },
  {
    action: 'queue.reclaim',
    before: async () => {
      await enqueueAll(world.broker, queue, jobs(3));
      await world.broker.claim(queue, { worker: 'w1', count: 3, leaseMs: 1_000 });
      world.clock.now += 5_000;
    },
    does: () => world.broker.reclaim(queue, undefined, BY),
    entry: { object: { kind: 'queue', id: 'Q' }, count: 3 },
  },
  {
    action: 'job.enqueue',
    does: () => world.broker.enqueueMany(queue, jobs(3), { by: BY }),
    entry: { object: { kind: 'job', id: 'j000000' }, count: 3, after: 'j000000 j000001 j000002' },
  },
  {
    action: 'job.redrive',
    before: () => dead(3),
    does: () => world.broker.redrive(queue, ['j000000', 'j000001', 'nobody'], BY),
    entry: { object: { kind: 'job', id: 'j000000' }, count: 2, after: 'j000000 j000001' },
  },
  {
    action: 'job.suppress',
    before: () => dead(1),
    does: () => world.broker.suppress(queue, one, BY),
    entry: { count: 1, after: null },
  },
  {
    action: 'job.purge',
    before: () => dead(1),
    does: () => world.broker.purge(queue, one, BY),
    entry: { count: 1 },
  },
  {
    action: 'job.restore',
    before: async () => {
      await dead(1);
      await world.broker.purge(queue, one, BY);
    },
    does: () => world.broker.restore(queue, one, BY),
    entry: { count: 1 },
  },
  {
    action: 'job.promote',
    before: () => enqueueAll(world.broker, queue, jobs(1, 0, { delayMs: 60_000 })),
    does: () => world.broker.promote(queue, one, BY),
    entry: { count: 1 },
  },
  {
    action: 'job.cancel',
    before: () => enqueueAll(world.broker, queue, jobs(2)),
    does: () => world.broker.cancel(queue, ['j000000', 'j000001'], BY),
    entry: { count: 2 },
  },
  {
    action: 'job.remove',
    before: () => enqueueAll(world.broker, queue, jobs(1)),
    does: () => world.broker.remove(queue, one, BY),
    entry: { count: 1, object: { kind: 'job', id: 'j000000' } },
  },
  {
    action: 'operation.start',
    does: () => operation('purge', 3),
    entry: {
      object: { kind: 'operation', id: expect.stringMatching(/^op-/) as unknown as string },
      // With the one that makes the queue known.
      count: 4,
      filter: expect.stringMatching(/^purge: dead, type:demo, up to /),
      after: expect.stringContaining('"status":"running"'),
    },
  },
  ...(['pause', 'resume', 'cancel'] as const).map(
    (act): Case => ({
      action: `operation.${act}`,
      before: async () => {
        const { id } = await operation('purge', 3);
        if (act === 'resume') await world.broker.operations.act(id, 'pause', BY);
      },
      does: async () => {
        const [found] = (await world.broker.operations.list(1)).operations;
        return world.broker.operations.act(found?.id ?? '', act, BY);
      },
      entry: { before: expect.stringContaining('status'), after: expect.stringContaining('status') },
      others: act === 'cancel' ? ['operation.end'] : [],
    }),
  ),
  {
    action: 'operation.change',
    before: () => operation('purge', 3),
    does: async () => {
      const [found] = (await world.broker.operations.list(1)).operations;
      return world.broker.operations.change(
        found?.id ?? '',
        { rate: { perSecond: 5, keepReadyBelow: null } },
        BY,
      );
    },
    entry: {
      before: '{"rate":{"perSecond":null,"keepReadyBelow":null},"stop":null}',
      after: '{"rate":{"perSecond":5,"keepReadyBelow":null},"stop":null}',
    },
  },
  {
    action: 'operation.undo',
    before: async () => {
      const { id } = await operation('purge', 3);
      await runToEnd(world.broker, id);
    },
    does: async () => {
      const [found] = (await world.broker.operations.list(1)).operations;
      return world.broker.operations.undo(found?.id ?? '', { reason: 'because' }, { ...BY, requestId: 'r2' });
    },
    entry: { count: 4, requestId: 'r2' },
  },
  {
    action: 'schedule.create',
    does: schedule,
    entry: {
      queue: 'Q',
      object: { kind: 'schedule', id: 'nightly' },
      after: expect.not.stringContaining('secret'),
    },
  },
  {
    action: 'schedule.change',
    before: schedule,
    does: () => changeSchedule(world.broker, 'nightly', { overlap: 'skip', reason: 'because' }, BY),
    entry: {
      before: '{"schedule":"nightly","overlap":"allow"}',
      after: '{"schedule":"nightly","overlap":"skip"}',
    },
  },
  {
    action: 'schedule.pause',
    before: schedule,
    does: () => pauseSchedule(world.broker, 'nightly', BY),
    entry: { queue: 'Q' },
  },
  {
    action: 'schedule.resume',
    before: async () => {
      await schedule();
      await pauseSchedule(world.broker, 'nightly', BY);
    },
    does: () => resumeSchedule(world.broker, 'nightly', BY),
    entry: { queue: 'Q' },
  },
  {
    action: 'schedule.run',
    before: schedule,
    does: () => runSchedule(world.broker, 'nightly', BY),
    entry: {
      object: { kind: 'schedule', id: 'nightly' },
      count: 1,
      after: expect.stringContaining('nightly.run.'),
    },
  },
  {
    action: 'schedule.delete',
    before: schedule,
    does: () => deleteSchedule(world.broker, 'nightly', BY),
    entry: { before: expect.not.stringContaining('secret') },
  },
  {
    action: 'group.change',
    before: () => dead(1),
    does: async () => {
      const [group] = (await world.broker.inspect.groups({ q: '' })).groups;
      return world.broker.groups.change(group?.group ?? '', { name: 'Card refused', status: 'muted' }, BY);
    },
    entry: { before: null, after: '{"status":"muted","name":"Card refused","note":null}' },
  },
  {
    action: 'mark.add',
    does: () => world.broker.marks.add({ kind: 'deploy', text: 'mailer', version: '2.3.1' }, BY),
    entry: { after: '{"text":"mailer","version":"2.3.1"}' },
  },
  {
    action: 'search.save',
    does: () => world.broker.searches.save({ name: 'mine', q: 'type:mail', shared: false }, OWNER, BY),
    entry: { before: null, after: '{"name":"mine","shared":false,"q":"type:mail"}' },
  },
  {
    action: 'search.remove',
    before: () => world.broker.searches.save({ name: 'mine', q: 'type:mail', shared: false }, OWNER, BY),
    does: async () => {
      const [search] = await world.broker.searches.list(OWNER);
      return world.broker.searches.remove(search?.id ?? '', OWNER, BY);
    },
    entry: { before: '{"name":"mine","shared":false,"q":"type:mail"}' },
  },
  {
    action: 'lab.settings',
    does: async () => world.lab.save(await world.lab.settings(), BY),
    entry: { object: { kind: 'lab', id: 'settings' } },
  },
  { action: 'lab.burst', does: () => world.lab.requestBurst({ jobs: 50 }, BY), entry: { count: 50 } },
  {
    action: 'lab.drill',
    does: () => world.lab.startDrill('outage', BY),
    entry: { object: { kind: 'lab', id: 'drill' } },
  },
  {
    action: 'lab.drill-stop',
    before: () => world.lab.startDrill('slow-consumer'),
    does: () => world.lab.stopDrill(BY),
    entry: { object: { kind: 'lab', id: 'drill' } },
  },
  {
    action: 'lab.reset',
    does: () => world.lab.reset(BY),
    entry: { object: { kind: 'lab', id: 'session' } },
  },
];
const OWNER = { id: 'local:ann', name: 'Ann' };

describe('one record, and what it says', () => {
  it.each(CASES)('$action', async ({ action, before, does, entry, others = [] }) => {
    await enqueueAll(world.broker, queue, jobs(1, 900_000));
    await before?.();
    await fresh();
    await does();
    const entries = await fresh();
    expect(entries.map((found) => found.action).sort()).toEqual([action, ...others].sort());
    const found = entries.find((one) => one.action === action);
    const expected = entry.object?.id === 'Q' ? { ...entry, object: { ...entry.object, id: queue } } : entry;
    expect(found).toMatchObject({
      actor: 'Ann',
      actorId: 'local:ann',
      method: 'local',
      via: 's1',
      address: '10.0.0.7',
      requestId: 'r1',
      result: 'done',
      code: null,
      ...expected,
      ...(expected.queue === 'Q' ? { queue } : {}),
    });
    expect((await world.broker.audit.check()).problems).toEqual([]);
  });

  it('an operation says in each queue how many it moved, under the name of who started it', async () => {
    const { id } = await operation('redrive', 120);
    await runToEnd(world.broker, id);
    const ends = (await fresh()).filter(({ action }) => action === 'operation.end');
    expect(ends).toMatchObject([
      {
        queue,
        object: { kind: 'operation', id },
        count: 120,
        after: 'ended: 120 moved, 0 left alone',
        actor: 'Ann',
        reason: 'because',
        requestId: id,
      },
    ]);
  });

  it('what changes nothing leaves none', async () => {
    await dead(1);
    await world.broker.enqueueMany(queue, jobs(1), { by: BY });
    await fresh();
    await world.broker.redrive(queue, ['nobody'], BY);
    await world.broker.purge(queue, ['nobody'], BY);
    await world.broker.enqueueMany(queue, jobs(1), { by: BY });
    await world.broker.enqueueMany(queue, jobs(5, 50));
    await world.broker.resume(queue, 'queue', BY);
    await world.broker.reclaim(queue, undefined, BY);
    await world.broker.maintain(queue);
    expect(await fresh()).toEqual([]);
  });

  describe('L1: nothing is hidden behind the length of something else', () => {
    const rule = { policy: null, maxAttempts: null, classes: ['retryable' as const] };
    const retryByType = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`type-with-a-long-name-${i}`, rule]),
    );
    it.each([1, 3])('rules of what is hidden, taken away with %i shards', async (count) => {
      if (count > 1) await world.broker.sharding.set(queue, { count }, BY);
      await world.broker.config.change(queue, { retryByType }, BY);
      await fresh();
      await world.broker.config.change(queue, { retryByType: { ...retryByType, a: rule }, redact: [] }, BY);
      const [entry] = (await fresh()).filter(
        ({ action, after }) => action === 'queue.config' && after !== null,
      );
      const [change] = await world.broker.inspect.changes(queue, 1);
      for (const { before, after } of [entry, change].flatMap((one) => one ?? [])) {
        expect(JSON.parse(after ?? '')).toEqual({ redact: [], retryByType: { a: rule } });
        expect(JSON.parse(before ?? '').redact).toEqual(expect.arrayContaining(['*password*']));
      }
    });

    it('what a script itself has to cut says so, too', async () => {
      const text = 'x'.repeat(5_000);
      const args = ['', 'test.note', '{}', '', '', '', '', text, '', '', '', ''];
      await evalScript(world.redis, 'audit-note', scriptKeys(world.keys, 'audit-note', 'none'), args, false);
      const sha1 = createHash('sha1').update(text).digest('hex');
      expect((await fresh())[0]?.after).toBe(`${text.slice(0, 3_900)}... (cut; 5000 bytes, sha1 ${sha1})`);
    });

    it('where an operation moves jobs, behind a long query', async () => {
      await dead(1);
      await world.broker.enqueue('target', { jobType: 'a' });
      await fresh();
      const q = Array.from({ length: 60 }, (_, i) => `-type:a-type-with-a-name-${i}`).join(' ');
      await startOperation(world.broker, { kind: 'move', q, queue, target: 'target' });
      const [entry] = await fresh();
      expect(entry?.filter).toContain(`only in ${queue}, to target, up to 20`);
      expect(entry?.filter).toMatch(/-type:a-type-with-a-name-1 .*… \(cut; \d+ bytes, sha256 [0-9a-f]{64}\)/);
    });
  });

  it('a change that is long is cut between letters', async () => {
    await world.broker.audit.note({ action: 'test.note', after: 'ä'.repeat(5_000) }, BY);
    const [entry] = await fresh();
    expect(entry?.after).toMatch(/^ä+… \(cut; 10000 bytes, sha256 [0-9a-f]{64}\)$/);
    expect(Buffer.byteLength(entry?.after ?? '')).toBeLessThan(2_010);
  });
});

/** The keys whose content is what people change; the outboxes themselves, and what is derived by the clock, apart. */
async function state(): Promise<string> {
  // The format of the data is recorded beside, by whoever looks at them first.
  const keys = (await world.redis.keys('*')).filter((key) => !/:audit$|:formats$/.test(key)).sort();
  return JSON.stringify(
    await Promise.all(keys.map(async (key) => [key, (await world.redis.dumpBuffer(key))?.toString('hex')])),
  );
}
const outboxes = async () => (await world.redis.keys('*:audit')).sort();

describe('a record that cannot be written keeps the change from being made', () => {
  it.each(CASES.filter(({ action }) => !['operation.cancel', 'queue.sharding'].includes(action)))(
    '$action: the outbox is a key of another type',
    async ({ action, before, does }) => {
      await enqueueAll(world.broker, queue, jobs(1, 900_000));
      await before?.();
      const places = ['access', 'schedules', 'operations', 'groups', 'searches', 'lab', 'queues'].map(
        (name) => `rd:{.${name}}:audit`,
      );
      for (const key of [...places, world.column(queue, 'audit')]) {
        await world.redis.del(key);
        await world.redis.set(key, 'no stream');
      }
      if (action === 'operation.start') {
        // Its jobs and its preview are made by the case itself; what counts is that no operation comes of it.
        await expect(does()).rejects.toThrow();
        expect((await world.broker.operations.list(5)).operations).toEqual([]);
        return;
      }
      const [stood, row] = [await state(), await scheduleRow()];
      await expect(does()).rejects.toThrow();
      // What comes before the change itself (a fence raised, a preview used) is undone or left to the next try: see its own tests.
      if (!action.startsWith('schedule.') && action !== 'operation.undo') expect(await state()).toBe(stood);
      if (action.startsWith('schedule.')) expect(await scheduleRow()).toBe(row);
    },
  );

  it('with memory full, what can still be done leaves its record, and what cannot leaves neither', async () => {
    await dead(3);
    await fresh();
    await world.redis.config('SET', 'maxmemory', '1');
    try {
      await world.broker.pause(queue, { reason: 'memory is full' }, BY);
      await world.broker.purge(queue, ['j000000'], BY);
      await expect(world.broker.enqueueMany(queue, jobs(1, 500), { by: BY })).rejects.toMatchObject({
        code: 'REDIS_FULL',
      });
      await world.broker.audit.note({ action: 'test.refused', result: 'refused', code: 'FORBIDDEN' }, BY);
      // The log goes on, too.
      expect((await fresh()).map(({ action }) => action).sort()).toEqual([
        'job.purge',
        'queue.pause',
        'test.refused',
      ]);
    } finally {
      await world.redis.config('SET', 'maxmemory', '0');
    }
    expect(await world.redis.hexists(world.column(queue, 'jobs'), 'j000500')).toBe(0);
    expect((await outboxes()).length).toBeGreaterThan(0);
    expect((await world.broker.audit.check()).problems).toEqual([]);
  });
});
