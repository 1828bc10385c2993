'use client';
/** Counts, ledger and rates of the lab's queues together. */
import { useState } from 'react';
import { useOverview } from '@/lib/browser/live/use-overview';
import { JOB_STATES, type StateCounts } from '@/lib/contract/jobs/job-states';
import { LAB_QUEUES } from '@/lib/contract/lab/lab-settings';
import type { Ledger, Overview, QueueSnapshot, Totals } from '@/lib/contract/queues/queue-schemas';

export const RATE_WINDOW_MS = 5_000;

export const labQueues = (overview: Overview): QueueSnapshot[] =>
  Object.keys(LAB_QUEUES).flatMap((name) => overview.queues.find(({ queue }) => queue === name) ?? []);

const FLOWS = ['enqueued', 'claimed', 'completed', 'retried', 'dead', 'reclaimed', 'redriven'] as const;
export type FlowName = (typeof FLOWS)[number];
export type Rates = Readonly<Record<FlowName, number | null>>;

export interface Sample {
  at: number;
  totals: Readonly<Record<FlowName, number>>;
}

const sumOf = <K extends string>(parts: readonly Readonly<Record<K, number>>[], keys: readonly K[]) =>
  Object.fromEntries(keys.map((key) => [key, parts.reduce((sum, part) => sum + part[key], 0)])) as Record<
    K,
    number
  >;

export const toSample = (overview: Overview): Sample => ({
  at: overview.at,
  totals: sumOf<FlowName>(
    labQueues(overview).map(({ totals }): Totals => totals),
    FLOWS,
  ),
});

/** Adds a sample and drops old ones. Starts over when the time or a counter decreases. */
export function addSample(samples: readonly Sample[], next: Sample): readonly Sample[] {
  const last = samples.at(-1);
  if (last && (next.at < last.at || next.totals.enqueued < last.totals.enqueued)) return [next];
  const kept = samples.filter(({ at }) => next.at - at <= RATE_WINDOW_MS + 1_000);
  return [...kept, next];
}

/** Jobs per second over the window; null until two samples are half a second apart. */
export function sampleRates(samples: readonly Sample[]): Rates {
  const last = samples.at(-1);
  const first = last && samples.find(({ at }) => last.at - at <= RATE_WINDOW_MS);
  const seconds = last && first ? (last.at - first.at) / 1_000 : 0;
  const rate = (flow: FlowName): number | null =>
    last && first && seconds >= 0.5 ? Math.max(0, last.totals[flow] - first.totals[flow]) / seconds : null;
  return Object.fromEntries(FLOWS.map((flow) => [flow, rate(flow)])) as Record<FlowName, number | null>;
}

export const DOTS_MAX = 6;

/** Dots on an edge grow with the logarithm of the rate. */
export const dotCount = (rate: number | null): number =>
  rate === null || rate <= 0 ? 0 : Math.min(DOTS_MAX, 1 + Math.floor(Math.log2(1 + rate)));

export const sumCounts = (queues: readonly QueueSnapshot[]): StateCounts =>
  sumOf(
    queues.map(({ counts }) => counts),
    JOB_STATES,
  );

export const sumLedgers = (queues: readonly QueueSnapshot[]): Ledger =>
  sumOf(
    queues.map(({ ledger }) => ledger),
    ['enqueued', 'inStates', 'deleted', 'difference'] as const,
  );

/** The lab's queues with their rates; null until the first overview. */
export function useLabFlow(): { queues: QueueSnapshot[]; rates: Rates } | null {
  const overview = useOverview().data;
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  if (overview && overview.at !== samples.at(-1)?.at) setSamples(addSample(samples, toSample(overview)));
  return overview ? { queues: labQueues(overview), rates: sampleRates(samples) } : null;
}
