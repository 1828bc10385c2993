/** All queues at a glance: one script a queue, all in one round trip, at a cost that does not grow with their length. */
import type { Ledger, Pause, Totals } from '@/lib/contract/queue';
import { pauseScopeSchema } from '@/lib/contract/queue';
import type { Counts } from '@/lib/contract/states';
import type { BrokerContext } from '../context';
import { SCRIPTS } from '../lua.generated';
import { list, pairs, text } from '../reply';
import { evalScript, scriptKeys, translate } from '../script';

export interface QueueReading {
  queue: string;
  at: number;
  counts: Counts;
  ledger: Ledger;
  totals: Totals;
  /** Rows in `jobs`. More or fewer than the states hold is a defect. */
  rows: number;
  oldestReadyAgeMs: number | null;
  nextDueAt: number | null;
  overdueLeaseMs: number | null;
  pauses: Pause[];
  /** Cumulative histogram of run times: upper bound in ms (`inf` last) → runs, and their sum. */
  runTimes: { buckets: Map<string, number>; sumMs: number };
  attempts: Map<number, number>;
}

export const RUN_TIME_BUCKETS_MS = [
  5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000,
] as const;
export const QUEUES_MAX = 1_000;

/** The names of all queues, by age of registration; at most 1,000. */
export async function queueNames(ctx: BrokerContext): Promise<string[]> {
  return ctx.plain((redis) => redis.zrange(ctx.keys.global('queues'), '0', String(QUEUES_MAX - 1)));
}

/** Whether a job was ever enqueued to it. */
export async function queueExists(ctx: BrokerContext, queue: string): Promise<boolean> {
  return (await ctx.plain((redis) => redis.zscore(ctx.keys.global('queues'), queue))) !== null;
}

/** Reads the queues given in one round trip. A queue that cannot be read (a key of another type) is left out. */
export async function snapshot(ctx: BrokerContext, queues: readonly string[]): Promise<QueueReading[]> {
  if (queues.length === 0) return [];
  await ctx.ready();
  const clock = ctx.clock ? String(ctx.clock()) : '';
  const pipeline = ctx.redis.pipeline();
  for (const queue of queues) {
    const keys = scriptKeys(ctx.keys, 'snapshot', queue);
    pipeline.call('EVALSHA', SCRIPTS.snapshot.sha, keys.length, ...keys, clock);
  }
  const replies = await pipeline.exec().catch((error: unknown) => {
    throw translate(error);
  });
  const readings: QueueReading[] = [];
  for (const [i, queue] of queues.entries()) {
    const [error, reply] = replies?.[i] ?? [new Error('snapshot: no reply'), null];
    // A flushed script cache fails each entry of the pipeline; those are asked again one by one.
    // One queue whose keys were tampered with must not hide the others: it is left out, and its absence shows.
    const value = error ? await again(ctx, queue, clock, error) : reply;
    if (value !== null) readings.push(read(queue, value));
  }
  return readings;
}

async function again(ctx: BrokerContext, queue: string, clock: string, error: Error): Promise<unknown> {
  if (error.message.startsWith('WRONGTYPE')) return null;
  if (!error.message.startsWith('NOSCRIPT')) throw translate(error);
  return evalScript(ctx.redis, 'snapshot', scriptKeys(ctx.keys, 'snapshot', queue), [clock], false);
}

function read(queue: string, value: unknown): QueueReading {
  const reply = list(value, 'snapshot');
  const n = (i: number) => Number(reply[i]);
  const time = (i: number) => (text(reply[i]) === '' ? null : Number(text(reply[i])));
  const at = n(0);
  const counts: Counts = {
    ready: n(2),
    'in-flight': n(3),
    scheduled: n(4),
    retry: n(5),
    held: n(6),
    completed: n(7),
    dead: n(8),
    suppressed: n(9),
    trashed: n(10),
  };
  const counters = pairs(reply[15], 'snapshot');
  const total = (field: string) => Number(counters.get(field) ?? 0);
  const inStates = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const oldest = time(11);
  const due = [time(12), time(13)].filter((x) => x !== null);
  const lease = time(14);
  return {
    queue,
    at,
    counts,
    ledger: {
      enqueued: total('enqueued'),
      inStates,
      deleted: total('deleted'),
      difference: total('enqueued') - inStates - total('deleted'),
    },
    totals: {
      enqueued: total('enqueued'),
      deleted: total('deleted'),
      claimed: total('claimed'),
      completed: total('completed'),
      failed: total('failed'),
      retried: total('retried'),
      dead: total('dead'),
      reclaimed: total('reclaimed'),
      released: total('released'),
      redriven: total('redriven'),
      duplicates: total('duplicates'),
    },
    rows: n(1),
    oldestReadyAgeMs: oldest === null ? null : Math.max(0, at - oldest),
    nextDueAt: due.length ? Math.min(...due) : null,
    overdueLeaseMs: lease !== null && lease < at ? at - lease : null,
    pauses: readPauses(pairs(reply[16], 'snapshot'), at),
    runTimes: {
      buckets: new Map([...RUN_TIME_BUCKETS_MS.map(String), 'inf'].map((le) => [le, total(`run:${le}`)])),
      sumMs: total('run:sum'),
    },
    attempts: new Map(
      Array.from({ length: 20 }, (_, i) => [i + 1, total(`attempt:${i + 1}`)] as const).filter(
        ([, count]) => count > 0,
      ),
    ),
  };
}

function readPauses(rows: Map<string, string>, at: number): Pause[] {
  const pauses: Pause[] = [];
  for (const [scope, row] of rows) {
    const parsed = pauseScopeSchema.safeParse(scope);
    const match = row.match(/^(\d+) (\d+) (.*)$/s);
    if (!parsed.success || !match) continue;
    const until = Number(match[2]);
    // One that ran out is on its way out: its jobs are being put back.
    if (until > 0 && until <= at) continue;
    let note: { actor?: string; reason?: string } = {};
    try {
      note = JSON.parse(match[3] ?? '{}');
    } catch {
      // Shown without its words rather than not at all.
    }
    pauses.push({
      scope: parsed.data,
      since: Number(match[1]),
      until: until || null,
      actor: note.actor ?? 'unknown',
      reason: note.reason ?? '',
    });
  }
  return pauses.sort((a, b) => a.since - b.since);
}
