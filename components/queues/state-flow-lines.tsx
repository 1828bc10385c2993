/**
 * Draws the state machine: the usual states of a job in the top row, the others below the transition that leads to them.
 *
 *   scheduled ──► ready ──────► in-flight ──► completed
 *            held ◄─┘ ▲─ retry ◄─┘   └─► dead ─► suppressed, trashed
 */
import type { JobState } from '@/lib/contract/jobs/job-states';

export const NODE_HEIGHT = 32;
export const NODE_WIDTH_PERCENT = 17.5;
export const FLOW_HEIGHT = 124;

const TOP = 18;
const LOW = 86;

/** The center of each node: x in percent of the width, y in pixels. */
export const NODE_POSITIONS: Readonly<Record<JobState, { x: number; y: number }>> = {
  scheduled: { x: 8.75, y: TOP },
  ready: { x: 33, y: TOP },
  'in-flight': { x: 57.25, y: TOP },
  completed: { x: 91.25, y: TOP },
  held: { x: 20.75, y: LOW },
  retry: { x: 45, y: LOW },
  dead: { x: 69.5, y: LOW },
  suppressed: { x: 91.25, y: LOW - 18 },
  trashed: { x: 91.25, y: LOW + 20 },
};

const HALF = NODE_WIDTH_PERCENT / 2;
const UNDER_TOP = TOP + NODE_HEIGHT / 2 + 1;
const OVER_LOW = LOW - NODE_HEIGHT / 2 - 2;

interface Arrow {
  from: readonly [x: number, y: number];
  to: readonly [x: number, y: number];
  word?: { x: number; y: number; text: string };
  both?: boolean;
}

const across = (left: JobState, right: JobState, text?: string): Arrow => {
  const x1 = NODE_POSITIONS[left].x + HALF;
  const x2 = NODE_POSITIONS[right].x - HALF;
  return {
    from: [x1 + 0.3, NODE_POSITIONS[left].y],
    to: [x2 - 0.3, NODE_POSITIONS[right].y],
    word: text ? { x: (x1 + x2) / 2, y: NODE_POSITIONS[left].y - 5, text } : undefined,
  };
};

const ARROWS: readonly Arrow[] = [
  across('scheduled', 'ready', 'due'),
  across('ready', 'in-flight', 'claim'),
  across('in-flight', 'completed', 'done'),
  { from: [29, UNDER_TOP], to: [23, OVER_LOW], both: true, word: { x: 20.5, y: 55, text: 'pause, limit' } },
  { from: [53.5, UNDER_TOP], to: [48, OVER_LOW], word: { x: 54, y: 63, text: 'fails' } },
  { from: [41.5, OVER_LOW], to: [36, UNDER_TOP], word: { x: 36, y: 63, text: 'due' } },
  { from: [61, UNDER_TOP], to: [67, OVER_LOW], word: { x: 68.5, y: 55, text: 'gives up' } },
  across('dead', 'suppressed'),
  across('dead', 'trashed'),
];

export function StateFlowLines() {
  return (
    <svg aria-hidden="true" className="absolute inset-0 size-full max-lg:hidden">
      <defs>
        <marker
          id="flow-head"
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          orient="auto-start-reverse"
        >
          <path d="M1 1 7 4 1 7" fill="none" stroke="var(--muted)" strokeWidth="1.4" />
        </marker>
      </defs>
      {ARROWS.map(({ from, to, both, word }) => (
        <g key={`${from} ${to}`}>
          <line
            x1={`${from[0]}%`}
            y1={from[1]}
            x2={`${to[0]}%`}
            y2={to[1]}
            stroke="var(--line-strong)"
            strokeWidth="1.25"
            markerEnd="url(#flow-head)"
            markerStart={both ? 'url(#flow-head)' : undefined}
          />
          {word && (
            <text x={`${word.x}%`} y={word.y} textAnchor="middle" fontSize="10.5" fill="var(--faint)">
              {word.text}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}
