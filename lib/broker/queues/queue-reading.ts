/** What one queue, or one shard of it, looks like at a glance: the reply of snapshot.lua in words. */

import { JOB_STATES, type StateCounts } from '@/lib/contract/jobs/job-states';
import { type Pause, pauseScopeSchema } from '@/lib/contract/queues/pause-schemas';
import { QUEUE_CONFIG_DEFAULT } from '@/lib/contract/queues/queue-config-default';
import { type QueueSnapshot, type Totals, totalsSchema } from '@/lib/contract/queues/queue-schemas';
import { parseHistoryFields } from '../access/actor';
import { replyList, replyPairs, replyText } from '../redis/script-reply';
import { RUN_TIME_BUCKETS_MS } from './percentile';
import {
  type JobFlow,
  type MinuteActivity,
  type MinuteRunTimes,
  parseJobFlow,
  parseRecentMinutes,
  parseRunTimes,
} from './recent-activity';

/** Fields as in the snapshot; it adds what one reading cannot tell. */
export interface QueueReading
  extends Omit<
    QueueSnapshot,
    'level' | 'rates' | 'runTimeP95Ms' | 'lastFiveMinutes' | 'drain' | 'workers' | 'minutes'
  > {
  /** Rows in `jobs`. More or fewer than the states hold is a defect. */
  rows: number;
  /** Cumulative histogram of run times: upper bound in ms (`inf` last) → runs, and their sum. */
  runTimes: { buckets: Map<string, number>; sumMs: number };
  /** Cumulative histogram of times in ready before a claim, as `runTimes`. */
  waitTimes: Map<string, number>;
  /** As `runTimes`, from enqueue to completion. Workers report them some seconds late; a crash loses the last ones. */
  endToEndTimes: { buckets: Map<string, number>; sumMs: number };
  attempts: Map<number, number>;
  /** The minute under way and the five before it, the latest first. */
  recent: readonly MinuteActivity[];
  /** From the minute that was asked for on; see snapshotQueues. */
  recentRunTimes: readonly MinuteRunTimes[];
  flow: JobFlow;
}

const BUCKETS = [...RUN_TIME_BUCKETS_MS.map(String), 'inf'];
const TOTALS = Object.keys(totalsSchema.shape) as (keyof Totals)[];

/** As many fields as `names`, each made by `value`. */
export const fieldsOf = <K extends string>(names: readonly K[], value: (name: K, i: number) => number) =>
  Object.fromEntries(names.map((name, i) => [name, value(name, i)])) as Record<K, number>;

export function parseQueueReading(queue: string, value: unknown): QueueReading {
  const reply = replyList(value, 'snapshot');
  const n = (i: number) => Number(reply[i]);
  const time = (i: number) => (replyText(reply[i]) === '' ? null : Number(replyText(reply[i])));
  const at = n(0);
  const counts: StateCounts = fieldsOf(JOB_STATES, (_, i) => n(2 + i));
  const counters = replyPairs(reply[15], 'snapshot');
  const total = (field: string) => Number(counters.get(field) ?? 0);
  const inStates = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const histogramOf = (kind: string, whole: number) =>
    withRest(
      BUCKETS.map((le) => [le, total(`${kind}:${le}`)]),
      whole,
    );
  const [oldest, scheduled, retry, lease, died] = [time(11), time(12), time(13), time(14), time(19)];
  const due = [scheduled, retry].filter((one) => one !== null);
  const [depthLimit, draining, deadKeepMs, age, failurePercent, depth] = replyList(reply[17], 'snapshot');
  const numberOf = (item: unknown) => (item === null || item === undefined ? null : Number(item));
  const keepMs = numberOf(deadKeepMs);
  const recent = parseRecentMinutes(reply[20], at);
  const pauses = pausesOf(replyPairs(reply[16], 'snapshot'), at);
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
    totals: fieldsOf(TOTALS, total),
    rows: n(1),
    oldestReadyAgeMs: oldest === null ? null : Math.max(0, at - oldest),
    nextDueAt: due.length ? Math.min(...due) : null,
    overdueLeaseMs: lease !== null && lease < at ? at - lease : null,
    pauses,
    draining: draining !== null && draining !== undefined,
    depth: {
      jobs: counts.ready + counts.scheduled + counts.retry + counts.held,
      limit: numberOf(depthLimit),
    },
    objectives: {
      ageMs: numberOf(age) ?? QUEUE_CONFIG_DEFAULT.objectiveAgeMs,
      failureRatio: (numberOf(failurePercent) ?? QUEUE_CONFIG_DEFAULT.objectiveFailurePercent) / 100,
      depth: numberOf(depth),
    },
    throttledTenants: n(18),
    deadExpireAt: keepMs === null || died === null ? null : died + keepMs,
    shards: { count: 1, unavailable: [] },
    runTimes: {
      buckets: histogramOf('run', total('completed')),
      sumMs: total('run:sum'),
    },
    waitTimes: histogramOf('wait', total('claimed')),
    endToEndTimes: {
      buckets: new Map(BUCKETS.map((le) => [le, total(`e2e:${le}`)])),
      sumMs: total('e2e:sum'),
    },
    attempts: new Map(
      [
        ...withRest(
          Array.from({ length: 20 }, (_, i) => [i + 1, total(`attempt:${i + 1}`)]),
          total('completed'),
        ),
      ].filter(([, count]) => count > 0),
    ),
    recent,
    recentRunTimes: parseRunTimes(reply[22]),
    flow: parseJobFlow(reply[21], recent, at, {
      keptAll: counts.completed >= total('completed'),
      isPartlyPaused: pauses.some(({ scope }) => scope !== 'queue'),
    }),
  };
}

/** Scripts do not count the first entry: it is the rest of the total. See lua/claims/completion.lua. */
function withRest<K>(entries: [K, number][], whole: number): Map<K, number> {
  const [first, ...others] = entries;
  if (!first) return new Map();
  const counted = others.reduce((sum, [, count]) => sum + count, 0);
  return new Map([[first[0], Math.max(0, whole - counted)], ...others]);
}

/** It holds jobs back until it is resumed or repaired, so it is shown. */
const UNREADABLE_PAUSE = 'The record of this pause cannot be read. Resume it; maintenance ends it by itself.';

function pausesOf(rows: Map<string, string>, at: number): Pause[] {
  const pauses: Pause[] = [];
  for (const [scope, row] of rows) {
    const parsed = pauseScopeSchema.safeParse(scope);
    const match = row.match(/^(\d+) (\d+) (.*)$/s);
    if (!parsed.success) continue;
    if (!match) {
      pauses.push({ scope: parsed.data, since: at, until: null, actor: 'unknown', reason: UNREADABLE_PAUSE });
      continue;
    }
    const until = Number(match[2]);
    // One that ran out is on its way out: its jobs are being put back.
    if (until > 0 && until <= at) continue;
    const note = parseHistoryFields(match[3] ?? '');
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
