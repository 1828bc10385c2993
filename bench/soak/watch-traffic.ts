/** Steady traffic while the console is watched: the same each minute, so that nothing but a leak grows. */

import { sleep } from '@/scripts/lib/deadline.mjs';
import type { Broker } from '@/testing/create-broker';
import { createOperator } from './soak-operator';
import { jobOf, kindOf, QUEUE } from './soak-plan';

const EVERY_MS = 1_000;
const JOBS_PER_TURN = 30;
const TRIAGE_EVERY = 5;
/** A pause ends as often as one begins: findings and marks come and go. */
const PAUSE_EVERY = 60;
const PAUSED_FOR = 10;
const KEEP_DEAD = 200;
const QUIET_QUEUES = 20;
const BY = { actor: 'operator', reason: 'a soak' };

export interface Traffic {
  /** Rejects when a turn fails. */
  readonly failed: Promise<never>;
  stop(): Promise<void>;
}

export async function startTraffic(broker: Broker): Promise<Traffic> {
  const operator = createOperator(broker, KEEP_DEAD);
  // Nobody works on them: rows and findings of the overview.
  for (let i = 0; i < QUIET_QUEUES; i += 1)
    await broker.enqueue(`quiet-${String(i).padStart(2, '0')}`, { jobId: 'j1', jobType: 'soak.mail' });
  let stopping = false;
  let sent = 0;

  async function turn(number: number): Promise<void> {
    const now = Date.now();
    const numbers = Array.from({ length: JOBS_PER_TURN }, (_, i) => sent + i);
    sent += JOBS_PER_TURN;
    // Only an operation by filter removes those that miss their deadline; left alone they would pile up.
    const jobs = numbers.filter((n) => kindOf(n) !== 'late').map((n) => jobOf(n, now));
    await broker.enqueueMany(QUEUE, jobs);
    if (number % TRIAGE_EVERY === 0) await operator.triage();
    if (number % PAUSE_EVERY === 0) await broker.pause(QUEUE, { reason: BY.reason }, BY);
    if (number % PAUSE_EVERY === PAUSED_FOR && number > PAUSE_EVERY) await broker.resume(QUEUE, 'queue', BY);
  }

  const running = (async () => {
    for (let number = 1; !stopping; number += 1) {
      await turn(number);
      await sleep(EVERY_MS);
    }
  })();
  const failed = running.then(() => new Promise<never>(() => undefined));
  failed.catch(() => undefined);
  return {
    failed,
    async stop() {
      stopping = true;
      await running.catch(() => undefined);
    },
  };
}
