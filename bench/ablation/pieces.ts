/** What can be added to the plain design, one piece at a time, and what it takes to put a piece to use. */

export interface Piece {
  readonly name: string;
  /** Of its row in the table. */
  readonly title: string;
  /** What is measured once more with the piece in use; null: it is used as soon as it is there. */
  readonly use: string | null;
}

export const PIECES = [
  {
    name: 'limits',
    title: 'limits: concurrency, rate, tenants, depth',
    use: 'limits of all four kinds, none reached',
  },
  { name: 'fairness', title: 'fairness between tenants', use: '`fair: tenant`' },
  { name: 'unique', title: 'unique keys', use: 'a key a job, taken until it is done' },
  { name: 'history', title: 'history: results and finished ids of the last 1,000', use: null },
  { name: 'attempts', title: 'attempts, deliveries and lost leases', use: null },
  { name: 'tallies', title: 'tallies: run times and attempts by bucket', use: null },
  { name: 'minutes', title: 'counts by the minute', use: null },
  { name: 'events', title: 'events', use: null },
  { name: 'deadline', title: 'deadline and readable row, checked at the claim', use: null },
  { name: 'tracing', title: 'tracing', use: 'a tracer that keeps nothing' },
  { name: 'breaker', title: 'circuit breaker', use: 'a breaker for the job type' },
  { name: 'zod', title: 'payload checked with zod', use: null },
  { name: 'timer', title: 'a timer for each job', use: null },
  { name: 'envelope', title: 'the envelope, decoded', use: null },
] as const satisfies readonly Piece[];

export type PieceName = (typeof PIECES)[number]['name'];
export const ALL_PIECES: readonly PieceName[] = PIECES.map(({ name }) => name);

/** Redrive has the pieces up to this one for each job: one timer serves all jobs, and an envelope is decoded when a handler asks. */
const LAST_OF_REDRIVE: PieceName = 'zod';
const PIECES_OF_REDRIVE = ALL_PIECES.slice(0, ALL_PIECES.indexOf(LAST_OF_REDRIVE) + 1);
/** The step that Redrive is compared with. */
export const BESIDE_REDRIVE = PIECES[PIECES_OF_REDRIVE.length - 1]?.title ?? null;

/** What the side `design` of `npm run bench` has: what the sketch of the design had. */
export const DESIGN_PIECES: readonly PieceName[] = ['minutes', 'events'];

/** The plain design with some pieces, of which some are in use. */
export interface PieceChoice {
  readonly pieces: readonly PieceName[];
  readonly inUse: readonly PieceName[];
}

export interface Step extends PieceChoice {
  readonly title: string;
  /** The step it is compared with; null: the first one. */
  readonly before: string | null;
}

/** The plain design, then each piece added to those before it. */
export function addingSteps(): Step[] {
  const steps: Step[] = [{ title: 'plain design', before: null, pieces: [], inUse: [] }];
  for (const [i, { title }] of PIECES.entries())
    steps.push({
      title,
      before: steps.at(-1)?.title ?? null,
      pieces: ALL_PIECES.slice(0, i + 1),
      inUse: [],
    });
  return steps;
}

/** The pieces that Redrive has for each job, with one of them in use. */
export function usingSteps(): Step[] {
  return PIECES.flatMap(({ name, use }) =>
    use === null ? [] : [{ title: use, before: BESIDE_REDRIVE, pieces: PIECES_OF_REDRIVE, inUse: [name] }],
  );
}
