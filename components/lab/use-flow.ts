'use client';
import { useState } from 'react';
import { useOverview } from '@/lib/client/use-overview';
import type { QueueSnapshot } from '@/lib/contract/queue';
import { addSample, labQueuesOf, type Rates, ratesOf, type Sample, sampleOf } from './flow';

/** The lab's queues with their rates; null until the first overview. */
export function useFlow(): { queues: QueueSnapshot[]; rates: Rates } | null {
  const overview = useOverview().data;
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  if (overview && overview.at !== samples.at(-1)?.at) setSamples(addSample(samples, sampleOf(overview)));
  return overview ? { queues: labQueuesOf(overview), rates: ratesOf(samples) } : null;
}
