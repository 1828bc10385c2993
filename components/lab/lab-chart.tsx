'use client';
import { STATE_LOOK } from '@/components/shared/state-badge';
import { useServerNow } from '@/lib/browser/live/live-provider';
import { fullNumber } from '@/lib/format/number';
import { CHART_STATES, chartShape } from './lab-chart-shape';
import { useLabSamples } from './use-lab';

/** Jobs by state over the last five minutes, with a mark for each crash. As measured by the supervisor. */
export function LabChart() {
  const samples = useLabSamples();
  const now = useServerNow();
  const latest = samples?.at(-1);
  const { top, areas, crashes } = chartShape(samples ?? [], now);
  const crashed = crashes.reduce((sum, { count }) => sum + count, 0);
  const summary = latest
    ? `Over the last five minutes ${fullNumber(crashed)} crashes. Now ${CHART_STATES.map(
        ({ state, value }) => `${fullNumber(value(latest))} ${STATE_LOOK[state].label}`,
      ).join(', ')}.`
    : 'No measurements yet.';
  return (
    <figure className="h-44">
      <div className="relative h-36 border-line border-b">
        <svg
          role="img"
          aria-label={summary}
          viewBox="0 0 1000 100"
          preserveAspectRatio="none"
          className="absolute inset-0 size-full"
        >
          {areas.map(({ state, path }) => (
            <path key={state} d={path} fill={`var(--state-${state})`} fillOpacity={0.75} />
          ))}
          {crashes.map(({ x }) => (
            <line
              key={x}
              x1={x}
              x2={x}
              y1={0}
              y2={100}
              stroke="var(--bad-solid)"
              strokeWidth={1}
              strokeOpacity={0.7}
              vectorEffect="non-scaling-stroke"
            />
          ))}
        </svg>
        <span className="absolute top-0 left-0 rounded-sm bg-panel/80 px-1 text-2xs text-faint">
          {fullNumber(top)} jobs
        </span>
        {samples?.length === 0 && (
          <span className="absolute inset-0 flex items-center justify-center text-faint text-xs">
            The demo worker measures every two seconds while it runs.
          </span>
        )}
      </div>
      <figcaption className="flex h-8 items-center gap-x-3 overflow-hidden whitespace-nowrap text-2xs text-muted">
        <span className="text-faint">5 m ago</span>
        {CHART_STATES.map(({ state }) => (
          <Swatch key={state} label={STATE_LOOK[state].label} color={`var(--state-${state})`} />
        ))}
        <Swatch label="Crash" color="var(--bad-solid)" />
        <span className="ml-auto text-faint">now</span>
      </figcaption>
    </figure>
  );
}

function Swatch({ label, color }: { label: string; color: string }) {
  return (
    <span className="inline-flex items-center gap-1">
      <span aria-hidden className="size-2 rounded-xs" style={{ background: color }} />
      {label}
    </span>
  );
}
