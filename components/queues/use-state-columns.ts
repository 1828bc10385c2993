'use client';
import { useMemo } from 'react';
import type { DataColumn } from '@/components/ui/tables/data-column';
import { useWorkers } from '@/lib/browser/live/use-workers';
import { useQueueConfig } from '@/lib/browser/queues/use-queue-config';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import type { JobState } from '@/lib/contract/jobs/job-states';
import type { QueueSnapshot } from '@/lib/contract/queues/queue-schemas';
import { stateColumns } from './state-columns';

const NO_PAUSES: QueueSnapshot['pauses'] = [];

/** The columns of the list of one state, with what their cells need of the queue and its workers. */
export function useStateColumns(
  name: string,
  queue: QueueSnapshot | null,
  state: JobState,
): readonly DataColumn<JobSummary>[] {
  const workers = useWorkers().data?.workers;
  const config = useQueueConfig(name, { enabled: queue !== null && state === 'held' }).data?.config;
  const pauses = queue?.pauses ?? NO_PAUSES;
  return useMemo(() => {
    const leases = new Map(workers?.map((worker) => [worker.workerId, worker.leaseMs]));
    return stateColumns(state, {
      pauses,
      config,
      leaseMsOf: (worker) => (worker === null ? null : (leases.get(worker) ?? null)),
    });
  }, [state, workers, pauses, config]);
}
