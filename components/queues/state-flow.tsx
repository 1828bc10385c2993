import Link from 'next/link';
import { STATE_LOOK } from '@/components/shared/state-badge';
import { cn } from '@/components/ui/cn';
import { Panel } from '@/components/ui/panel';
import { Num } from '@/components/ui/text/number';
import { links } from '@/lib/browser/links';
import { JOB_STATE_MEANING, JOB_STATES, type JobState } from '@/lib/contract/jobs/job-states';
import type { QueueNumbers } from '@/lib/contract/queues/queue-schemas';
import { isPartial } from '../shared/queue-state';
import {
  FLOW_HEIGHT,
  NODE_HEIGHT,
  NODE_POSITIONS,
  NODE_WIDTH_PERCENT,
  StateFlowLines,
} from './state-flow-lines';

/** Counts by state as a diagram; each state links to its list. A phone shows the states only. */
export function StateFlow({ queue, current }: { queue: QueueNumbers; current: JobState }) {
  return (
    <Panel className="shrink-0">
      <nav aria-label="States of this queue" className="relative lg:min-h-(--flow)" style={flowVariable}>
        <StateFlowLines />
        <ul className="max-lg:grid max-lg:grid-cols-2 max-lg:gap-1.5 sm:max-lg:grid-cols-3">
          {JOB_STATES.map((state) => (
            <FlowNode key={state} state={state} queue={queue} current={state === current} />
          ))}
        </ul>
      </nav>
    </Panel>
  );
}

const flowVariable = { '--flow': `${FLOW_HEIGHT}px` } as React.CSSProperties;

function FlowNode({ state, queue, current }: { state: JobState; queue: QueueNumbers; current: boolean }) {
  const { Icon, label, text } = STATE_LOOK[state];
  const value = queue.counts[state];
  const { x, y } = NODE_POSITIONS[state];
  const position = {
    '--x': `${x - NODE_WIDTH_PERCENT / 2}%`,
    '--y': `${y - NODE_HEIGHT / 2}px`,
    '--w': `${NODE_WIDTH_PERCENT}%`,
  } as React.CSSProperties;
  return (
    <li className="lg:absolute lg:top-(--y) lg:left-(--x) lg:w-(--w)" style={position}>
      <Link
        href={links.queue(queue.queue, state)}
        scroll={false}
        prefetch={false}
        title={JOB_STATE_MEANING[state]}
        aria-current={current ? 'page' : undefined}
        className={cn(
          'flex h-8 items-center gap-1.5 rounded border bg-panel px-2 hover:bg-hover',
          current ? 'border-accent ring-1 ring-accent' : 'border-line-strong',
        )}
      >
        <Icon aria-hidden className={cn('size-3.5 shrink-0 lg:max-xl:hidden', text)} />
        <span className={cn('min-w-0 flex-1 truncate text-xs', text)}>{label}</span>
        <Num value={value} dim atLeast={isPartial(queue)} className="font-medium" />
      </Link>
    </li>
  );
}
