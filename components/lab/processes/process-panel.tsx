'use client';
import { useState } from 'react';
import { cn } from '@/components/ui/cn';
import { EmptyState } from '@/components/ui/empty-state';
import { Cpu } from '@/components/ui/icons';
import { Panel } from '@/components/ui/panel';
import { useServerNow } from '@/lib/browser/live/live-provider';
import { useWorkers } from '@/lib/browser/live/use-workers';
import type { LabSettings, LabState } from '@/lib/contract/lab/lab-schemas';
import { count } from '@/lib/format/plural';
import { ProcessCard } from './process-card';
import { addOccupants, columnsFor, isRoomy, type Occupants, processViews } from './process-view';

const GRID: Readonly<Record<number, string>> = {
  2: 'sm:grid-cols-2',
  3: 'sm:grid-cols-2 lg:grid-cols-3',
  4: 'grid-cols-2 sm:grid-cols-3 lg:grid-cols-4',
};

/** The worker processes. @param inFlight as the ledger has it: reports of workers are older; null: not known */
export function ProcessPanel({
  lab,
  settings,
  inFlight,
}: {
  lab: LabState;
  settings: LabSettings;
  inFlight: number | null;
}) {
  const now = useServerNow();
  const workers = useWorkers().data?.workers ?? [];
  const processes = lab.supervisor?.slots ?? [];
  const [occupants, setOccupants] = useState<Occupants>(new Map());
  const known = addOccupants(occupants, processes);
  if (known !== occupants) setOccupants(known);
  const views = processViews(processes, workers, lab.crashes, known, now);
  const roomy = isRoomy(processes.length, settings.concurrency);
  const alive = processes.filter(({ status }) => status === 'running').length;
  return (
    <Panel
      title="Workers"
      aside={
        lab.supervisor ? (
          <span>
            {alive} of {count(settings.workers, 'process', 'processes')} running,{' '}
            {inFlight !== null && `${count(inFlight, 'job')} in flight, `}supervisor pid {lab.supervisor.pid}
          </span>
        ) : (
          'no supervisor'
        )
      }
    >
      {processes.length === 0 ? (
        <EmptyState icon={<Cpu />} title="No worker process">
          {lab.supervisor
            ? 'Raise the Workers slider to start processes.'
            : 'Processes appear here when the demo worker runs.'}
        </EmptyState>
      ) : (
        <ul className={cn('grid gap-2', GRID[columnsFor(processes.length)])}>
          {views.map((view) => (
            <ProcessCard key={view.process.slot} view={view} settings={settings} roomy={roomy} />
          ))}
        </ul>
      )}
    </Panel>
  );
}
