/**
 * The drawing's geometry on a phone: x in percent of the width, y in pixels, 312 of them.
 *
 *        enqueued ──► scheduled
 *           ▼             │
 *   ┌──►  ready  ◄────────┘ ◄─┐
 *   │       ▼                 │
 *   └── in-flight ─┬──────► retry
 *           ▼      │
 *       completed  └──────► dead
 */
import type { FlowLayout } from './lab-flow-layout';

const BOX_WIDTH = 36;
const HALF = BOX_WIDTH / 2;
const HALF_HEIGHT = 24;
const [MAIN, SIDE, RETURN_X, ELBOW] = [32, 81, 5, 57] as const;
const [A, B, C, D] = [24, 112, 200, 288] as const;
const [RIGHT, LEFT] = [MAIN + HALF, SIDE - HALF] as const;
/** Words beside a line that goes down. */
const BESIDE = MAIN + 9;

const down = (from: number, to: number) => ({
  points: [
    [MAIN, from + HALF_HEIGHT],
    [MAIN, to - HALF_HEIGHT],
  ] as const,
  leg: 0,
  word: { x: BESIDE, y: (from + to) / 2 + 4 },
});

export const TALL: FlowLayout = {
  boxWidth: BOX_WIDTH,
  boxes: {
    enqueued: { x: MAIN, y: A },
    ready: { x: MAIN, y: B },
    'in-flight': { x: MAIN, y: C },
    completed: { x: MAIN, y: D },
    scheduled: { x: SIDE, y: A },
    retry: { x: SIDE, y: C },
    dead: { x: SIDE, y: D },
  },
  edges: {
    enqueue: down(A, B),
    claim: down(B, C),
    done: down(C, D),
    later: {
      points: [
        [RIGHT, A],
        [LEFT, A],
      ],
      leg: 0,
      word: { x: (RIGHT + LEFT) / 2, y: A - 6 },
    },
    due: {
      points: [
        [SIDE, A + HALF_HEIGHT],
        [SIDE, B - 8],
        [RIGHT, B - 8],
      ],
      leg: 1,
      word: { x: SIDE - 12, y: B - 14 },
    },
    fail: {
      points: [
        [RIGHT, C - 8],
        [LEFT, C - 8],
      ],
      leg: 0,
      word: { x: ELBOW, y: C - HALF_HEIGHT - 4 },
    },
    again: {
      points: [
        [SIDE, C - HALF_HEIGHT],
        [SIDE, B + 8],
        [RIGHT, B + 8],
      ],
      leg: 1,
      word: { x: SIDE - 12, y: B + 22 },
    },
    die: {
      points: [
        [RIGHT, C + 8],
        [ELBOW, C + 8],
        [ELBOW, D],
        [LEFT, D],
      ],
      leg: 1,
      word: { x: ELBOW + 12, y: (C + D) / 2 + 4 },
    },
    reclaim: {
      points: [
        [MAIN - HALF, C],
        [RETURN_X, C],
        [RETURN_X, B],
        [MAIN - HALF, B],
      ],
      leg: 1,
      word: { x: (RETURN_X + MAIN) / 2, y: (B + C) / 2 + 4 },
    },
  },
};
