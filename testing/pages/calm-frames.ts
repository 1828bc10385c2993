/** Frames of a console at rest, and the events that a stream sends of them. */
import { packFrame, patchOf } from '@/lib/contract/live/frame-patch';
import type { Frame } from '@/lib/contract/live/live-frame';
import { CALM_QUEUE, rowsOf } from '../worlds/queue-snapshot';

const NAMES = ['a', 'b', 'c'];

/** @param ready jobs of queue `c`; nothing else happens, whatever the second */
export function calmFrame(second: number, ready = 0): Frame {
  const at = second * 1_000;
  const queues = NAMES.map((queue) => ({
    ...CALM_QUEUE,
    queue,
    at,
    oldestReadyAgeMs: queue === 'c' && ready > 0 ? at : null,
    overdueLeaseMs: null,
    counts: { ...CALM_QUEUE.counts, ready: queue === 'c' ? ready : 0 },
  }));
  return {
    overview: {
      at,
      ageMs: second,
      fresh: true,
      redis: { version: '7', roundTripMs: 1, usedMemoryBytes: 1, error: null },
      verdict: { level: 'ok', total: { bad: 0, warn: 0 }, findings: [] },
      ...rowsOf(queues),
    },
    watched: queues.filter(({ queue }) => queue !== 'b'),
    workers: { at, workers: [] },
    operations: [],
  };
}

/** What a stream sends: the first frame whole, then what changed. */
export function* streamed(frames: Iterable<Frame>) {
  let before: ReturnType<typeof packFrame> | null = null;
  let sequence = 0;
  for (const frame of frames) {
    sequence += 1;
    const state = packFrame(frame);
    yield before === null
      ? { event: 'frame' as const, data: JSON.stringify({ sequence, state }) }
      : {
          event: 'change' as const,
          data: JSON.stringify({ sequence, base: sequence - 1, patch: patchOf(before, state) ?? {} }),
        };
    before = state;
  }
}
