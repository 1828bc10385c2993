/** Dead letters for the browser tests, made the way any are: enqueued, claimed, failed. No demo worker knows these queues. */

import type { ErrorClass } from '../lib/contract/jobs/error-classes';
import { type Broker, createBroker } from '../testing/create-broker';

export interface Deaths {
  readonly jobType: string;
  readonly tenantId: string;
  readonly errorClass: ErrorClass;
  readonly errorCode: string;
  readonly message: string;
  readonly count: number;
  /** Left out: made by the broker. */
  readonly jobId?: (n: number) => string;
  /** The payload of each; its number is `n`. */
  readonly payload?: (n: number) => unknown;
}

/** A broker on the Redis of the tests. Close it. */
export function openBroker(): Broker {
  const url = process.env.REDRIVE_E2E_REDIS_URL;
  if (!url) throw new Error('REDRIVE_E2E_REDIS_URL is set by e2e/start-stack.ts.');
  return createBroker({ url });
}

/** Returns the ids, first to last. */
export async function die(broker: Broker, queue: string, deaths: Deaths): Promise<string[]> {
  const { count, errorClass, errorCode, message, jobId, payload = (n: number) => ({ n }) } = deaths;
  await broker.enqueueMany(
    queue,
    Array.from({ length: count }, (_, n) => ({
      jobType: deaths.jobType,
      tenantId: deaths.tenantId,
      maxAttempts: 1,
      payload: JSON.stringify(payload(n)),
      ...(jobId ? { jobId: jobId(n) } : {}),
    })),
  );
  const ids: string[] = [];
  while (ids.length < count) {
    const { jobs } = await broker.claim(queue, { worker: 'e2e', count: count - ids.length });
    if (jobs.length === 0)
      throw new Error(`only ${ids.length} of ${count} jobs of ${queue} could be claimed`);
    const failure = {
      errorClass,
      errorCode,
      message,
      stack: `Error: ${message}\n    at handle (/srv/app/handlers/${deaths.jobType}.js:12:7)`,
      again: false,
    };
    await broker.fail(
      queue,
      jobs.map(({ jobId, token }) => ({ jobId, token, failure })),
    );
    ids.push(...jobs.map(({ jobId }) => jobId));
  }
  return ids;
}

/** As above, with a broker for this alone. Returns the name of a new queue, which begins with `name`. */
export async function dieInNewQueue(name: string, deaths: Deaths): Promise<string> {
  const queue = `${name}-${Date.now().toString(36)}`;
  const broker = openBroker();
  try {
    await die(broker, queue, deaths);
  } finally {
    broker.close();
  }
  return queue;
}

export const GATEWAY: Deaths = {
  jobType: 'invoice.pay',
  tenantId: 'acme',
  errorClass: 'retryable',
  errorCode: 'ETIMEDOUT',
  message: 'connect timed out after 3000 ms while posting to the payment gateway',
  count: 60,
  payload: (n) => ({ order: { id: 7_000 + n }, note: n === 17 ? 'left with the neighbour' : 'at the door' }),
};
export const BAD_INPUT: Deaths = {
  jobType: 'email.send',
  tenantId: 'globex',
  errorClass: 'malformed',
  errorCode: 'SCHEMA',
  message: 'recipients[3].email must be an email',
  count: 12,
};
export const BUG: Deaths = {
  jobType: 'invoice.render',
  tenantId: 'acme',
  errorClass: 'permanent',
  errorCode: 'TypeError',
  message: 'Cannot read properties of undefined (reading "amount")',
  count: 5,
};
