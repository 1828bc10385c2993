/** Frames from the events of one stream: the first holds everything, the others what changed. */
import {
  createFrameUnpacker,
  type FrameChange,
  type FullFrame,
  type PackedFrame,
  withPatch,
} from '@/lib/contract/live/frame-patch';
import type { Frame, frameSchema } from '@/lib/contract/live/live-frame';
import { createKeptReader } from './kept-reader';

export interface FrameReader {
  /**
   * Null: it cannot be read, or frames before it are missing; only a new stream helps then. Parts without a change are the same objects
   * as in the frame before: the cache and React skip them.
   */
  read(event: 'frame' | 'change', data: unknown): Frame | null;
}

export function createFrameReader(schema: typeof frameSchema): FrameReader {
  const validate = createKeptReader(schema);
  const unpack = createFrameUnpacker();
  let known: { sequence: number; state: PackedFrame } | null = null;
  return {
    read(event, data) {
      try {
        if (typeof data !== 'string') return null;
        const { sequence, ...rest }: FullFrame | FrameChange = JSON.parse(data);
        if ('state' in rest) known = { sequence, state: rest.state };
        else if (known?.sequence === rest.base)
          known = { sequence, state: withPatch(known.state, rest.patch) };
        else known = null;
        if (known === null || (event === 'frame') !== 'state' in rest) return null;
        return validate(unpack(known.state));
      } catch {
        known = null;
        return null;
      }
    },
  };
}
