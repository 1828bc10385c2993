'use client';
import { Radio } from 'lucide-react';
import Link from 'next/link';
import { cn } from '@/components/ui/cn';
import { Num } from '@/components/ui/number';
import { STATE_LOOK } from '@/components/ui/state-badge';
import type { Totals } from '@/lib/contract/queue';
import { compact, rate } from '@/lib/format/number';
import {
  BOARD_HEIGHT,
  NODE_HEIGHT,
  NODE_WIDTH,
  PLACES,
  type Place,
  RECLAIM_POSTS,
  ROADS,
} from './flow-places';
import type { LabSums } from './sums';
import { useDots } from './use-dots';
import { useFlowRates } from './use-flow-rates';

const TONE = { plain: 'var(--muted)', good: 'var(--good)', warn: 'var(--warn)', bad: 'var(--bad)' } as const;

/** Where the lab's jobs are, and each job that moves as a dot on its road. */
export function FlowBoard({
  at,
  sums,
  trafficPerSecond,
}: {
  at: number;
  sums: LabSums;
  trafficPerSecond: number;
}) {
  const rates = useFlowRates(at, sums);
  return (
    <div className="overflow-x-auto">
      <div className="relative min-w-[34rem] [container-type:inline-size]" style={{ height: BOARD_HEIGHT }}>
        <Roads rates={rates} />
        <Dots />
        <Box place="traffic">
          <span className="flex items-center gap-1.5 text-muted text-xs">
            <Radio aria-hidden className="size-3.5" /> Traffic
          </span>
          <span className="font-semibold text-base">
            {trafficPerSecond === 0 ? 'off' : rate(trafficPerSecond)}
          </span>
        </Box>
        {(['scheduled', 'ready', 'in-flight', 'retry', 'completed', 'dead'] as const).map((state) => (
          <StateBox key={state} state={state} sums={sums} />
        ))}
      </div>
    </div>
  );
}

function Roads({ rates }: { rates: Partial<Record<keyof Totals, number>> }) {
  return (
    <svg aria-hidden="true" className="absolute inset-0 size-full">
      <defs>
        {(['plain', 'good', 'warn', 'bad'] as const).map((tone) => (
          <marker
            key={tone}
            id={`lab-head-${tone}`}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto"
          >
            <path d="M1 1 7 4 1 7" fill="none" stroke={TONE[tone]} strokeWidth="1.5" />
          </marker>
        ))}
      </defs>
      {RECLAIM_POSTS.map((post) => (
        <line
          key={post.x + post.from}
          x1={`${post.x}%`}
          x2={`${post.x}%`}
          y1={post.from}
          y2={post.to}
          stroke={TONE.bad}
          strokeWidth="1.25"
          strokeDasharray="3 3"
          opacity="0.7"
          markerEnd={post.to > post.from ? 'url(#lab-head-bad)' : undefined}
        />
      ))}
      {ROADS.map((road) => {
        const perSecond = road.total ? rates[road.total] : undefined;
        return (
          <g key={road.id}>
            <line
              x1={`${road.from.x}%`}
              y1={road.from.y}
              x2={`${road.to.x}%`}
              y2={road.to.y}
              stroke={road.tone === 'plain' ? 'var(--line-strong)' : TONE[road.tone]}
              opacity={road.tone === 'plain' ? 1 : 0.7}
              strokeWidth="1.25"
              strokeDasharray={road.id === 'reclaim' ? '3 3' : undefined}
              markerEnd={road.id === 'reclaim' ? undefined : `url(#lab-head-${road.tone})`}
            />
            <text
              x={`${road.label.x}%`}
              y={road.label.y}
              textAnchor="middle"
              fontSize="10.5"
              fill={perSecond ? TONE[road.tone] : 'var(--faint)'}
            >
              {road.id}
              {perSecond !== undefined && perSecond > 0 ? ` ${rate(perSecond)}` : ''}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

function Dots() {
  const dots = useDots();
  return (
    <div aria-hidden className="pointer-events-none absolute inset-0 overflow-hidden motion-reduce:hidden">
      {dots.map(({ key, road, delayMs }) => (
        <span
          key={key}
          className="lab-dot absolute top-0 left-0 size-1.5 rounded-full"
          style={
            {
              backgroundColor: road.tone === 'plain' ? 'var(--accent)' : TONE[road.tone],
              animationDelay: `${delayMs}ms`,
              '--x1': `${road.from.x}cqw`,
              '--y1': `${road.from.y}px`,
              '--x2': `${road.to.x}cqw`,
              '--y2': `${road.to.y}px`,
            } as React.CSSProperties
          }
        />
      ))}
    </div>
  );
}

function Box({
  place,
  className,
  children,
}: {
  place: Place;
  className?: string;
  children: React.ReactNode;
}) {
  const { x, y } = PLACES[place];
  return (
    <div
      className={cn(
        'absolute flex flex-col justify-center rounded-md border border-line-strong bg-panel px-2.5',
        className,
      )}
      style={{
        left: `${x - NODE_WIDTH / 2}%`,
        width: `${NODE_WIDTH}%`,
        top: y - NODE_HEIGHT / 2,
        height: NODE_HEIGHT,
      }}
    >
      {children}
    </div>
  );
}

function StateBox({ state, sums }: { state: Exclude<Place, 'traffic'>; sums: LabSums }) {
  const { Icon, label, text } = STATE_LOOK[state];
  const value = sums.counts[state];
  const inner = (
    <>
      <span className={cn('flex items-center gap-1.5 text-xs', text)}>
        <Icon aria-hidden className="size-3.5" /> {label}
      </span>
      <span className="flex items-baseline justify-between gap-1">
        <Num value={value} dim className="font-semibold text-base" />
        {state === 'completed' && (
          <span className="text-faint text-xs">{compact(sums.totals.completed)} ever</span>
        )}
      </span>
    </>
  );
  if (state !== 'dead') return <Box place={state}>{inner}</Box>;
  return (
    <Box place={state} className="p-0 hover:bg-hover">
      <Link href="/dead" className="flex h-full flex-col justify-center px-2.5">
        {inner}
      </Link>
    </Box>
  );
}
