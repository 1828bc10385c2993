'use client';
import { Cpu } from 'lucide-react';
import { useState } from 'react';
import { cn } from '@/components/ui/cn';
import { EmptyState } from '@/components/ui/empty-state';
import { Panel } from '@/components/ui/panel';
import { useServerNow } from '@/lib/client/live';
import { useWorkers } from '@/lib/client/use-workers';
import type { LabSettings, LabState } from '@/lib/contract/lab';
import { count } from '@/lib/format/plural';
import { SlotCard } from './slot-card';
import { columnsFor, isRoomy, type Occupants, remember, slotViews } from './slot-view';

const GRID: Readonly<Record<number, string>> = {
  2: 'sm:grid-cols-2',
  3: 'sm:grid-cols-2 lg:grid-cols-3',
  4: 'grid-cols-2 sm:grid-cols-3 lg:grid-cols-4',
};

/** The worker processes, each in its slot. */
export function SlotsPanel({ lab, settings }: { lab: LabState; settings: LabSettings }) {
  const now = useServerNow();
  const workers = useWorkers().data?.workers ?? [];
  const slots = lab.supervisor?.slots ?? [];
  const [occupants, setOccupants] = useState<Occupants>(new Map());
  const known = remember(occupants, slots);
  if (known !== occupants) setOccupants(known);
  const views = slotViews(slots, workers, lab.crashes, known, now);
  const busy = views.reduce((sum, { worker }) => sum + (worker?.jobs.length ?? 0), 0);
  const roomy = isRoomy(slots.length, settings.concurrency);
  const alive = slots.filter(({ status }) => status === 'running').length;
  return (
    <Panel
      title="Workers"
      aside={
        lab.supervisor ? (
          <span>
            {alive} of {count(settings.workers, 'process', 'processes')} running, {count(busy, 'job')} in
            hand, supervisor pid {lab.supervisor.pid}
          </span>
        ) : (
          'no supervisor'
        )
      }
    >
      {slots.length === 0 ? (
        <EmptyState icon={<Cpu />} title="No worker process">
          {lab.supervisor
            ? 'Move the Workers slider up: processes start at once.'
            : 'They appear here as soon as the demo worker runs.'}
        </EmptyState>
      ) : (
        <ul className={cn('grid gap-2', GRID[columnsFor(slots.length)])}>
          {views.map((view) => (
            <SlotCard key={view.slot.slot} view={view} settings={settings} roomy={roomy} />
          ))}
        </ul>
      )}
    </Panel>
  );
}
