'use client';
import dynamic from 'next/dynamic';
import { memo } from 'react';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { full } from '@/lib/format/number';
import { SERIES } from './series';
import type { MinutePoint } from './summary';

/** Recharts is the heaviest thing on the page and the least urgent, so it comes last. */
const ThroughputChart = dynamic(() => import('./throughput-chart').then((module) => module.ThroughputChart), {
  ssr: false,
  loading: () => <ChartSkeleton />,
});

/** Whole minutes change once a minute, so the chart is drawn once a minute, not with every frame. */
export const ThroughputPanel = memo(
  function ThroughputPanel({ points }: { points: readonly MinutePoint[] | null }) {
    return (
      <Panel title="Jobs a minute, all queues" aside={<Legend points={points} />}>
        {points === null ? <ChartSkeleton /> : <ThroughputChart points={points} />}
      </Panel>
    );
  },
  (before, after) => JSON.stringify(before.points) === JSON.stringify(after.points),
);

/** Names each line and sums it up, so that the chart can be read without seeing its colours. */
function Legend({ points }: { points: readonly MinutePoint[] | null }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-0.5">
      {SERIES.map(({ key, label, color, dash }) => (
        <li key={key} className="flex items-center gap-1.5 whitespace-nowrap">
          <svg aria-hidden="true" width="18" height="8">
            <line x1="0" x2="18" y1="4" y2="4" stroke={color} strokeWidth="2" strokeDasharray={dash} />
          </svg>
          {label}
          <span className="text-fg">
            {points ? full(points.reduce((sum, point) => sum + point[key], 0)) : '–'}
          </span>
        </li>
      ))}
      <li className="whitespace-nowrap">in {points ? points.length : 60} minutes</li>
    </ul>
  );
}

function ChartSkeleton() {
  return <Skeleton className="h-40 w-full opacity-40" />;
}
