import { cn } from '@/components/ui/cn';
import styles from './lab.module.css';
import { DOTS_MAX, dotCount } from './lab-flow';
import type { Edge, EdgeName, FlowLayout } from './lab-flow-layout';

export interface EdgeState {
  word: string;
  /** Jobs per second; null: unknown. */
  rate: number | null;
  color: string;
  alarm?: boolean;
}

/** Lines between the boxes, with labels and moving dots. */
export function LabFlowEdges({
  layout,
  edges,
}: {
  layout: FlowLayout;
  edges: Readonly<Record<EdgeName, EdgeState>>;
}) {
  const names = Object.keys(layout.edges) as EdgeName[];
  return (
    <>
      <svg aria-hidden="true" className="absolute inset-0 size-full overflow-visible">
        <defs>
          <marker
            id="lab-head"
            viewBox="0 0 8 8"
            refX="6.5"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            orient="auto"
          >
            <path d="M1 1 6.5 4 1 7" fill="none" stroke="var(--muted)" strokeWidth="1.3" />
          </marker>
        </defs>
        {names.map((name) => (
          <Line key={name} edge={layout.edges[name]} state={edges[name]} />
        ))}
      </svg>
      <div aria-hidden className="motion-reduce:hidden">
        {names.map((name) => (
          <Stream key={name} edge={layout.edges[name]} state={edges[name]} />
        ))}
      </div>
    </>
  );
}

function Line({ edge: { points, word }, state }: { edge: Edge; state: EdgeState }) {
  const stroke = state.alarm ? 'var(--bad)' : 'var(--line-strong)';
  return (
    <g>
      {points.slice(1).map(([x, y], i) => {
        const [x0, y0] = points[i] ?? [x, y];
        const last = i === points.length - 2;
        return (
          <line
            key={`${x} ${y}`}
            x1={`${x0}%`}
            y1={y0}
            x2={`${x}%`}
            y2={y}
            stroke={stroke}
            strokeWidth="1.25"
            markerEnd={last ? 'url(#lab-head)' : undefined}
          />
        );
      })}
      <text
        x={`${word.x}%`}
        y={word.y}
        textAnchor="middle"
        fontSize="11"
        fill={state.alarm ? 'var(--bad)' : 'var(--faint)'}
        fontWeight={state.alarm ? 600 : 400}
      >
        {state.word}
      </text>
    </g>
  );
}

/** Evenly spread for any number of dots: each further dot halves a gap. */
const PHASES = [0, 1 / 2, 1 / 4, 3 / 4, 1 / 8, 5 / 8] as const;
const SECONDS = { across: 2.4, down: 1.6 } as const;
const SIZE = 5;

function Stream({ edge: { points, leg }, state }: { edge: Edge; state: EdgeState }) {
  const [from, to] = [points[leg], points[leg + 1]];
  if (!from || !to) return null;
  const across = from[1] === to[1];
  const back = across ? to[0] < from[0] : to[1] < from[1];
  const box = {
    left: `calc(${Math.min(from[0], to[0])}% - ${across ? 0 : SIZE / 2}px)`,
    top: Math.min(from[1], to[1]) - (across ? SIZE / 2 : 0),
    width: across ? `${Math.abs(to[0] - from[0])}%` : SIZE,
    height: across ? SIZE : Math.abs(to[1] - from[1]),
  };
  const shown = dotCount(state.rate);
  return (
    <div className={cn('pointer-events-none absolute overflow-hidden', styles.stream)} style={box}>
      {PHASES.slice(0, DOTS_MAX).map((phase, i) => (
        <span
          key={phase}
          className={cn('absolute inset-0 transition-opacity duration-700', i >= shown && 'opacity-0')}
        >
          <span
            className={cn('absolute inset-0', across ? styles.across : styles.down, back && styles.back)}
            style={{ animationDelay: `${-phase * (across ? SECONDS.across : SECONDS.down)}s` }}
          >
            <span
              className="block size-1.25 rounded-full"
              style={{ backgroundColor: state.alarm ? 'var(--bad)' : state.color }}
            />
          </span>
        </span>
      ))}
    </div>
  );
}
