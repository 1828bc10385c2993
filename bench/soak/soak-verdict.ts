/** What must be true once all is quiet. Pure: each finding is a sentence, and none is what we want. */
import { COLUMNS, type Column, createKeys, GLOBAL_KEYS, type GlobalKey } from '@/lib/broker/redis/redis-keys';
import { FINISHED_ROWS_MAX } from '@/testing/model/invariants';
import type { Heap } from './heap-size';
import type { KeyFound } from './soak-memory';
import { QUEUE } from './soak-plan';

const MEGABYTE = 1_000_000;
/** What Redis itself may hold on to, beside a twentieth of the peak. */
const SLACK_BYTES = 2 * MEGABYTE;
const SLACK_SHARE = 0.05;
/** Between the first job and the last, in a process. */
export const HEAP_GROWTH_MAX_BYTES = 20 * MEGABYTE;

export interface Memory {
  baselineBytes: number;
  peakBytes: number;
  endBytes: number;
  /** All of what the keys take that are left. */
  retainedBytes: number;
  /** The same keys, written afresh. */
  afreshBytes: number;
}
export const differenceOf = ({ endBytes, baselineBytes, retainedBytes }: Memory): number =>
  endBytes - baselineBytes - retainedBytes;
export const allowedBytes = ({ peakBytes }: Memory): number => peakBytes * SLACK_SHARE + SLACK_BYTES;

export interface Kept {
  completed: number;
  dead: number;
  suppressed: number;
}

/** The most rows each column may have at rest; those that are not named must be gone. */
function columnBounds(
  { completed, dead, suppressed }: Kept,
  minutes: number,
): Partial<Record<Column, number>> {
  const buried = dead + suppressed;
  return {
    jobs: completed + buried,
    idempotency: completed + buried,
    idempotencyDue: completed + buried,
    completed,
    results: completed,
    dead,
    deadBy: 5 * dead,
    // At most one each, and how many that is in all.
    deadCounts: dead > 0 ? dead + 1 : 0,
    groups: 2_000,
    outcomes: 10_000,
    suppressed,
    deaths: buried,
    attempts: buried,
    // Of completed ones, too, that failed before.
    history: completed + buried,
    // Settings and counts: as many as there are names for them.
    config: 40,
    counters: 60,
    // Nine counts a minute, and two histograms of 13 buckets in each of the last minutes.
    minutes: 9 * minutes + 26 * Math.min(minutes, 7),
    // A row a minute of the last ten to twenty, a block every ten minutes, an hour in a row.
    minuteRows: 20,
    minuteBlocks: Math.ceil(minutes / 10) + 1,
    tenMinuteRows: Math.ceil(minutes / 60) + 1,
    // At most one a minute, where the number changed.
    workerCounts: minutes + 1,
    // Since the last ten minutes: 200 names, three counts each, and what is counted under no name.
    tallies: 606,
    // Buckets of a few tenants may stay: they are swept once there are more.
    limits: 100,
    // How far each came, what became of what it put back, and what came from or goes to another queue.
    operations: 2_000,
    // A stream is trimmed by whole nodes of a hundred entries.
    events: 1_100,
    changes: 1_100,
    // The last record stays where it was written: it says how many there have been.
    audit: 1,
    wake: 1,
    // Ids of jobs that left within the window in which they may be sent again, in two generations, each with its beginning.
    finished: FINISHED_ROWS_MAX,
    finishedBefore: FINISHED_ROWS_MAX,
    // Shares of pauses that ended by themselves are given back when the next one is made.
    pauseShares: 600,
  };
}
const GLOBAL_BOUNDS: Partial<Record<GlobalKey, number>> = {
  queues: 1,
  workersSeen: 200,
  workersInfo: 200,
  workersSchemas: 200,
  operationsIndex: 500,
  operationsRecords: 500,
  // A row of each operation that can still be undone, and a few sums of them.
  operationsShares: 510,
  onceCounters: 4,
  operationsAudit: 1,
  auditEntries: 2_000,
  auditHead: 20,
  // One id, of so many letters.
  dataset: 64,
  datasetFormats: 10,
};

export function judgeKeys(found: readonly KeyFound[], kept: Kept, minutes: number, prefix = 'rd'): string[] {
  const keys = createKeys(prefix);
  const columns = columnBounds(kept, minutes);
  const known = new Map<string, number>();
  for (const column of Object.keys(COLUMNS) as Column[])
    known.set(keys.column(QUEUE, column), columns[column] ?? 0);
  for (const key of Object.keys(GLOBAL_KEYS) as GlobalKey[])
    known.set(keys.global(key), GLOBAL_BOUNDS[key] ?? 0);
  // One an operation, gone by itself 15 minutes after it was made.
  const previews = keys.preview('x').split('x');
  const isPreview = (name: string) =>
    previews.every((part) => name.includes(part)) && /\.[0-9a-f]{40}}$/.test(name);
  return found.flatMap(({ name, size }) => {
    if (isPreview(name)) return [];
    const most = known.get(name);
    if (most === undefined) return [`The key ${name} is none of ours.`];
    return size > most ? [`${name} has ${size} rows, and may have ${most} at rest.`] : [];
  });
}

export function judgeMemory(memory: Memory): string[] {
  const allowed = allowedBytes(memory);
  const over = (what: string, bytes: number) =>
    Math.abs(bytes) > allowed
      ? [`${what} is ${megabytes(bytes)}, and may be ${megabytes(allowed)} at most.`]
      : [];
  return [
    ...over('What Redis holds beyond baseline and retained set', differenceOf(memory)),
    ...over(
      'What the retained set takes beyond the same rows afresh',
      memory.retainedBytes - memory.afreshBytes,
    ),
  ];
}

export interface ProcessHeap {
  name: string;
  start: Heap;
  end: Heap;
}
export const judgeHeaps = (heaps: readonly ProcessHeap[]): string[] =>
  heaps.flatMap(({ name, start, end }) => {
    const grown = end.heldBytes - start.heldBytes;
    return grown > HEAP_GROWTH_MAX_BYTES
      ? [
          `${name} holds ${megabytes(grown)} more than at the start, and may hold ${megabytes(HEAP_GROWTH_MAX_BYTES)}.`,
        ]
      : [];
  });

/** A soak in which nothing of a kind happened would say nothing about it. */
export const judgeMix = (happened: Readonly<Record<string, number>>): string[] =>
  Object.entries(happened).flatMap(([what, times]) => (times > 0 ? [] : [`Nothing was ${what}.`]));

export const megabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(2)} MB`;
