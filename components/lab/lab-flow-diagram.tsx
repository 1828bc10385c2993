'use client';
import Link from 'next/link';
import { useEffect, useState } from 'react';
import { STATE_LOOK } from '@/components/shared/state-badge';
import { cn } from '@/components/ui/cn';
import { CirclePlus } from '@/components/ui/icons';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { Num } from '@/components/ui/text/number';
import { usePhone } from '@/components/ui/use-phone';
import { links } from '@/lib/browser/links';
import { JOB_STATE_MEANING, type JobState, type StateCounts } from '@/lib/contract/jobs/job-states';
import { rate } from '@/lib/format/number';
import { type Rates, sumCounts, sumLedgers, type useLabFlow } from './lab-flow';
import { type EdgeState, LabFlowEdges } from './lab-flow-edges';
import { BOX_HEIGHT, type BoxName, type EdgeName, type FlowLayout, WIDE } from './lab-flow-layout';

const NAMES = Object.keys(WIDE.boxes) as BoxName[];

/** Counts by state and the rates between them. */
export function LabFlowDiagram({ flow }: { flow: ReturnType<typeof useLabFlow> }) {
  const { layout, isTallMissing } = useLayout();
  const counts = flow ? sumCounts(flow.queues) : null;
  const enqueued = flow ? sumLedgers(flow.queues).enqueued : null;
  return (
    <Panel
      title="Jobs"
      aside="critical, default and low together; rates over the last 5 s"
      className="shrink-0"
    >
      {/* A phone never shows the wide drawing: its boxes would move. */}
      <div className={cn('relative h-46 max-md:h-78', isTallMissing && 'max-md:invisible')}>
        <LabFlowEdges layout={layout} edges={edgesOf(flow?.rates ?? null)} />
        <ul>
          {NAMES.map((name) => (
            <Box key={name} layout={layout} name={name} counts={counts} enqueued={enqueued} />
          ))}
        </ul>
      </div>
    </Panel>
  );
}

/** Only a phone loads the tall drawing. */
function useLayout(): { layout: FlowLayout; isTallMissing: boolean } {
  const phone = usePhone();
  const [tall, setTall] = useState<FlowLayout | null>(null);
  useEffect(() => {
    if (!phone) return;
    import('./lab-flow-layout-tall').then(({ TALL }) => setTall(TALL)).catch(() => setTall(WIDE));
  }, [phone]);
  return { layout: (phone && tall) || WIDE, isTallMissing: tall === null };
}

function edgesOf(rates: Rates | null): Readonly<Record<EdgeName, EdgeState>> {
  const edge = (word: string, value: number | null | undefined, color: string): EdgeState => ({
    word: `${word}${word ? ' ' : ''}${rate(value)}`,
    rate: value ?? null,
    color,
  });
  const quiet = (word: string, color: string): EdgeState => ({ word, rate: null, color });
  const color = (state: JobState) => `var(--state-${state})`;
  return {
    enqueue: edge('', rates?.enqueued, color('ready')),
    claim: edge('', rates?.claimed, color('in-flight')),
    done: edge('', rates?.completed, color('completed')),
    later: quiet('later', color('scheduled')),
    due: quiet('due', color('scheduled')),
    fail: edge('fails', rates?.retried, color('retry')),
    again: { ...quiet('due', color('retry')), rate: rates?.retried ?? null },
    die: edge('dies', rates?.dead, color('dead')),
    reclaim: {
      ...edge('reclaimed', rates?.reclaimed, color('dead')),
      alarm: (rates?.reclaimed ?? 0) > 0,
    },
  };
}

function Box({
  layout: { boxes, boxWidth },
  name,
  counts,
  enqueued,
}: {
  layout: FlowLayout;
  name: BoxName;
  counts: StateCounts | null;
  enqueued: number | null;
}) {
  const { x, y } = boxes[name];
  const box = {
    left: `${x - boxWidth / 2}%`,
    top: y - BOX_HEIGHT / 2,
    width: `${boxWidth}%`,
    height: BOX_HEIGHT,
  };
  return (
    <li className="absolute" style={box}>
      {name === 'dead' ? (
        <Link href={links.dead()} className="block h-full rounded hover:[&>div]:bg-hover">
          <Face name={name} counts={counts} enqueued={enqueued} />
        </Link>
      ) : (
        <Face name={name} counts={counts} enqueued={enqueued} />
      )}
    </li>
  );
}

function Face({
  name,
  counts,
  enqueued,
}: {
  name: BoxName;
  counts: StateCounts | null;
  enqueued: number | null;
}) {
  const source = name === 'enqueued';
  const look = source ? null : STATE_LOOK[name];
  const Icon = look?.Icon ?? CirclePlus;
  const value = source ? enqueued : (counts?.[name] ?? null);
  const held = name === 'ready' && counts && counts.held > 0 ? counts.held : null;
  return (
    <div
      title={source ? 'All jobs ever enqueued' : JOB_STATE_MEANING[name]}
      className={cn(
        'h-full rounded border border-line-strong border-l-2 bg-panel px-2 py-1',
        source && 'border-dashed',
      )}
      style={{ borderLeftColor: source ? undefined : `var(--state-${name})` }}
    >
      <div className={cn('flex items-center gap-1 text-xs leading-4', look?.text ?? 'text-muted')}>
        <Icon aria-hidden className="size-3 shrink-0" />
        <span className="truncate">{look?.label ?? 'Enqueued'}</span>
      </div>
      {value === null ? (
        <Skeleton className="mt-1.5 w-10" />
      ) : (
        <div className="flex items-baseline gap-1.5 leading-5">
          <Num value={value} dim className="font-semibold text-lg leading-5 tracking-tight" />
          {held !== null && <span className="text-2xs text-state-held">+{held} held</span>}
        </div>
      )}
    </div>
  );
}
