'use client';
import { FlaskConicalOff } from 'lucide-react';
import { Callout } from '@/components/ui/callout';
import { EmptyState } from '@/components/ui/empty-state';
import { ErrorState } from '@/components/ui/error-state';
import { Panel } from '@/components/ui/panel';
import { DataAge } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { missingWords, useMay, useWithin } from '@/lib/client/permissions';
import { useLab, useLabSettings } from '@/lib/client/use-lab';
import { isEverywhere } from '@/lib/contract/permissions';
import { Controls } from './controls';
import { CrashLog } from './crash-log';
import { FlowDiagram } from './flow-diagram';
import { LedgerBox } from './ledger-box';
import { SlotsPanel } from './slots-panel';
import { Ticker } from './ticker';
import { Toolbar } from './toolbar';
import { useFlow } from './use-flow';

/** The demo worker under one's hands: turn a knob, watch processes die and jobs return, see the ledger balance. */
export function LabPage() {
  const { data: lab, error, refetch, isFetching } = useLab();
  const everywhere = isEverywhere(useWithin('view'));
  if (lab === null) return everywhere ? <SwitchedOff /> : <NotTheirs />;
  if (!lab && error) {
    return (
      <ErrorState
        title="The lab could not be loaded"
        message={error.detail}
        reference={error.requestId ?? undefined}
        retrying={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  return <Bench />;
}

export function LabAge() {
  return <DataAge at={useLab().data?.at} staleAfterMs={5_000} />;
}

function Bench() {
  const lab = useLab().data;
  const editor = useLabSettings();
  const flow = useFlow();
  const may = useMay('lab');
  const supervised = lab ? lab.supervisor !== null : true;
  return (
    <div className="space-y-3 px-4 pb-6 max-sm:px-2" aria-busy={!lab}>
      {may ? (
        <Toolbar editor={editor} supervised={supervised} />
      ) : (
        <Callout title="You can watch, not turn the knobs.">{missingWords('lab')}</Callout>
      )}
      {!supervised && (
        <Callout tone="warn" title="No demo worker runs">
          Settings are kept, but nothing enqueues or runs jobs until one is started:{' '}
          <code className="rounded-sm bg-hover px-1 font-mono text-fg text-xs">npm run worker</code>
        </Callout>
      )}
      <div className="grid gap-3 xl:grid-cols-[14.5rem_minmax(0,1fr)_19rem]">
        <fieldset disabled={!may} className="min-w-0 xl:self-start">
          <Controls editor={editor} fixed={!may} />
        </fieldset>
        <div className="flex min-w-0 flex-col gap-3 max-xl:-order-1">
          <FlowDiagram flow={flow} />
          {lab && editor.settings ? (
            <SlotsPanel lab={lab} settings={editor.settings} />
          ) : (
            <Panel title="Workers" className="h-80">
              <Skeleton className="w-1/2" />
            </Panel>
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-3 max-xl:grid max-xl:md:grid-cols-3">
          <LedgerBox queues={flow?.queues ?? null} />
          <CrashLog crashes={lab?.crashes ?? null} />
          <Ticker />
        </div>
      </div>
    </div>
  );
}

/** It shows every queue and what runs in them, whosesoever it is. */
function NotTheirs() {
  return (
    <EmptyState icon={<FlaskConicalOff />} title="The lab is not yours to see">
      It is the demo of all queues together, and you see some of them.
    </EmptyState>
  );
}

function SwitchedOff() {
  return (
    <EmptyState icon={<FlaskConicalOff />} title="The lab is switched off">
      It can crash workers and fill queues, so a console offers it only when asked to: start it with{' '}
      <code className="rounded-sm bg-hover px-1 font-mono text-xs">REDRIVE_LAB=on</code>.
    </EmptyState>
  );
}
