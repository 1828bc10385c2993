/** The queue as it is at the end: what went through it, and whether only what is retained is left of it. */
import type { Redis } from 'ioredis';
import { createKeys } from '@/lib/broker/redis/redis-keys';
import { QUEUE_CONFIG_DEFAULT } from '@/lib/contract/queues/queue-config-default';
import type { Broker } from '@/testing/create-broker';
import { readRaw, violations } from '@/testing/model/invariants';
import type { KeyFound } from './soak-memory';
import type { Triaged } from './soak-operator';
import { QUEUE } from './soak-plan';
import type { Produced } from './soak-producer';
import { judgeKeys } from './soak-verdict';

export async function judgeQueue(
  broker: Broker,
  redis: Redis,
  keys: readonly KeyFound[],
  triaged: Triaged,
  produced: Produced,
  tookMs: number,
): Promise<string[]> {
  const [reading] = await broker.inspect.snapshot([QUEUE]);
  if (!reading) return ['The queue could not be read.'];
  const { counts, ledger } = reading;
  const kept = {
    completed: QUEUE_CONFIG_DEFAULT.completedKeep,
    dead: triaged.kept,
    suppressed: triaged.suppressed,
  };
  const raw = await readRaw(redis, createKeys(broker.prefix), QUEUE);
  const findings = [
    ...violations(raw).slice(0, 20),
    ...judgeKeys(keys, kept, Math.min(180, Math.ceil(tookMs / 60_000) + 3)),
  ];
  if (ledger.difference !== 0) findings.push(`The ledger is off by ${ledger.difference}.`);
  if (ledger.enqueued !== produced.entered)
    findings.push(`${produced.entered} jobs were entered, and the ledger says ${ledger.enqueued}.`);
  const expected = { ...kept, rest: 0 };
  const found = {
    completed: counts.completed,
    dead: counts.dead,
    suppressed: counts.suppressed,
    rest: ledger.inStates - counts.completed - counts.dead - counts.suppressed,
  };
  if (JSON.stringify(found) !== JSON.stringify(expected))
    findings.push(`Left are ${JSON.stringify(found)}, and should be ${JSON.stringify(expected)}.`);
  return findings;
}

export async function whatHappened(
  broker: Broker,
  { refused, heldMost }: Produced,
): Promise<Record<string, number>> {
  const [reading] = await broker.inspect.snapshot([QUEUE]);
  const { completed = 0, retried = 0, dead = 0, redriven = 0 } = reading?.totals ?? {};
  const { started, reused } = await broker.inspect.onceCounts();
  return {
    completed,
    'tried again': retried,
    dead,
    'driven again': redriven,
    deleted: reading?.ledger.deleted ?? 0,
    'refused as not unique': refused,
    'held back, at most at a time': heldMost,
    'done once': started,
    'spared by once': reused,
  };
}
