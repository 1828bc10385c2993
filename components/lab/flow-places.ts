/**
 * The lab's drawing of a job's life. x in percent of the board's width, y in pixels.
 *
 *   Traffic ──► Ready ◄──reclaim── In-flight ──► Completed
 *        └► Scheduled ─┘ └─ Retry ◄─┘ └─► Dead
 */
export const BOARD_HEIGHT = 184;
export const NODE_WIDTH = 19;
export const NODE_HEIGHT = 46;

export type Place = 'traffic' | 'scheduled' | 'ready' | 'in-flight' | 'retry' | 'completed' | 'dead';
export const PLACES: Readonly<Record<Place, { x: number; y: number }>> = {
  traffic: { x: 9.5, y: 50 },
  ready: { x: 36.5, y: 50 },
  'in-flight': { x: 63.5, y: 50 },
  completed: { x: 90.5, y: 50 },
  scheduled: { x: 23, y: 152 },
  retry: { x: 50, y: 152 },
  dead: { x: 77, y: 152 },
};

export interface Road {
  id: string;
  /** The movement's event name (`Movement.event`) that travels it. */
  event: string;
  from: { x: number; y: number };
  to: { x: number; y: number };
  tone: 'plain' | 'good' | 'warn' | 'bad';
  /** The running total whose growth is this road's rate. */
  total?: 'enqueued' | 'claimed' | 'completed' | 'retried' | 'dead' | 'reclaimed';
  label: { x: number; y: number };
}

const HALF_W = NODE_WIDTH / 2;
const HALF_H = NODE_HEIGHT / 2;
const LOW = PLACES.retry.y - HALF_H - 2;
const TOP_EDGE = PLACES.ready.y - HALF_H;
const UNDER = PLACES.ready.y + HALF_H + 1;
/** The way back of reclaimed jobs runs above the boxes. */
export const RECLAIM_Y = 12;

const across = (from: Place, to: Place) => ({
  from: { x: PLACES[from].x + HALF_W, y: PLACES[from].y },
  to: { x: PLACES[to].x - HALF_W - 0.4, y: PLACES[to].y },
});
const middle = (from: Place, to: Place) => ({
  x: (PLACES[from].x + PLACES[to].x) / 2,
  y: PLACES[from].y - 6,
});

export const ROADS: readonly Road[] = [
  {
    id: 'enqueue',
    event: 'ready',
    ...across('traffic', 'ready'),
    tone: 'plain',
    total: 'enqueued',
    label: middle('traffic', 'ready'),
  },
  {
    id: 'claim',
    event: 'claimed',
    ...across('ready', 'in-flight'),
    tone: 'plain',
    total: 'claimed',
    label: middle('ready', 'in-flight'),
  },
  {
    id: 'complete',
    event: 'completed',
    ...across('in-flight', 'completed'),
    tone: 'good',
    total: 'completed',
    label: middle('in-flight', 'completed'),
  },
  {
    id: 'delay',
    event: 'scheduled',
    from: { x: 13, y: UNDER },
    to: { x: 18, y: LOW },
    tone: 'plain',
    label: { x: 12, y: 104 },
  },
  {
    id: 'due',
    event: 'promoted',
    from: { x: 28, y: LOW },
    to: { x: 33, y: UNDER },
    tone: 'plain',
    label: { x: 34, y: 104 },
  },
  {
    id: 'fail',
    event: 'retry',
    from: { x: 60, y: UNDER },
    to: { x: 55, y: LOW },
    tone: 'warn',
    total: 'retried',
    label: { x: 60.5, y: 112 },
  },
  {
    id: 'again',
    event: 'retried',
    from: { x: 45, y: LOW },
    to: { x: 40, y: UNDER },
    tone: 'plain',
    label: { x: 45, y: 104 },
  },
  {
    id: 'die',
    event: 'dead',
    from: { x: 67, y: UNDER },
    to: { x: 72, y: LOW },
    tone: 'bad',
    total: 'dead',
    label: { x: 73, y: 104 },
  },
  {
    id: 'reclaim',
    event: 'reclaimed',
    from: { x: 60.5, y: RECLAIM_Y },
    to: { x: 39.5, y: RECLAIM_Y },
    tone: 'bad',
    total: 'reclaimed',
    label: { x: 50, y: RECLAIM_Y - 4 },
  },
];
export const RECLAIM_POSTS = [
  { x: 60.5, from: TOP_EDGE, to: RECLAIM_Y },
  { x: 39.5, from: RECLAIM_Y, to: TOP_EDGE },
] as const;
