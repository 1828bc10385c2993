'use client';
import { useMemo } from 'react';
import { cn } from '@/components/ui/cn';
import { Button } from '@/components/ui/controls/button';
import { Segmented } from '@/components/ui/controls/segmented';
import { lazyPart } from '@/components/ui/lazy-part';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { useHistory } from '@/lib/browser/use-history';
import { RANGE_NAMES, RANGES } from '@/lib/contract/history/history-ranges';
import type { QueueNumbers } from '@/lib/contract/queues/queue-schemas';
import { CHARTS, type ChartSpec } from './history-series';
import { useHistoryView } from './use-history-view';

/** Recharts is large: it comes with the first data of the charts. */
const HistoryCharts = lazyPart(() => import('./history-charts').then((module) => module.HistoryCharts));
const RangeText = lazyPart(() => import('./history-charts').then((module) => module.RangeText));
const MarkLegend = lazyPart(() => import('./history-charts').then((module) => module.MarkLegend));
type Objectives = Pick<QueueNumbers['objectives'], 'ageMs' | 'depth'>;
const objectiveOf = ({ id }: ChartSpec, objectives: Objectives | null): number | null =>
  id === 'age' ? (objectives?.ageMs ?? null) : id === 'depth' ? (objectives?.depth ?? null) : null;
const OPTIONS = RANGE_NAMES.map((value) => ({ value, label: RANGES[value].label }));

/** The past of all queues, or of one: charts with one range, which the URL has. Their places have a fixed height. */
export function HistoryPanel({
  id,
  title,
  isReady,
  queue,
  only,
  charts = CHARTS,
  aside,
  objectives = null,
}: {
  id?: string;
  title: string;
  /** The first data of the page are here. */
  isReady: boolean;
  queue?: string;
  only?: { readonly type?: string; readonly tenant?: string };
  charts?: readonly ChartSpec[];
  aside?: React.ReactNode;
  /** Of the queue, for a line in its chart. */
  objectives?: Objectives | null;
}) {
  const view = useHistoryView();
  const { data, error, isStale } = useHistory({ from: view.from, to: view.to, queue, ...only }, isReady);
  const { isZoomed } = view;
  const history = useMemo(() => {
    if (!data || data.to <= data.from) return null;
    // A part that was chosen stays as it is.
    return isZoomed && data.latest ? { ...data, latest: null } : data;
  }, [data, isZoomed]);
  return (
    <Panel
      id={id}
      className="scroll-mt-16"
      title={title}
      aside={
        <div className="flex flex-wrap items-center justify-end gap-2">
          {aside}
          {view.isZoomed && (
            <Button size="sm" onClick={view.reset}>
              Reset zoom
            </Button>
          )}
          <Button size="sm" aria-pressed={view.showsMarks} onClick={view.toggleMarks}>
            {view.showsMarks ? 'Hide marks' : 'Show marks'}
          </Button>
          <Segmented
            label="Range of the charts"
            value={view.isZoomed ? ('' as keyof typeof RANGES) : view.range}
            options={OPTIONS}
            onChange={view.choose}
          />
        </div>
      }
    >
      <div
        className={cn('relative grid gap-x-4 gap-y-3 md:grid-cols-2', charts.length > 2 && 'xl:grid-cols-3')}
      >
        {charts.map((chart, i) => {
          const objective = objectiveOf(chart, objectives);
          return (
            <figure
              key={chart.id}
              className={cn(
                'flex min-h-48 min-w-0 flex-col justify-between',
                i === charts.length - 1 && loneChartSpan(charts.length),
              )}
            >
              <figcaption className="text-xs">
                <span className="font-medium">{chart.title}</span>
                {objective !== null && (
                  <span
                    className="ml-3 whitespace-nowrap text-warn"
                    title={
                      chart.id === 'depth'
                        ? 'Of all jobs still to be done: ready, scheduled, retry and held'
                        : undefined
                    }
                  >
                    Objective: under {chart.format(objective)}
                  </span>
                )}
                {chart.series.length > 1 && <Legend series={chart.series} />}
              </figcaption>
              <div className="h-40 min-w-0">
                {history ? (
                  <HistoryCharts
                    chart={chart}
                    history={history}
                    showsMarks={view.showsMarks}
                    objective={objective}
                    onZoom={view.zoom}
                  />
                ) : (
                  <ChartPlace text={textOf(error !== null, data !== undefined)} />
                )}
              </div>
            </figure>
          );
        })}
      </div>
      {/* Its room is kept, also for three lines on a phone: the legend comes with the history. */}
      <div className="mt-1 flex min-h-4 flex-wrap justify-between gap-x-4 text-faint text-xs max-sm:min-h-12">
        {history && (
          <p data-slot="range" className="min-w-0 max-w-full sm:truncate">
            {isStale && (
              <span className="mr-2 font-medium text-warn">
                Stale: newer minutes could not be read. The last ones stay.
              </span>
            )}
            <RangeText history={history} isZoomed={view.isZoomed} />
          </p>
        )}
        {history && view.showsMarks && <MarkLegend marks={history.marks} />}
      </div>
    </Panel>
  );
}

const textOf = (failed: boolean, isHere: boolean): string | null =>
  failed ? 'The history could not be loaded.' : isHere ? 'No whole minute yet.' : null;

function Legend({ series }: Pick<ChartSpec, 'series'>) {
  return (
    <span className="flex flex-wrap gap-x-2.5">
      {series.map(({ label, color, dash }) => (
        <span key={label} className="flex items-center gap-1 whitespace-nowrap text-muted">
          <svg aria-hidden="true" width="14" height="6">
            <line x1="0" x2="14" y1="3" y2="3" stroke={color} strokeWidth="2" strokeDasharray={dash} />
          </svg>
          {label}
        </span>
      ))}
    </span>
  );
}

function ChartPlace({ text }: { text: string | null }) {
  if (text === null) return <Skeleton className="h-full w-full opacity-40" />;
  return <p className="flex h-full items-center justify-center text-muted text-xs">{text}</p>;
}

/** A chart that is alone in the last row takes all of it. */
const loneChartSpan = (charts: number): string =>
  cn(charts % 2 === 1 && 'md:max-xl:col-span-2', charts > 2 && charts % 3 === 1 && 'xl:col-span-3');
