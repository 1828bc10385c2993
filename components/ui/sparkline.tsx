/** The shape of recent values; `label` describes it with the important numbers. */
export function Sparkline({
  points,
  label,
  width,
  height = 20,
  color,
}: {
  points: readonly number[];
  label: string;
  width: number;
  height?: number;
  color: string;
}) {
  const top = Math.max(0, ...points) || 1;
  const step = (width - 4) / Math.max(1, points.length - 1);
  const places = points.map(
    (value, i) => [1.5 + i * step, height - 2 - (Math.max(0, value) / top) * (height - 4)] as const,
  );
  const last = places.at(-1);
  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className="block shrink-0 overflow-visible"
    >
      <title>{label}</title>
      <line x1={1.5} x2={width - 2.5} y1={height - 1} y2={height - 1} stroke="var(--line-strong)" />
      <polyline
        points={places.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')}
        fill="none"
        stroke={color}
        strokeWidth={1.25}
        strokeLinejoin="round"
        strokeLinecap="round"
      />
      {last && <circle cx={last[0]} cy={last[1]} r={1.75} fill={color} />}
    </svg>
  );
}
