/**
 * The drawing's geometry on wide screens: x in percent of the width, y in pixels.
 *
 *            ┌───── reclaimed ─────┐
 *   enqueued ──► ready ──► in-flight ──► completed
 *      │          ▲  ▲         │  └────┐
 *   scheduled ────┘  └────── retry    dead
 */
export const BOX_HEIGHT = 48;
const BOX_WIDTH = 19.5;
const RETURN_Y = 15;
const TOP = 64;
const LOW = 156;
const ELBOW = 110;
const [A, B, C, D] = [9.75, 36.5, 63.5, 90.25] as const;
const HALF = BOX_WIDTH / 2;
const UNDER = TOP + BOX_HEIGHT / 2;
const OVER = LOW - BOX_HEIGHT / 2;

export type BoxName = 'enqueued' | 'ready' | 'in-flight' | 'completed' | 'scheduled' | 'retry' | 'dead';
export type EdgeName = 'enqueue' | 'later' | 'due' | 'claim' | 'done' | 'fail' | 'again' | 'die' | 'reclaim';

export interface Edge {
  /** Corners, first to last; the arrow head is at the last. */
  points: readonly (readonly [x: number, y: number])[];
  /** The leg the dots move along, by the index of its first corner. */
  leg: number;
  /** Position of the label. */
  word: { x: number; y: number };
}

export interface FlowLayout {
  boxWidth: number;
  boxes: Readonly<Record<BoxName, { x: number; y: number }>>;
  edges: Readonly<Record<EdgeName, Edge>>;
}

const BOXES: FlowLayout['boxes'] = {
  enqueued: { x: A, y: TOP },
  ready: { x: B, y: TOP },
  'in-flight': { x: C, y: TOP },
  completed: { x: D, y: TOP },
  scheduled: { x: A, y: LOW },
  retry: { x: C, y: LOW },
  dead: { x: D, y: LOW },
};

const EDGES: FlowLayout['edges'] = {
  enqueue: {
    points: [
      [A + HALF, TOP],
      [B - HALF, TOP],
    ],
    leg: 0,
    word: { x: (A + B) / 2, y: TOP - 6 },
  },
  claim: {
    points: [
      [B + HALF, TOP],
      [C - HALF, TOP],
    ],
    leg: 0,
    word: { x: (B + C) / 2, y: TOP - 6 },
  },
  done: {
    points: [
      [C + HALF, TOP],
      [D - HALF, TOP],
    ],
    leg: 0,
    word: { x: (C + D) / 2, y: TOP - 6 },
  },
  later: {
    points: [
      [A, UNDER],
      [A, OVER],
    ],
    leg: 0,
    word: { x: A + 4.5, y: 113 },
  },
  due: {
    points: [
      [A + HALF, LOW],
      [B - 3, LOW],
      [B - 3, UNDER],
    ],
    leg: 0,
    word: { x: A + HALF + 6, y: LOW - 6 },
  },
  fail: {
    points: [
      [C - 3.5, UNDER],
      [C - 3.5, OVER],
    ],
    leg: 0,
    word: { x: C - 8.5, y: 113 },
  },
  again: {
    points: [
      [C - HALF, LOW],
      [B + 3, LOW],
      [B + 3, UNDER],
    ],
    leg: 0,
    word: { x: C - HALF - 6, y: LOW - 6 },
  },
  die: {
    points: [
      [C + 3.5, UNDER],
      [C + 3.5, ELBOW],
      [D, ELBOW],
      [D, OVER],
    ],
    leg: 1,
    word: { x: D - 10, y: ELBOW - 6 },
  },
  reclaim: {
    points: [
      [C, TOP - BOX_HEIGHT / 2],
      [C, RETURN_Y],
      [B, RETURN_Y],
      [B, TOP - BOX_HEIGHT / 2],
    ],
    leg: 1,
    word: { x: (B + C) / 2, y: RETURN_Y + 14 },
  },
};

/** 184 pixels high, for 36 rem and more. */
export const WIDE: FlowLayout = { boxWidth: BOX_WIDTH, boxes: BOXES, edges: EDGES };
