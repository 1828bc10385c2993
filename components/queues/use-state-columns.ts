'use client';
import { useMemo } from 'react';
import type { DataColumn } from '@/components/ui/tables/data-column';
import { useWorkersPart } from '@/lib/browser/live/use-workers';
import { useQueueConfig } from '@/lib/browser/queues/use-queue-config';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import type { JobState } from '@/lib/contract/jobs/job-states';
import type { QueueNumbers } from '@/lib/contract/queues/queue-schemas';
import type { WorkersPage } from '@/lib/contract/workers/worker-schemas';
import { stateColumns } from './state-columns';

const leasesOf = ({ workers }: WorkersPage) =>
  workers.map(({ workerId, leaseMs }): [string, number] => [workerId, leaseMs]);
const NO_PAUSES: QueueNumbers['pauses'] = [];

/** The columns of the list of one state, with what their cells need of the queue and its workers. */
export function useStateColumns(
  name: string,
  queue: QueueNumbers | null,
  state: JobState,
): readonly DataColumn<JobSummary>[] {
  const leases = useWorkersPart(leasesOf);
  const config = useQueueConfig(name, { enabled: queue !== null && state === 'held' }).data?.config;
  const pauses = queue?.pauses ?? NO_PAUSES;
  return useMemo(() => {
    const leaseMsOf = new Map(leases);
    return stateColumns(state, {
      pauses,
      config,
      leaseMsOf: (worker) => (worker === null ? null : (leaseMsOf.get(worker) ?? null)),
    });
  }, [state, leases, pauses, config]);
}
