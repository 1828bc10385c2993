import Link from 'next/link';
import { cn } from '@/components/ui/cn';
import { Num } from '@/components/ui/number';
import { Panel } from '@/components/ui/panel';
import { STATE_LOOK } from '@/components/ui/state-badge';
import { links } from '@/lib/client/links';
import type { QueueSnapshot } from '@/lib/contract/queue';
import { JOB_STATES, type JobState, STATE_MEANING } from '@/lib/contract/states';
import { FLOW_HEIGHT, FlowLines, NODE_HEIGHT, NODE_WIDTH_PERCENT, PLACES } from './flow-lines';

/** Where this queue's jobs are and how they move; each state leads to its list. On a phone only the states remain. */
export function StateFlow({ queue, current }: { queue: QueueSnapshot; current: JobState }) {
  return (
    <Panel className="shrink-0">
      <nav aria-label="States of this queue" className="relative lg:min-h-(--flow)" style={flowVariable}>
        <FlowLines className="max-lg:hidden" />
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

function FlowNode({ state, queue, current }: { state: JobState; queue: QueueSnapshot; current: boolean }) {
  const { Icon, label, text } = STATE_LOOK[state];
  const value = queue.counts[state];
  const { x, y } = PLACES[state];
  const place = {
    '--x': `${x - NODE_WIDTH_PERCENT / 2}%`,
    '--y': `${y - NODE_HEIGHT / 2}px`,
    '--w': `${NODE_WIDTH_PERCENT}%`,
  } as React.CSSProperties;
  return (
    <li className="lg:absolute lg:top-(--y) lg:left-(--x) lg:w-(--w)" style={place}>
      <Link
        href={links.queue(queue.queue, state)}
        scroll={false}
        prefetch={false}
        title={STATE_MEANING[state]}
        aria-current={current ? 'page' : undefined}
        className={cn(
          'flex h-8 items-center gap-1.5 rounded border bg-panel px-2 hover:bg-hover',
          current ? 'border-accent ring-1 ring-accent' : 'border-line-strong',
        )}
      >
        <Icon aria-hidden className={cn('size-3.5 shrink-0 lg:max-xl:hidden', text)} />
        <span className={cn('min-w-0 flex-1 truncate text-xs', text)}>{label}</span>
        <Num value={value} dim atLeast={queue.shards.unavailable.length > 0} className="font-medium" />
      </Link>
    </li>
  );
}
