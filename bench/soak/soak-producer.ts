/** Enters the jobs, and waits while too many of them stand in line: a soak is about time, not about a flood. */

import type { Broker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { CHANGES } from './soak-changes';
import { jobOf, QUEUE } from './soak-plan';

const PER_CALL = 500;
const STALLED_AFTER_MS = 60_000;

export interface Produced {
  /** Sent so far. */
  sent: number;
  entered: number;
  /** Not entered because their uniqueness key was taken. */
  refused: number;
  /** The most jobs that stood aside just before a setting was changed. */
  heldMost: number;
}

export interface ProduceDeps {
  readonly broker: Broker;
  readonly total: number;
  readonly backlogMax: number;
  /** Told of every change. */
  say(line: string): void;
}

export async function produce(
  { broker, total, backlogMax, say }: ProduceDeps,
  produced: Produced,
): Promise<void> {
  const changes = [...CHANGES];
  while (produced.sent < total) {
    for (let next = changes[0]; next && produced.sent >= total * next.at; next = changes[0]) {
      const reading = await reader(broker);
      produced.heldMost = Math.max(produced.heldMost, reading?.counts.held ?? 0);
      await next.apply(broker);
      changes.shift();
      say(`${Math.floor((produced.sent * 100) / total)} %: ${next.what}`);
    }
    const from = produced.sent;
    const now = Date.now();
    const batch = Array.from({ length: Math.min(PER_CALL, total - from) }, (_, i) => jobOf(from + i, now));
    const results = await broker.enqueueMany(QUEUE, batch);
    for (const { outcome, jobId } of results) {
      if (outcome === 'not-unique') produced.refused += 1;
      else if (outcome === 'ready' || outcome === 'scheduled') produced.entered += 1;
      else throw new Error(`${jobId} was not entered but is ${outcome}.`);
    }
    produced.sent += batch.length;
    await roomInLine(broker, backlogMax);
  }
}

const reader = async (broker: Broker) => (await broker.inspect.snapshot([QUEUE]))[0];

async function roomInLine(broker: Broker, backlogMax: number): Promise<void> {
  await until(
    async () => {
      const reading = await reader(broker);
      // What a pause holds does not count: nobody could work it off.
      const { jobs } = reading?.depth ?? { jobs: 0 };
      return jobs - (reading?.counts.held ?? 0) < backlogMax;
    },
    { timeoutMs: STALLED_AFTER_MS, everyMs: 10, what: 'the workers to catch up' },
  );
}
