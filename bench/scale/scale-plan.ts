/** What the bench changes, one thing at a time, and how much of everything it runs. */

/** One load. What a dimension does not change is as in `BASE`. */
export interface Load {
  /** Queues; jobs are spread over all of them, and each worker process works for all. */
  readonly queues: number;
  /** Of one queue on a Cluster of three nodes; null: one Redis. */
  readonly shards: number | null;
  /** Worker processes, each with concurrency 100. */
  readonly processes: number;
  /** Jobs that wait before the measured ones. */
  readonly waiting: number;
  readonly payloadBytes: number;
  /** Jobs a second, enqueued one by one, with handlers that wait; null: as fast as possible, without work. */
  readonly perSecond: number | null;
  /** Jobs that are measured. */
  readonly jobs: number;
}

export const CONCURRENCY = 100;
/** Calls of the producer under way at a time. */
export const ENQUEUES_IN_FLIGHT = 100;
/** A handler's wait where jobs come at a rate. */
export const HANDLER_MS = 5;
/** Jobs that a process has run before it is measured. */
export const WARM_JOBS = 8_000;

const BASE: Load = {
  queues: 1,
  shards: null,
  processes: 1,
  waiting: 0,
  payloadBytes: 200,
  perSecond: null,
  jobs: 20_000,
};

export const DIMENSION_NAMES = [
  'shards',
  'queues',
  'processes',
  'waiting',
  'payload',
  'rate',
  'rate-cluster',
] as const;
export type DimensionName = (typeof DIMENSION_NAMES)[number];

export interface Point {
  readonly value: number;
  readonly load: Load;
}
export interface Dimension {
  readonly name: DimensionName;
  readonly title: string;
  /** The head of its first column. */
  readonly head: string;
  readonly points: readonly Point[];
  /** Points with more take a minute each, and are measured in the first round alone. */
  readonly againUpTo?: number;
  /** All points on the same Redis, one after the other. */
  readonly ladder?: boolean;
}

export const pointsInRound = ({ points, againUpTo }: Dimension, round: number): readonly Point[] =>
  round === 1 || againUpTo === undefined ? points : points.filter(({ value }) => value <= againUpTo);

const RATE_SECONDS = 4;

/** @param quick few jobs and points: shows that everything works */
export function planOf(quick: boolean): readonly Dimension[] {
  const few = <T>(values: readonly T[], quickly: readonly T[]) => (quick ? quickly : values);
  const jobs = quick ? 2_000 : BASE.jobs;
  const base = { ...BASE, jobs };
  const points = (values: readonly number[], load: (value: number) => Partial<Load>): Point[] =>
    values.map((value) => ({ value, load: { ...base, ...load(value) } }));
  const atRate = (perSecond: number): Partial<Load> => ({
    perSecond,
    jobs: perSecond * (quick ? 1 : RATE_SECONDS),
  });
  return [
    {
      name: 'shards',
      title: 'One queue in 1 to 8 shards, on a Cluster of three nodes',
      head: 'shards',
      points: points([1, 2, 4, 8], (shards) => ({ shards })),
    },
    {
      name: 'queues',
      title: 'Jobs spread over 1 to 10,000 queues, one worker process for all of them',
      head: 'queues',
      againUpTo: 1_000,
      points: points(few([1, 10, 100, 1_000, 10_000], [1, 10, 1_000]), (queues) => ({ queues })),
    },
    {
      name: 'processes',
      title: 'One queue, 1 to 32 worker processes, 4,000 jobs for each',
      head: 'processes',
      againUpTo: 8,
      points: points(few([1, 2, 8, 32], [1, 4]), (processes) => ({
        processes,
        // As many for each process, which gets faster as it runs more.
        jobs: processes * (quick ? 500 : 4_000),
      })),
    },
    {
      name: 'waiting',
      title: 'With 1,000 to 5 million jobs waiting',
      head: 'jobs waiting',
      againUpTo: 100_000,
      ladder: true,
      points: points(
        few([1_000, 10_000, 100_000, 1_000_000, 5_000_000], [1_000, 10_000, 50_000]),
        (waiting) => ({
          waiting,
        }),
      ),
    },
    {
      name: 'payload',
      title: 'Payloads of 100 bytes to 64 KiB',
      head: 'payload, bytes',
      points: points([100, 1_024, 8_192, 65_536], (payloadBytes) => ({
        payloadBytes,
        jobs: Math.min(jobs, Math.max(quick ? 200 : 2_000, Math.round(80_000_000 / payloadBytes))),
      })),
    },
    {
      name: 'rate',
      title: `Jobs that come one by one and take ${HANDLER_MS} ms: one worker process, one Redis`,
      head: 'jobs/s',
      points: points(few([200, 1_000, 4_000], [500]), atRate),
    },
    {
      name: 'rate-cluster',
      title: 'The same on a Cluster of three nodes, the queue in 8 shards',
      head: 'jobs/s',
      points: points(few([200, 1_000, 4_000], [500]), (rate) => ({ ...atRate(rate), shards: 8 })),
    },
  ];
}

/** @throws Error that names an unknown dimension, and all known ones */
export function dimensionsIn(given: readonly string[], plan: readonly Dimension[]): readonly Dimension[] {
  const names = given.flatMap((text) => text.split(',')).filter((name) => name !== '');
  const unknown = names.find((name) => plan.every((dimension) => dimension.name !== name));
  if (unknown !== undefined)
    throw new Error(`There is no dimension ${unknown}. There are: ${DIMENSION_NAMES.join(', ')}.`);
  return names.length === 0 ? plan : plan.filter(({ name }) => names.includes(name));
}

export const queueNames = (queues: number): string[] =>
  Array.from({ length: queues }, (_, i) => (queues === 1 ? 'bench' : `bench-${String(i).padStart(5, '0')}`));
