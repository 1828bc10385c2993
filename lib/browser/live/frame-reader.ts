/** Frames from the events of one stream: the first holds everything, the others what changed. */
import type { z } from 'zod';
import {
  type FrameChange,
  type FullFrame,
  type PackedFrame,
  unpackFrame,
  withPatch,
} from '@/lib/contract/live/frame-patch';
import type { Frame, frameSchema } from '@/lib/contract/live/live-frame';

export interface FrameReader {
  /** Null: it cannot be read, or frames before it are missing; only a new stream helps then. */
  read(event: 'frame' | 'change', data: unknown): Frame | null;
}

export function createFrameReader(
  schema: Pick<z.ZodType<z.output<typeof frameSchema>>, 'safeParse'>,
): FrameReader {
  let known: { sequence: number; state: PackedFrame } | null = null;
  return {
    read(event, data) {
      try {
        if (typeof data !== 'string') return null;
        const { sequence, movements = [], ...rest }: FullFrame | FrameChange = JSON.parse(data);
        if ('state' in rest) known = { sequence, state: rest.state };
        else if (known?.sequence === rest.base)
          known = { sequence, state: withPatch(known.state, rest.patch) };
        else known = null;
        if (known === null || (event === 'frame') !== 'state' in rest) return null;
        return schema.safeParse(unpackFrame(known.state, movements)).data ?? null;
      } catch {
        known = null;
        return null;
      }
    },
  };
}
