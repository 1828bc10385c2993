'use client';
import { Panel } from '@/components/ui/panel';
import { useWorkers } from '@/lib/client/use-workers';
import type { LabState } from '@/lib/contract/lab';
import { count } from '@/lib/format/plural';
import { WorkerCard } from './worker-card';

/** Every worker process of the supervisor as a card. */
export function WorkerGrid({ lab }: { lab: LabState }) {
  const workers = new Map((useWorkers().data?.workers ?? []).map((worker) => [worker.workerId, worker]));
  const slots = lab.supervisor?.slots ?? [];
  const busy = slots.reduce((sum, slot) => sum + (workers.get(slot.workerId ?? '')?.jobs.length ?? 0), 0);
  const crashes = slots.reduce((sum, slot) => sum + slot.crashes, 0);
  return (
    <Panel
      title="Workers"
      aside={
        <span>
          {count(slots.length, 'process', 'processes')} · {busy} of {slots.length * lab.settings.concurrency}{' '}
          slots busy · {count(crashes, 'crash', 'crashes')}
        </span>
      }
    >
      {slots.length === 0 ? (
        <p className="py-6 text-center text-muted">
          No worker processes.{' '}
          {lab.supervisor ? 'Raise “Workers” to start some.' : 'No supervisor is running.'}
        </p>
      ) : (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(11.5rem,1fr))] gap-2">
          {slots.map((slot) => (
            <WorkerCard
              key={slot.slot}
              slot={slot}
              worker={workers.get(slot.workerId ?? '')}
              concurrency={lab.settings.concurrency}
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}
