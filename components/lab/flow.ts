/** The lab's queues as one: counts, the ledger, and how fast jobs move between the states; pure. */
import { LAB_QUEUES } from '@/lib/contract/lab';
import type { Ledger, Overview, QueueSnapshot, Totals } from '@/lib/contract/queue';
import { type Counts, JOB_STATES } from '@/lib/contract/states';

/** Rates are measured over so long. */
export const RATE_WINDOW_MS = 5_000;

export const labQueuesOf = (overview: Overview): QueueSnapshot[] =>
  Object.keys(LAB_QUEUES).flatMap((name) => overview.queues.find(({ queue }) => queue === name) ?? []);

const FLOWS = ['enqueued', 'claimed', 'completed', 'retried', 'dead', 'reclaimed', 'redriven'] as const;
export type Flow = (typeof FLOWS)[number];
export type Rates = Readonly<Record<Flow, number | null>>;

export interface Sample {
  at: number;
  totals: Readonly<Record<Flow, number>>;
}

const sumOf = <K extends string>(parts: readonly Readonly<Record<K, number>>[], keys: readonly K[]) =>
  Object.fromEntries(keys.map((key) => [key, parts.reduce((sum, part) => sum + part[key], 0)])) as Record<
    K,
    number
  >;

export const sampleOf = (overview: Overview): Sample => ({
  at: overview.at,
  totals: sumOf<Flow>(
    labQueuesOf(overview).map(({ totals }): Totals => totals),
    FLOWS,
  ),
});

/** Adds a sample and forgets what no rate needs any more; starts over when time or a counter went back. */
export function addSample(samples: readonly Sample[], next: Sample): readonly Sample[] {
  const last = samples.at(-1);
  if (last && (next.at < last.at || next.totals.enqueued < last.totals.enqueued)) return [next];
  const kept = samples.filter(({ at }) => next.at - at <= RATE_WINDOW_MS + 1_000);
  return [...kept, next];
}

/** Jobs a second over the window; null until two samples are apart enough to say. */
export function ratesOf(samples: readonly Sample[]): Rates {
  const last = samples.at(-1);
  const first = last && samples.find(({ at }) => last.at - at <= RATE_WINDOW_MS);
  const seconds = last && first ? (last.at - first.at) / 1_000 : 0;
  const rate = (flow: Flow): number | null =>
    last && first && seconds >= 0.5 ? Math.max(0, last.totals[flow] - first.totals[flow]) / seconds : null;
  return Object.fromEntries(FLOWS.map((flow) => [flow, rate(flow)])) as Record<Flow, number | null>;
}

export const DOTS_MAX = 6;

/** How many dots move along an edge: more for more, but 500 a second must still be calm. */
export const dotsFor = (rate: number | null): number =>
  rate === null || rate <= 0 ? 0 : Math.min(DOTS_MAX, 1 + Math.floor(Math.log2(1 + rate)));

export const countsOf = (queues: readonly QueueSnapshot[]): Counts =>
  sumOf(
    queues.map(({ counts }) => counts),
    JOB_STATES,
  );

export const ledgerOf = (queues: readonly QueueSnapshot[]): Ledger =>
  sumOf(
    queues.map(({ ledger }) => ledger),
    ['enqueued', 'inStates', 'deleted', 'difference'] as const,
  );
