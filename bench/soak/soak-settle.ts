/** Brings everything to its end: the last jobs, the dead that are dealt with, the trash, and what runs out by itself. */
import type { Redis } from 'ioredis';
import { type Column, createKeys } from '@/lib/broker/redis/redis-keys';
import type { Broker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import type { Operator } from './soak-operator';
import { QUEUE } from './soak-plan';

const SETTLE_MS = 120_000;
/** Empty once nothing is under way any more and maintenance has been through. */
const PASSING: readonly Column[] = ['unique', 'uniqueUntil', 'throttled', 'fair', 'running', 'trash'];
const KEYS_AT_ONCE = 1_000;

export async function settle(broker: Broker, redis: Redis, operator: Operator): Promise<void> {
  await until(
    async () => {
      await operator.triage();
      await operator.purgeLate();
      const [reading] = await broker.inspect.snapshot([QUEUE]);
      if (!reading) return false;
      const { ready, scheduled, retry, held, dead, 'in-flight': inFlight } = reading.counts;
      return ready + scheduled + retry + held + inFlight === 0 && dead === operator.triaged.kept;
    },
    { timeoutMs: SETTLE_MS, everyMs: 100, what: 'every job to come to its end' },
  );
  // The trash is kept for an hour. Nobody waits that long here: its grace ends now.
  await broker.config.change(QUEUE, { trashGraceMs: 0 }, { actor: 'operator', reason: 'the soak ends' });
  const keys = createKeys(broker.prefix);
  const sizeOf = async (column: Column) => {
    const key = keys.column(QUEUE, column);
    return (await redis.type(key)) === 'hash' ? redis.hlen(key) : redis.zcard(key);
  };
  // Maintenance looks for the jobs of an idempotency key every quarter of an hour: now, too.
  const due = keys.column(QUEUE, 'idempotencyDue');
  const lookForKeys = async () => {
    const known = await redis.zrange(due, '0', '-1');
    for (let i = 0; i < known.length; i += KEYS_AT_ONCE)
      await redis.zadd(due, 'XX', ...known.slice(i, i + KEYS_AT_ONCE).flatMap((key) => [0, key]));
  };
  await until(
    async () => {
      await lookForKeys();
      const { promoted, reclaimed, expired } = await broker.maintain(QUEUE);
      const sizes = await Promise.all(PASSING.map(sizeOf));
      const marks = (await redis.keys(`${keys.once('*')}`)).length;
      const [keysLeft, jobsLeft] = [await sizeOf('idempotency'), await sizeOf('jobs')];
      return (
        promoted + reclaimed + expired + marks === 0 &&
        sizes.every((size) => size === 0) &&
        keysLeft <= jobsLeft
      );
    },
    { timeoutMs: SETTLE_MS, everyMs: 100, what: 'maintenance to find nothing more to do' },
  );
  // A console would have carried the operator's records into the audit log by now.
  await until(async () => (await broker.audit.collect({ thorough: true })).entered === 0, {
    timeoutMs: SETTLE_MS,
    everyMs: 100,
    what: 'the records of changes to be in the audit log',
  });
}
