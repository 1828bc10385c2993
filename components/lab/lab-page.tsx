'use client';
import { FlaskConical } from 'lucide-react';
import { Callout } from '@/components/ui/callout';
import { EmptyState } from '@/components/ui/empty-state';
import { ErrorState } from '@/components/ui/error-state';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { useLab, useLabSettings } from '@/lib/client/use-lab';
import { useOverview } from '@/lib/client/use-overview';
import type { LabState } from '@/lib/contract/lab';
import { ActionsBar } from './actions-bar';
import { ControlsPanel } from './controls-panel';
import { CrashLog } from './crash-log';
import { FlowBoard } from './flow-board';
import { LabLedger } from './lab-ledger';
import { MovementTicker } from './movement-ticker';
import { labSums } from './sums';
import { WorkerGrid } from './worker-grid';

/** Break a worker, and watch its jobs come back. */
export function LabPage() {
  const { data: lab, error, refetch, isFetching } = useLab();
  if (lab) return <Lab lab={lab} />;
  if (lab === null)
    return (
      <EmptyState icon={<FlaskConical />} title="The lab is switched off on this console">
        It makes a demo worker fail, hang and crash on purpose, so it is offered only where someone asked for
        it. Start the console with <code>REDRIVE_LAB=on</code>, or run <code>npm run demo</code>.
      </EmptyState>
    );
  if (error)
    return (
      <ErrorState
        title="The lab could not be loaded"
        message={error.detail}
        reference={error.requestId ?? undefined}
        retrying={isFetching}
        onRetry={refetch}
      />
    );
  return <LabSkeleton />;
}

function Lab({ lab }: { lab: LabState }) {
  const editor = useLabSettings();
  const settings = editor.settings ?? lab.settings;
  const overview = useOverview().data;
  const sums = labSums(overview);
  return (
    <div className="flex flex-col gap-3 px-4 pb-6 max-sm:px-2">
      {!lab.supervisor && (
        <Callout tone="warn" title="No demo worker is running.">
          Settings are kept, but nothing acts on them. Start one with <code>npm run worker</code> on the
          machine of this Redis, or use <code>npm run demo</code>.
        </Callout>
      )}
      <div className="grid gap-3 lg:grid-cols-[16rem_minmax(0,1fr)] 2xl:grid-cols-[16rem_minmax(0,1fr)_19rem]">
        <div className="max-lg:order-2">
          <ControlsPanel editor={editor} settings={settings} />
        </div>
        <div className="flex min-w-0 flex-col gap-3 max-lg:order-1">
          <Panel title="Jobs" aside={<ActionsBar />}>
            <FlowBoard at={overview?.at ?? 0} sums={sums} trafficPerSecond={settings.trafficPerSecond} />
          </Panel>
          <WorkerGrid lab={lab} />
        </div>
        <div className="grid content-start gap-3 max-2xl:col-span-full max-2xl:md:grid-cols-3 max-lg:order-3">
          <LabLedger sums={sums} />
          <CrashLog crashes={lab.crashes} />
          <MovementTicker />
        </div>
      </div>
    </div>
  );
}

function LabSkeleton() {
  return (
    <div className="grid gap-3 px-4 lg:grid-cols-[16rem_minmax(0,1fr)]" aria-busy="true">
      <Skeleton className="h-[40rem] w-full" />
      <div className="flex flex-col gap-3">
        <Skeleton className="h-56 w-full" />
        <Skeleton className="h-96 w-full" />
      </div>
    </div>
  );
}
