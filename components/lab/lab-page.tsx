'use client';
import { LoadError } from '@/components/shared/load-error';
import { Callout } from '@/components/ui/callout';
import { EmptyState } from '@/components/ui/empty-state';
import { FlaskConicalOff } from '@/components/ui/icons';
import { lazyPart } from '@/components/ui/lazy-part';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { DataAge } from '@/components/ui/text/relative-time';
import { missingPermissionMessage, useGrant } from '@/lib/browser/access/use-permissions';
import { isFullScope } from '@/lib/contract/access/grant-scopes';
import { CrashLog } from './crash-log';
import { EventTicker } from './event-ticker';
import { LabControls } from './lab-controls';
import { sumCounts, useLabFlow } from './lab-flow';
import { LabFlowDiagram } from './lab-flow-diagram';
import { LabHeadline } from './lab-headline';
import { LabToolbar } from './lab-toolbar';
import { LedgerBox } from './ledger-box';
import { ProcessPanel } from './processes/process-panel';
import { useLab, useLabSettings } from './use-lab';

const LabChart = lazyPart(
  () => import('./lab-chart').then((module) => module.LabChart),
  <div className="h-44" />,
);

const DrillPanel = lazyPart(
  () => import('./drills/drill-panel').then((module) => module.DrillPanel),
  <Panel title="Drills" className="h-72">
    <Skeleton className="w-1/2" />
  </Panel>,
  { soon: true },
);

/** The demo worker: change settings, watch crashes and reclaimed jobs, check the ledger. */
export function LabPage() {
  const query = useLab();
  const { data: lab, error } = query;
  const everywhere = isFullScope(useGrant('view'));
  if (lab === null) return everywhere ? <SwitchedOff /> : <NotTheirs />;
  if (!lab && error) {
    return <LoadError title="The lab could not be loaded" query={query} />;
  }
  return <Bench />;
}

export function LabAge() {
  return <DataAge at={useLab().data?.at} staleAfterMs={5_000} />;
}

function Bench() {
  const lab = useLab().data;
  const editor = useLabSettings();
  const flow = useLabFlow();
  const may = isFullScope(useGrant('operate'));
  const supervised = lab ? lab.supervisor !== null : true;
  return (
    <div className="space-y-3 px-4 pb-6 max-sm:px-2" aria-busy={!lab}>
      <LabHeadline lab={lab ?? null} queues={flow?.queues ?? null} may={may} />
      {!may && (
        <Callout title="Read-only: the lab acts on all queues.">
          {missingPermissionMessage('operate')}
        </Callout>
      )}
      {!supervised && (
        <Callout tone="warn" title="No demo worker is running">
          Settings are saved and take effect when you start one:{' '}
          <code translate="no" className="rounded-sm bg-hover px-1 font-mono text-fg text-xs">
            npm run worker
          </code>
        </Callout>
      )}
      <div className="grid gap-3 xl:grid-cols-[14.5rem_minmax(0,1fr)] min-[88rem]:grid-cols-[14.5rem_minmax(0,1fr)_19rem]">
        <fieldset disabled={!may} className="min-w-0 xl:self-start">
          <LabControls editor={editor} fixed={!may} />
        </fieldset>
        <div className="flex min-w-0 flex-col gap-3">
          {may && <LabToolbar editor={editor} supervised={supervised} />}
          <LabFlowDiagram flow={flow} />
          {lab && editor.settings ? (
            <ProcessPanel
              lab={lab}
              settings={editor.settings}
              inFlight={flow ? sumCounts(flow.queues)['in-flight'] : null}
            />
          ) : (
            <Panel title="Workers" className="h-80">
              <Skeleton className="w-1/2" />
            </Panel>
          )}
          <Panel title="Last five minutes" aside="critical, default and low together" className="shrink-0">
            <LabChart />
          </Panel>
          <DrillPanel lab={lab ?? null} may={may} supervised={supervised} />
        </div>
        <div className="flex min-w-0 flex-col gap-3 max-[88rem]:grid max-[88rem]:md:grid-cols-3 xl:max-[88rem]:col-span-2">
          <LedgerBox queues={flow?.queues ?? null} />
          <CrashLog crashes={lab?.crashes ?? null} />
          <EventTicker />
        </div>
      </div>
    </div>
  );
}

/** The lab shows jobs of all queues and tenants. */
function NotTheirs() {
  return (
    <EmptyState icon={<FlaskConicalOff />} title="You don't have access to the lab">
      The lab shows all queues. You have access to some of them.
    </EmptyState>
  );
}

function SwitchedOff() {
  return (
    <EmptyState icon={<FlaskConicalOff />} title="The lab is disabled">
      The lab can crash workers and fill queues. To enable it, start the console with{' '}
      <code translate="no" className="rounded-sm bg-hover px-1 font-mono text-xs">
        REDRIVE_LAB=on
      </code>
      .
    </EmptyState>
  );
}
