'use client';
import { memo, useMemo, useState } from 'react';
import {
  CartesianGrid,
  Line,
  LineChart,
  ReferenceArea,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { useTimeZone } from '@/components/ui/text/time-zone-choice';
import type { MarkKind } from '@/lib/contract/history/history-ranges';
import type { History, HistoryMark } from '@/lib/contract/history/history-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { type ChartSpec, lastAt, markLines, marksAt, type Point, pointsOf } from './history-series';
import { HistoryTable } from './history-table';
import { rangeText } from './range-text';
import { timeLabels, timeTicks } from './time-axis';

const HEIGHT = 160;
/** A sign of its own, so that color alone does not tell the kinds apart. */
const MARKS: Readonly<Record<MarkKind, { color: string; sign: string; label: string }>> = {
  alert: { color: 'var(--warn)', sign: '!', label: 'Alert' },
  crash: { color: 'var(--bad)', sign: '✕', label: 'Crash' },
  pause: { color: 'var(--state-scheduled)', sign: '‖', label: 'Pause' },
  operation: { color: 'var(--accent)', sign: '●', label: 'Operation' },
  settings: { color: 'var(--state-suppressed)', sign: '◆', label: 'Settings' },
  deploy: { color: 'var(--good)', sign: '▲', label: 'Deploy' },
};
/** Above a line, each in the color of its kind. */
function Signs({ kinds, viewBox }: { kinds: readonly MarkKind[]; viewBox?: { x?: number; y?: number } }) {
  return (
    <text x={viewBox?.x} y={(viewBox?.y ?? 0) - 3} textAnchor="middle" fontSize={9}>
      {kinds.map((kind) => (
        <tspan key={kind} fill={MARKS[kind].color}>
          {MARKS[kind].sign}
        </tspan>
      ))}
    </text>
  );
}

const tick = { fill: 'var(--faint)', fontSize: 11 };

interface Props {
  chart: ChartSpec;
  history: History;
  showsMarks: boolean;
  /** A horizontal line; null: none. */
  objective: number | null;
  onZoom: (from: number, to: number) => void;
}

/** One chart. Its crosshair moves with those of the other charts; dragging selects a part to zoom into. */
export const HistoryCharts = memo(function HistoryCharts({
  chart,
  history,
  showsMarks,
  objective,
  onZoom,
}: Props) {
  const points = useMemo(() => pointsOf(history, chart), [history, chart]);
  const valueTicks = useMemo(() => chart.ticks?.(highest(points, objective)), [chart, points, objective]);
  const markedAt = useMemo(() => markLines(history), [history]);
  const [drag, setDrag] = useState<{ start: number; end: number } | null>(null);
  const zone = useTimeZone();
  const { ticks, labels } = useMemo(() => {
    const range = [history.from, lastAt(history), zone] as const;
    return { ticks: timeTicks(...range), labels: timeLabels(...range) };
  }, [history, zone]);
  const endDrag = () => {
    if (drag && drag.start !== drag.end)
      onZoom(
        Math.min(drag.start, drag.end),
        Math.min(history.to, Math.max(drag.start, drag.end) + history.stepMs),
      );
    setDrag(null);
  };
  const placeOf = ({ activeLabel }: { activeLabel?: string | number | undefined }) =>
    activeLabel === undefined ? null : Number(activeLabel);
  return (
    <>
      <div aria-hidden="true" className="select-none" style={{ height: HEIGHT }}>
        <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 400, height: HEIGHT }}>
          <LineChart
            data={points}
            syncId="history"
            syncMethod="value"
            margin={{ top: 12, right: 18, bottom: 0, left: 0 }}
            accessibilityLayer={false}
            onMouseDown={(state) => {
              const at = placeOf(state);
              if (at !== null) setDrag({ start: at, end: at });
            }}
            onMouseMove={(state) => {
              const at = placeOf(state);
              if (drag && at !== null && at !== drag.end) setDrag({ ...drag, end: at });
            }}
            onMouseUp={endDrag}
            onMouseLeave={() => setDrag(null)}
          >
            <CartesianGrid stroke="var(--line)" vertical={false} />
            <XAxis
              dataKey="at"
              height={20}
              type="number"
              scale="time"
              domain={[history.from, lastAt(history)]}
              ticks={ticks}
              tickFormatter={labels.tick}
              tick={tick}
              stroke="var(--line-strong)"
              tickLine={false}
              interval={0}
            />
            <YAxis
              width={48}
              domain={[0, valueTicks?.at(-1) ?? 'auto']}
              ticks={valueTicks}
              allowDecimals={false}
              tickFormatter={chart.axis}
              tick={tick}
              axisLine={false}
              tickLine={false}
            />
            <Tooltip
              content={<Readout chart={chart} history={history} labels={labels} showsMarks={showsMarks} />}
              cursor={{ stroke: 'var(--line-strong)' }}
              isAnimationActive={false}
            />
            {showsMarks &&
              markedAt.map(({ at, kinds: [first = 'settings', ...others] }) => (
                <ReferenceLine
                  key={at}
                  x={at}
                  stroke={MARKS[first].color}
                  strokeDasharray="2 3"
                  // A third sign would reach into the next line.
                  label={{ position: 'top', content: <Signs kinds={[first, ...others.slice(0, 1)]} /> }}
                />
              ))}
            {objective !== null && (
              <ReferenceLine
                y={objective}
                stroke="var(--warn)"
                strokeDasharray="6 3"
                ifOverflow="extendDomain"
              />
            )}
            {chart.series.map(({ label, color, dash }, i) => (
              <Line
                key={label}
                dataKey={String(i)}
                name={label}
                stroke={color}
                strokeWidth={1.5}
                strokeDasharray={dash}
                dot={<LonePoint points={points} />}
                activeDot={{ r: 3, strokeWidth: 0, fill: color }}
                isAnimationActive={false}
              />
            ))}
            {drag && drag.start !== drag.end && (
              <ReferenceArea x1={drag.start} x2={drag.end} fill="var(--accent)" fillOpacity={0.12} />
            )}
          </LineChart>
        </ResponsiveContainer>
      </div>
      <HistoryTable chart={chart} points={points} history={history} />
    </>
  );
});

/** What time the charts cover, and how they are read. */
export function RangeText({ history, isZoomed }: { history: History; isZoomed: boolean }) {
  return `${rangeText(history, isZoomed, useTimeZone())} Drag over a chart to zoom. Gaps: not known.`;
}

/** What the signs above the charts mean, of the marks that are on show. */
export function MarkLegend({ marks }: Pick<History, 'marks'>) {
  const kinds = new Set(marks.map(({ kind }) => kind));
  return (
    <span className="flex flex-wrap gap-x-2.5">
      {Object.entries(MARKS).map(
        ([kind, { color, sign, label }]) =>
          kinds.has(kind as MarkKind) && (
            <span key={kind} className="whitespace-nowrap text-muted">
              <span aria-hidden style={{ color }}>
                {sign}
              </span>{' '}
              {label}
            </span>
          ),
      )}
    </span>
  );
}

const highest = (points: readonly Point[], objective: number | null): number =>
  points.reduce(
    (max, { at: _, ...values }) => Math.max(max, ...Object.values(values).map((value) => value ?? 0)),
    objective ?? 0,
  );

interface DotProps {
  points: readonly Point[];
  cx?: number;
  cy?: number;
  index?: number;
  dataKey?: string;
  stroke?: string;
}

/** A value between two gaps has no line to show it. */
function LonePoint({ points, cx, cy, index = 0, dataKey = '', stroke }: DotProps) {
  const known = (at: number) => typeof points[at]?.[dataKey] === 'number';
  if (!known(index) || known(index - 1) || known(index + 1) || cx === undefined || cy === undefined)
    return null;
  return <circle cx={cx} cy={cy} r={1.75} fill={stroke} />;
}

interface ReadoutProps extends Pick<Props, 'chart' | 'history' | 'showsMarks'> {
  labels: ReturnType<typeof timeLabels>;
  active?: boolean;
  payload?: readonly { payload?: Point }[];
}

function Readout({ chart, history, showsMarks, labels, active, payload }: ReadoutProps) {
  const point = payload?.[0]?.payload;
  if (!active || !point) return null;
  const marks: HistoryMark[] = showsMarks ? marksAt(history, point.at) : [];
  return (
    <div className="max-w-72 rounded border border-line-strong bg-raised px-2 py-1 text-xs">
      <p className="text-faint">
        {point.at === history.latest?.at
          ? `${labels.moment(point.at)}, the last 60 seconds`
          : labels.readout(point.at)}
      </p>
      {chart.series.map(({ label, color }, i) => {
        const value = point[String(i)];
        return (
          <p key={label} className="flex items-center justify-between gap-4">
            <span className="flex items-center gap-1.5 text-muted">
              <span aria-hidden className="size-2 rounded-xs" style={{ backgroundColor: color }} />
              {label}
            </span>
            <span className="text-fg">{typeof value === 'number' ? chart.format(value) : 'not known'}</span>
          </p>
        );
      })}
      {marks.slice(0, 5).map((mark) => (
        <p
          key={`${mark.at} ${mark.text}`}
          className="mt-1 break-words"
          style={{ color: MARKS[mark.kind].color }}
        >
          {MARKS[mark.kind].sign} {labels.clock(mark.at)} {revealHidden(mark.text)}
        </p>
      ))}
      {marks.length > 5 && <p className="text-faint">and {marks.length - 5} more</p>}
    </div>
  );
}
