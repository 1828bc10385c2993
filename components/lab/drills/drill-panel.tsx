'use client';
import { useState } from 'react';
import { cn } from '@/components/ui/cn';
import { Button } from '@/components/ui/controls/button';
import { CircleStop, Play } from '@/components/ui/icons';
import { toast } from '@/components/ui/overlays/toast';
import { pageActionsOf } from '@/components/ui/page-actions';
import { Panel } from '@/components/ui/panel';
import { usePageActions } from '@/components/ui/use-page-actions';
import { LAB_DRILL_PLANS, LAB_DRILLS, type LabDrillId } from '@/lib/contract/lab/lab-drills';
import type { LabDrill, LabState } from '@/lib/contract/lab/lab-schemas';
import { useLabDrill } from '../use-lab';
import { DrillScore, PastDrills } from './drill-score-table';

/** Incidents made on purpose: what each does, what to watch, and the score of the latest. */
export function DrillPanel({
  lab,
  may,
  supervised,
}: {
  lab: LabState | null;
  may: boolean;
  supervised: boolean;
}) {
  const latest = lab?.drills[0] ?? null;
  const running = latest && latest.stoppedAt === null ? latest : null;
  const [chosen, setChosen] = useState<LabDrillId | null>(null);
  const shown: LabDrillId = running?.id ?? chosen ?? latest?.id ?? LAB_DRILLS[0];
  const plan = LAB_DRILL_PLANS[shown];
  const score = latest?.id === shown ? latest : null;
  return (
    <Panel title="Drills" aside={statusOf(latest)}>
      <fieldset className="flex flex-wrap gap-1.5">
        <legend className="sr-only">Drills</legend>
        {LAB_DRILLS.map((id) => (
          <Button
            key={id}
            aria-pressed={id === shown}
            disabled={running !== null && id !== shown}
            className={cn(id === shown && 'border-accent text-accent ring-1 ring-accent')}
            onClick={() => setChosen(id)}
          >
            {LAB_DRILL_PLANS[id].title}
          </Button>
        ))}
      </fieldset>
      <div className="mt-3 grid gap-x-6 gap-y-3 md:grid-cols-[minmax(0,1fr)_17rem]">
        <section aria-label={plan.title} className="flex min-h-44 min-w-0 flex-col gap-2 text-sm">
          <p>{plan.does}</p>
          <ul className="list-disc pl-4 text-muted text-xs">
            {plan.watch.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          {score?.stoppedAt && score.recoveredAt === null && (
            <p className="font-medium text-xs">{plan.next}</p>
          )}
          <div className="mt-auto flex flex-wrap items-center gap-x-2 gap-y-1">
            {may && <Switch shown={shown} running={running} supervised={supervised} />}
            <span className="text-faint text-xs">
              {running ? 'The settings of before return.' : 'Replaces the settings until you stop it.'}
            </span>
          </div>
        </section>
        <DrillScore drill={score} />
      </div>
      <PastDrills drills={lab?.drills.slice(1) ?? []} />
    </Panel>
  );
}

function statusOf(drill: LabDrill | null): string {
  if (!drill) return 'none started yet';
  const { title } = LAB_DRILL_PLANS[drill.id];
  if (drill.stoppedAt === null) return `${title} is running`;
  return drill.recoveredAt === null ? `${title}: recovering` : `${title}: recovered`;
}

function Switch({
  shown,
  running,
  supervised,
}: {
  shown: LabDrillId;
  running: LabDrill | null;
  supervised: boolean;
}) {
  const { mutate, isPending } = useLabDrill();
  const onError = (error: { detail: string }) =>
    toast.error(running ? 'Could not stop the drill' : 'Could not start the drill', {
      description: error.detail,
    });
  const start = (drill: LabDrillId) => mutate({ action: 'start', drill }, { onError });
  const isStartable = running === null && supervised && !isPending;
  // The page has one button, for the drill on show; the finder starts any.
  usePageActions(
    isStartable
      ? LAB_DRILLS.map((id) => ({
          label: `Start the drill: ${LAB_DRILL_PLANS[id].title}`,
          run: () => start(id),
        }))
      : [],
  );
  if (running)
    return (
      <span {...pageActionsOf(`ends the drill ${LAB_DRILL_PLANS[running.id].title}`)}>
        <Button variant="primary" pending={isPending} onClick={() => mutate({ action: 'stop' }, { onError })}>
          <CircleStop aria-hidden />
          {LAB_DRILL_PLANS[running.id].stop}
        </Button>
      </span>
    );
  return (
    <Button
      pending={isPending}
      disabled={!supervised}
      title={supervised ? undefined : 'Start the demo worker first: npm run worker'}
      onClick={() => start(shown)}
    >
      <Play aria-hidden />
      Start the drill
    </Button>
  );
}
