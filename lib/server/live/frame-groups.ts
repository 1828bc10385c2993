/**
 * Frames for streams: those that see and watch the same get the same bytes, written once. A stream that has the frame before gets what
 * changed, any other the whole frame.
 */
import type { AccessScope } from '@/lib/contract/access/grant-scopes';
import {
  type FrameChange,
  type FullFrame,
  type PackedFrame,
  packFrame,
  patchOf,
} from '@/lib/contract/live/frame-patch';
import type { Frame } from '@/lib/contract/live/live-frame';
import type { Sample } from './sampler';
import { visibleFrame } from './visible-frame';

export interface FrameReceiver {
  /** What the viewer may see, and its key. */
  readonly within: AccessScope;
  readonly view: string;
  /** Names of queues whose every number the frames carry. */
  readonly watched: readonly string[];
  /** Of the frame it has; null: none, or one of another group. */
  sequence: number | null;
}

interface Group {
  readonly sequence: number;
  readonly state: PackedFrame;
  readonly madeAtMs: number;
}

/** One turn of a group: its bytes for readers with the frame before, and for others. */
interface Turn {
  readonly base: number | null;
  readonly group: Group;
  readonly change: Uint8Array | null;
  readonly full: () => Uint8Array;
}

const groupKey = ({ view, watched }: FrameReceiver): string => `${watched.join(',')} ${view}`;

export class FrameGroups {
  private readonly groups = new Map<string, Group>();
  private readonly encoder = new TextEncoder();
  private sequence = 0;

  /** The whole frame for a reader that has none yet: the one that its group has, so that the next change fits. */
  greeting(reader: FrameReceiver, sample: Sample): Uint8Array {
    const key = groupKey(reader);
    let group = this.groups.get(key);
    if (!group) {
      group = this.next(packFrame(visibleFrame(sample, reader.within, reader.watched)));
      this.groups.set(key, group);
    }
    reader.sequence = group.sequence;
    const { overview } = group.state;
    const ageMs = overview.ageMs + Math.round(performance.now() - group.madeAtMs);
    return this.whole({ ...group, state: { ...group.state, overview: { ...overview, ageMs } } });
  }

  /** The bytes of a new sample for each reader. Call `forget` when all have theirs. */
  turns(sample: Sample): (reader: FrameReceiver) => Uint8Array {
    const visible = new Map<string, Frame>();
    const turns = new Map<string, Turn>();
    return (reader) => {
      const key = groupKey(reader);
      let turn = turns.get(key);
      if (!turn) {
        const frame = visible.get(reader.view) ?? visibleFrame(sample, reader.within);
        visible.set(reader.view, frame);
        const watched =
          reader.watched.length > 0 ? visibleFrame(sample, reader.within, reader.watched).watched : [];
        turn = this.turn(this.groups.get(key), { ...frame, watched });
        turns.set(key, turn);
        this.groups.set(key, turn.group);
      }
      const isNext = turn.change !== null && reader.sequence === turn.base;
      reader.sequence = turn.group.sequence;
      return isNext && turn.change ? turn.change : turn.full();
    };
  }

  /** Keeps only the groups of these readers. */
  forget(readers: Iterable<FrameReceiver>): void {
    const kept = new Set([...readers].map(groupKey));
    for (const key of this.groups.keys()) if (!kept.has(key)) this.groups.delete(key);
  }

  private next(state: PackedFrame): Group {
    this.sequence += 1;
    return { sequence: this.sequence, state, madeAtMs: performance.now() };
  }

  private turn(before: Group | undefined, frame: Frame): Turn {
    const group = this.next(packFrame(frame));
    let whole: Uint8Array | null = null;
    return {
      base: before?.sequence ?? null,
      group,
      change: before ? this.change(before, group) : null,
      full: () => {
        whole ??= this.whole(group);
        return whole;
      },
    };
  }

  private change(before: Group, { sequence, state }: Group): Uint8Array {
    // A greeting carries an age of its own: each change says the age.
    const known = { ...before.state, overview: { ...before.state.overview, ageMs: -1 } };
    const change: FrameChange = {
      sequence,
      base: before.sequence,
      patch: patchOf(known, state) ?? {},
    };
    return this.event('change', change);
  }

  private whole({ sequence, state }: Group): Uint8Array {
    const full: FullFrame = { sequence, state };
    return this.event('frame', full);
  }

  private event(name: string, data: object): Uint8Array {
    return this.encoder.encode(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  }
}
