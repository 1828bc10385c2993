/** When a console carries its records into the log: soon after what is done here, and what others left behind in its turn. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '@/testing/poll';
import { jobs, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();
let collector: typeof import('./audit-collector');
beforeAll(async () => {
  process.env.REDIS_URL = world.server.path;
  process.env.LOG_LEVEL = 'silent';
  collector = await import('./audit-collector');
  for (const queue of ['here', 'there']) await world.broker.enqueueMany(queue, jobs(1));
});
afterAll(async () => {
  (await import('../console-broker')).getBroker().close();
});
const pause = (queue: string, reason: string) => world.broker.pause(queue, { reason }, { actor: 'ann' });
const reasons = async () => {
  const found: (string | null)[] = [];
  for await (const { reason } of world.broker.audit.matching({})) found.push(reason);
  return found;
};

describe('a collector', () => {
  it('enters what was done here in a moment, and what was done elsewhere with its next look', async () => {
    const one = new collector.AuditCollector();
    one.start();
    try {
      await until(async () => (await world.redis.hlen('rd:{.audit}:head')) === 0, {
        timeoutMs: 1_000,
        what: 'an empty log',
      });
      await one.look();
      await pause('here', 'first');
      await pause('there', 'elsewhere');
      one.nudge('here');
      await until(async () => (await reasons()).includes('first'), { timeoutMs: 5_000, what: 'the entry' });
      expect(await reasons()).toEqual(['first']);
      expect(await one.look()).toMatchObject({ entered: 1, pending: 0 });
      expect(await reasons()).toEqual(['first', 'elsewhere']);
    } finally {
      one.stop();
    }
  });

  it('answers a reader from its latest look, and looks again for what was done here since', async () => {
    const one = new collector.AuditCollector();
    await one.look();
    await pause('here', 'second');
    // Nobody told it.
    await one.recent();
    expect(await reasons()).not.toContain('second');
    one.nudge('here');
    expect(await one.recent()).toMatchObject({ entered: 1 });
    expect(await reasons()).toContain('second');
  });

  it('lets a reader wait for what is being entered just now', async () => {
    const one = new collector.AuditCollector();
    await one.look();
    await pause('here', 'under way');
    one.nudge('here');
    let entered = false;
    const first = one.recent().then((collected) => {
      entered = true;
      return collected;
    });
    // It has begun, and Redis has not answered yet.
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    expect(await one.recent()).not.toBeNull();
    expect(entered).toBe(true);
    expect(await first).toMatchObject({ entered: 1 });
    expect(await reasons()).toContain('under way');
  });

  it('that cannot reach Redis, or has not the key, keeps the console going and tries again', async () => {
    const one = new collector.AuditCollector();
    await world.broker.audit.collect({ keys: ['k'.repeat(32)], thorough: true });
    await pause('here', 'third');
    expect(await one.look()).toBeNull();
    process.env.REDRIVE_AUDIT_KEY = 'k'.repeat(32);
    try {
      expect(await one.look()).toMatchObject({ entered: 1 });
    } finally {
      delete process.env.REDRIVE_AUDIT_KEY;
    }
    expect(await reasons()).toContain('third');
  });

  it('notices that the end of the log was cut off, or written anew, since it looked last', async () => {
    process.env.REDRIVE_AUDIT_KEY = 'k'.repeat(32);
    const [entries, head] = ['rd:{.audit}:entries', 'rd:{.audit}:head'];
    const gaps = async () => {
      const found: (string | null)[] = [];
      for await (const { after } of world.broker.audit.matching({ action: 'audit.gap' })) found.push(after);
      return found;
    };
    try {
      const one = new collector.AuditCollector();
      await one.look();
      const before = await Promise.all([world.redis.dumpBuffer(entries), world.redis.dumpBuffer(head)]);
      for (const reason of ['bad', 'worse']) await pause('here', reason);
      await one.look();
      expect(await reasons()).toContain('worse');
      expect(await gaps()).toEqual([]);
      // As if nothing had happened since: the chain is whole, and keyed.
      await world.redis.restore(entries, 0, before[0] as Buffer, 'REPLACE');
      await world.redis.restore(head, 0, before[1] as Buffer, 'REPLACE');
      expect((await world.broker.audit.check({ keys: ['k'.repeat(32)] })).ok).toBe(true);
      await one.look();
      expect(await gaps()).toContainEqual(expect.stringContaining('its newest entries were cut off'));
      const seen = await world.broker.audit.head();
      await world.redis.hset(head, 'hash', `hmac-${'0'.repeat(64)}`);
      await one.look();
      expect(await gaps()).toContainEqual(
        expect.stringContaining(
          `Entry ${seen.n} of the audit log differs from the entry that this console saw`,
        ),
      );
    } finally {
      delete process.env.REDRIVE_AUDIT_KEY;
    }
  });

  it('costs Redis little while nothing happens', async () => {
    const one = new collector.AuditCollector();
    process.env.REDRIVE_AUDIT_KEY = 'k'.repeat(32);
    try {
      for (let i = 0; i < 200; i++) await world.broker.enqueueMany(`many${i}`, jobs(1));
      await one.look();
      const before = await commands();
      await one.look();
      // For 202 queues and what is beside them, every ten seconds.
      expect((await commands()) - before).toBeLessThan(600);
    } finally {
      delete process.env.REDRIVE_AUDIT_KEY;
    }
  });
});

const commands = async () =>
  Number(/total_commands_processed:(\d+)/.exec(await world.redis.info('stats'))?.[1]);
