/**
 * What changed between two values of JSON, and the second value from the first and the change. Both work on the packed form of a frame,
 * in which lists of queues are keyed by name and ages are times, so that a queue in which nothing happens does not change. Pure.
 */
import type { QueueRow } from '../queues/queue-schemas';
import type { Frame } from './live-frame';

/**
 * Changes of an object's fields, or of an array's elements by index. A field's change is a primitive (the new value), `[value]` (a new
 * array or object), `[]` (the field is gone) or, for a change inside it, another patch.
 */
export type Patch = {
  readonly [field: string]: Patch | readonly unknown[] | string | number | boolean | null;
};
type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const replacement = (value: unknown): Patch[string] =>
  isFields(value) ? [value] : (value as string | number | boolean | null);

/** Undefined: nothing changed. */
export function patchOf(before: Fields, after: Fields): Patch | undefined {
  const changes: [string, Patch[string]][] = [];
  for (const [field, value] of Object.entries(after)) {
    const known = before[field];
    if (known === value || value === undefined) continue;
    if (!Object.hasOwn(before, field) || !isFields(known) || !isFields(value) || !isAlike(known, value))
      changes.push([field, replacement(value)]);
    else {
      const inner = patchOf(known, value);
      if (inner !== undefined) changes.push([field, inner]);
    }
  }
  for (const field of Object.keys(before))
    if (before[field] !== undefined && (!Object.hasOwn(after, field) || after[field] === undefined))
      changes.push([field, []]);
  return changes.length > 0 ? Object.fromEntries(changes) : undefined;
}

/** Arrays are compared by index, so both must be as long. */
const isAlike = (a: Fields, b: Fields): boolean =>
  Array.isArray(a) ? Array.isArray(b) && a.length === b.length : !Array.isArray(b);

/** Parts without a change keep their identity. */
export function withPatch<Value extends Fields>(before: Value, patch: Patch): Value {
  const fields = new Map<string, unknown>(Object.entries(before));
  for (const [field, change] of Object.entries(patch)) {
    if (!isFields(change)) fields.set(field, change);
    else if (!Array.isArray(change))
      fields.set(field, withPatch(fields.get(field) as Fields, change as Patch));
    else if (change.length === 0) fields.delete(field);
    else fields.set(field, change[0]);
  }
  return (Array.isArray(before) ? [...fields.values()] : Object.fromEntries(fields)) as unknown as Value;
}

type PackedRow = Omit<QueueRow, 'oldestReadyAgeMs' | 'overdueLeaseMs'> & {
  readonly oldestReadyAt: number | null;
  readonly overdueAt: number | null;
};

/** A frame as it is sent. */
export type PackedFrame = Omit<Frame, 'overview' | 'watched'> & {
  readonly overview: Omit<Frame['overview'], 'queues'>;
  readonly order: readonly string[];
  readonly rows: Readonly<Record<string, PackedRow>>;
  readonly watched: Readonly<Record<string, Frame['watched'][number]>>;
};

const swapped = (at: number, value: number | null) => (value === null ? null : at - value);

export function packFrame({ overview, watched, workers, operations }: Frame): PackedFrame {
  const { queues, ...rest } = overview;
  const packed = queues.map(({ oldestReadyAgeMs, overdueLeaseMs, ...row }): [string, PackedRow] => [
    row.queue,
    {
      ...row,
      oldestReadyAt: swapped(overview.at, oldestReadyAgeMs),
      overdueAt: swapped(overview.at, overdueLeaseMs),
    },
  ]);
  return {
    overview: rest,
    order: packed.map(([queue]) => queue),
    rows: Object.fromEntries(packed),
    watched: Object.fromEntries(watched.map((snapshot) => [snapshot.queue, snapshot])),
    workers,
    operations,
  };
}

/** The function that it returns makes what did not change since the frame before no second time. */
export function createFrameUnpacker(): (packed: PackedFrame) => Frame {
  const known = new WeakMap<PackedRow, QueueRow>();
  const rowOf = (packed: PackedRow, at: number): QueueRow => {
    const before = known.get(packed);
    if (before) return before;
    const { oldestReadyAt, overdueAt, ...numbers } = packed;
    const row = {
      ...numbers,
      oldestReadyAgeMs: swapped(at, oldestReadyAt),
      overdueLeaseMs: swapped(at, overdueAt),
    };
    // An age is another one in each frame.
    if (oldestReadyAt === null && overdueAt === null) known.set(packed, row);
    return row;
  };
  return ({ overview, order, rows, watched, ...rest }) => {
    const queues = order.flatMap((name) => (rows[name] ? rowOf(rows[name], overview.at) : []));
    return { ...rest, overview: { ...overview, queues }, watched: Object.values(watched) };
  };
}

/** Data of the event `frame`. */
export interface FullFrame {
  readonly sequence: number;
  readonly state: PackedFrame;
}

/** Data of the event `change`. */
export interface FrameChange {
  readonly sequence: number;
  /** The sequence number of the frame that the patch is for. */
  readonly base: number;
  readonly patch: Patch;
}
