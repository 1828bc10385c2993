'use client';
import dynamic from 'next/dynamic';
import { memo } from 'react';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { fullNumber } from '@/lib/format/number';
import type { MinutePoint } from './queue-ranking';
import { THROUGHPUT_SERIES } from './throughput-series';

/** Recharts is large, so it is loaded last. */
const ThroughputChart = dynamic(() => import('./throughput-chart').then((module) => module.ThroughputChart), {
  ssr: false,
  loading: () => <ChartSkeleton />,
});

/** Redraws once a minute instead of with every frame. */
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

/** Names and sums each line, so that the chart is readable without color. */
function Legend({ points }: { points: readonly MinutePoint[] | null }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-0.5">
      {THROUGHPUT_SERIES.map(({ key, label, color, dash }) => (
        <li key={key} className="flex items-center gap-1.5 whitespace-nowrap">
          <svg aria-hidden="true" width="18" height="8">
            <line x1="0" x2="18" y1="4" y2="4" stroke={color} strokeWidth="2" strokeDasharray={dash} />
          </svg>
          {label}
          <span className="text-fg">
            {points ? fullNumber(points.reduce((sum, point) => sum + point[key], 0)) : '–'}
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
