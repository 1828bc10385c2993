/** Puts dead letters into a Redis by the road every job takes: enqueued, claimed, failed. Only the clock is ours. */

import type { Redis } from 'ioredis';
import { type Broker, createBroker } from '@/testing/create-broker';
import { failureOf, jobOf, QUEUE, SPREAD_MS } from './dead-plan';

const ENQUEUED_AT_ONCE = 1_000;
const CLAIMED_AT_ONCE = 500;
const SAID_EVERY = 100_000;

export interface SeedOptions {
  readonly redis: Redis;
  readonly jobs: number;
  /** The time of the last death, in ms. */
  readonly until: number;
  say(line: string): void;
}

/** Numbers are written into the ids, so that what a claim hands out can be failed as its number says. */
const numberOf = (jobId: string): number => Number(jobId.slice(jobId.lastIndexOf('-') + 1));

export async function seed({ redis, jobs, until, say }: SeedOptions): Promise<void> {
  let done = 0;
  const clock = () => Math.round(until - SPREAD_MS + (SPREAD_MS * done) / jobs);
  const broker = createBroker({ redis, clock });
  for (; done < jobs; ) {
    const many = Math.min(ENQUEUED_AT_ONCE, jobs - done);
    const batch = Array.from({ length: many }, (_, i) => jobOf(done + i, jobs));
    await broker.enqueueMany(QUEUE, batch);
    await failAll(broker, many);
    done += many;
    if (done % SAID_EVERY === 0) say(`${done.toLocaleString('en')} dead letters`);
  }
}

async function failAll(broker: Broker, many: number): Promise<void> {
  for (let left = many; left > 0; ) {
    const { jobs: claimed } = await broker.claim(QUEUE, {
      worker: 'seeder',
      count: Math.min(left, CLAIMED_AT_ONCE),
    });
    if (claimed.length === 0) throw new Error(`${left} jobs that were just enqueued cannot be claimed.`);
    await broker.fail(
      QUEUE,
      claimed.map(({ jobId, token }) => ({ jobId, token, failure: failureOf(numberOf(jobId)) })),
    );
    left -= claimed.length;
  }
}
