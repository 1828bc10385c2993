import { cn } from './cn';

type Point = number | null;

/** Runs of consecutive known points, as SVG paths; a gap in the data is a gap in the line. */
function paths(points: readonly Point[], x: (i: number) => number, y: (v: number) => number): string[] {
  const runs: string[] = [];
  let run = '';
  for (const [i, v] of points.entries()) {
    if (v === null || !Number.isFinite(v)) {
      if (run) runs.push(run);
      run = '';
      continue;
    }
    run += `${run ? 'L' : 'M'}${x(i).toFixed(1)} ${y(v).toFixed(1)}`;
  }
  if (run) runs.push(run);
  return runs;
}

/** The shape of recent values. `label` says in words what it shows, with the numbers that matter. */
export function Sparkline({
  points,
  label,
  width = 88,
  height = 20,
  color = 'var(--muted)',
  min = 0,
  max,
  className,
}: {
  points: readonly Point[];
  label: string;
  width?: number;
  height?: number;
  color?: string;
  /** The floor of the scale; the ceiling is the highest point unless `max` fixes it (to compare rows). */
  min?: number;
  max?: number;
  className?: string;
}) {
  const known = points.filter((p): p is number => p !== null && Number.isFinite(p));
  const top = max ?? known.reduce((a, b) => Math.max(a, b), min);
  const span = top - min || 1;
  const x = (i: number) => 1.5 + (points.length > 1 ? (i / (points.length - 1)) * (width - 4) : 0);
  const y = (v: number) => height - 2 - ((Math.min(Math.max(v, min), top) - min) / span) * (height - 4);
  const last = points.at(-1);
  return (
    <svg
      data-slot="sparkline"
      role="img"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className={cn('block shrink-0 overflow-visible', className)}
    >
      <title>{label}</title>
      <line
        x1={1.5}
        x2={width - 2.5}
        y1={height - 1}
        y2={height - 1}
        stroke="var(--line-strong)"
        strokeWidth={1}
      />
      {paths(points, x, y).map((d) => (
        <path
          key={d}
          d={d}
          fill="none"
          stroke={color}
          strokeWidth={1.25}
          strokeLinejoin="round"
          strokeLinecap="round"
        />
      ))}
      {last !== null && last !== undefined && Number.isFinite(last) && (
        <circle cx={x(points.length - 1)} cy={y(last)} r={1.75} fill={color} />
      )}
    </svg>
  );
}
