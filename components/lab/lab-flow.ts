'use client';
/** Counts, ledger and rates of the lab's queues together. */
import { useState } from 'react';
import { useQueues } from '@/lib/browser/queues/use-queue';
import { JOB_STATES, type StateCounts } from '@/lib/contract/jobs/job-states';
import type { LabState } from '@/lib/contract/lab/lab-schemas';
import { LAB_QUEUES } from '@/lib/contract/lab/lab-settings';
import type { Ledger, QueueSnapshot, Totals } from '@/lib/contract/queues/queue-schemas';

export const RATE_WINDOW_MS = 5_000;
/** Numbers of queues that were read further apart than this are not of one moment. */
const SKEW_MAX_MS = 1_000;

const NAMES = Object.keys(LAB_QUEUES);

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

/** The latest read stands for all queues. Null while one still has the numbers of an earlier visit: their sum would jump. */
export function toSample(queues: readonly Pick<QueueSnapshot, 'at' | 'totals'>[]): Sample | null {
  const times = queues.map(({ at }) => at);
  const at = Math.max(0, ...times);
  if (at - Math.min(at, ...times) > SKEW_MAX_MS) return null;
  return {
    at,
    totals: sumOf<FlowName>(
      queues.map(({ totals }): Totals => totals),
      FLOWS,
    ),
  };
}

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

/** What the lab counts since its last reset. Lost: jobs that the ledger misses. */
export const crashTotals = (session: LabState['session'], queues: readonly QueueSnapshot[]) => ({
  crashes: session.crashes,
  reclaimed: Math.max(
    0,
    queues.reduce((sum, { totals }) => sum + totals.reclaimed, 0) - session.reclaimedBefore,
  ),
  lost: queues.reduce((sum, { ledger }) => sum + Math.max(0, ledger.difference), 0),
});

/** The lab's queues with their rates; null until all have numbers. */
export function useLabFlow(): { queues: QueueSnapshot[]; rates: Rates } | null {
  const queues = useQueues(NAMES);
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  const next = toSample(queues);
  if (queues.length === NAMES.length && next && next.at !== samples.at(-1)?.at)
    setSamples(addSample(samples, next));
  return queues.length > 0 ? { queues, rates: sampleRates(samples) } : null;
}
