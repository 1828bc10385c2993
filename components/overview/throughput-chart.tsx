'use client';
import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { compactNumber, fullNumber } from '@/lib/format/number';
import type { MinutePoint } from './queue-ranking';
import { THROUGHPUT_SERIES } from './throughput-series';

const HEIGHT = 160;
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

export function ThroughputChart({ points }: { points: readonly MinutePoint[] }) {
  return (
    <div role="img" aria-label={summary(points)} style={{ height: HEIGHT }} className="w-full min-w-0">
      <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 800, height: HEIGHT }}>
        <LineChart
          data={[...points]}
          margin={{ top: 4, right: 8, bottom: 0, left: 0 }}
          accessibilityLayer={false}
        >
          <CartesianGrid stroke="var(--line)" vertical={false} />
          <XAxis
            dataKey="at"
            height={20}
            type="number"
            scale="time"
            domain={['dataMin', 'dataMax']}
            tickFormatter={(at: number) => clock.format(at)}
            tick={{ fill: 'var(--faint)', fontSize: 11 }}
            stroke="var(--line-strong)"
            tickLine={false}
            minTickGap={48}
          />
          <YAxis
            width={40}
            allowDecimals={false}
            tickFormatter={compactNumber}
            tick={{ fill: 'var(--faint)', fontSize: 11 }}
            axisLine={false}
            tickLine={false}
          />
          <Tooltip
            content={<Readout />}
            cursor={{ stroke: 'var(--line-strong)' }}
            isAnimationActive={false}
          />
          {THROUGHPUT_SERIES.map(({ key, label, color, dash }) => (
            <Line
              key={key}
              dataKey={key}
              name={label}
              stroke={color}
              strokeWidth={1.5}
              strokeDasharray={dash}
              dot={false}
              activeDot={{ r: 3, strokeWidth: 0, fill: color }}
              isAnimationActive={false}
            />
          ))}
        </LineChart>
      </ResponsiveContainer>
    </div>
  );
}

interface ReadoutProps {
  active?: boolean;
  payload?: readonly { payload?: MinutePoint }[];
}

function Readout({ active, payload }: ReadoutProps) {
  const point = payload?.[0]?.payload;
  if (!active || !point) return null;
  return (
    <div className="rounded border border-line-strong bg-raised px-2 py-1 text-xs">
      <p className="text-faint">{clock.format(point.at)}</p>
      {THROUGHPUT_SERIES.map(({ key, label, color }) => (
        <p key={key} className="flex items-center justify-between gap-4">
          <span className="flex items-center gap-1.5 text-muted">
            <span aria-hidden className="size-2 rounded-xs" style={{ backgroundColor: color }} />
            {label}
          </span>
          <span className="text-fg">{fullNumber(point[key])}</span>
        </p>
      ))}
    </div>
  );
}

function summary(points: readonly MinutePoint[]): string {
  const parts = THROUGHPUT_SERIES.map(({ key, label }) => {
    const values = points.map((point) => point[key]);
    return `${label}: ${fullNumber(values.at(-1))} in the last whole minute, at most ${fullNumber(Math.max(0, ...values))}`;
  });
  return `Jobs a minute over ${points.length} minutes. ${parts.join('. ')}.`;
}
