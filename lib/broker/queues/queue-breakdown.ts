/** Ready, held and completed jobs by tenant and type, at a cost that does not grow with the queue: of a long one a sample is read. */
import { NAME_MAX_CHARS } from '@/lib/contract/name-pattern';
import type { QueueBreakdown, QueueShare } from '@/lib/contract/queues/breakdown-schemas';
import { PAUSES_BOUND, readHash, readMembers } from '../redis/bounded-reads';
import { evalMany } from '../redis/run-pipelines';
import { replyList, replyNumbers, replyText } from '../redis/script-reply';
import { answersOrThrow, fanOut } from '../shards/fan-out';
import type { ShardedContext } from '../shards/sharded-context';

/** Ready jobs read of a queue, and completed ones; a sharded queue divides them. */
const READY_READ = 500;
const COMPLETED_READ = 500;
/** A script reads so many, since payloads may be large. */
const READ_AT_ONCE = 100;
const NAMES_MAX = 50;
const PRIORITIES_MAX = 20;
/** Of each kind: so many counts are one round trip. */
const HELD_NAMES_MAX = 100;
/** Fewer runs tell no percentile. */
const RUNS_MIN = 5;
/** Shorter spans tell no rate, and what ended longer ago tells none of now. */
const [WINDOW_MIN_MS, WINDOW_MAX_MS] = [1_000, 60_000];

interface ReadyJob {
  readonly type: string;
  readonly tenant: string;
  readonly ageMs: number | null;
}
interface CompletedJob {
  readonly type: string;
  readonly tenant: string;
  readonly runMs: number | null;
  readonly agoMs: number;
}
interface ShardBreakdown {
  readonly at: number;
  readonly readyTotal: number;
  readonly ready: readonly ReadyJob[];
  readonly completed: readonly CompletedJob[];
  readonly windowMs: number;
  readonly priorities: readonly (readonly [priority: number, ready: number])[];
  readonly held: HeldCounts;
}

/** Shards that cannot be read are missing from the sums. @throws only when none can be read */
export async function readQueueBreakdown(ctx: ShardedContext, queue: string): Promise<QueueBreakdown> {
  const layout = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
  const answers = await fanOut(layout, (name) => readShard(ctx, name, layout.count));
  const parts = answersOrThrow(answers);
  const read = parts.reduce((sum, { ready }) => sum + ready.length, 0);
  const total = parts.reduce((sum, { readyTotal }) => sum + readyTotal, 0);
  const completedRead = parts.reduce((sum, part) => sum + recentOf(part).length, 0);
  const isKept = parts.some(({ completed }) => completed.length > 0);
  const heldOf = (of: 'byTenant' | 'byType' | 'total') => parts.reduce((sum, { held }) => sum + held[of], 0);
  const tenants = sharesBy(parts, total, 'tenant');
  const types = sharesBy(parts, total, 'type');
  return {
    at: Math.max(...parts.map(({ at }) => at)),
    ready: { total, read, exact: parts.every(({ ready, readyTotal }) => ready.length >= readyTotal) },
    held: { total: heldOf('total'), byTenant: heldOf('byTenant'), byType: heldOf('byType') },
    completed: !isKept
      ? null
      : { read: completedRead, windowMs: Math.max(...parts.map(({ windowMs }) => windowMs)) },
    tenants: tenants.slice(0, NAMES_MAX),
    types: types.slice(0, NAMES_MAX),
    more: {
      tenants: Math.max(0, tenants.length - NAMES_MAX),
      types: Math.max(0, types.length - NAMES_MAX),
    },
    priorities: mergePriorities(parts),
    unavailable: answers.failed.map(({ shard }) => shard),
  };
}

async function readShard(ctx: ShardedContext, name: string, shards: number): Promise<ShardBreakdown> {
  const readyMax = perShard(READY_READ, shards);
  const line = replyNumbers(await ctx.run('ready-priorities', name, [PRIORITIES_MAX]), 'ready-priorities');
  const [readyTotal = 0, ...counts] = line;
  const isWhole = readyTotal <= readyMax;
  const readyCalls = pages(Math.min(readyTotal, readyMax)).map(({ from, count }) => ({
    script: 'ready-sample' as const,
    queue: name,
    args: [count, isWhole ? from : -1],
  }));
  const completedCalls = pages(perShard(COMPLETED_READ, shards)).map(({ from, count }) => ({
    script: 'completed-sample' as const,
    queue: name,
    args: [count, from],
  }));
  const replies = (await evalMany(ctx, [...readyCalls, ...completedCalls])).map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return replyList(one.value, 'ready-sample');
  });
  // At least one page of completed jobs is always read.
  const at = Math.max(...replies.map(([now]) => Number(now)));
  const ready = readyJobs(replies.slice(0, readyCalls.length), at);
  const done = completedJobs(replies.slice(readyCalls.length), at);
  return {
    at,
    // Jobs may come and go between the calls.
    readyTotal: isWhole ? ready.length : readyTotal,
    ready,
    ...done,
    priorities: pairs(counts),
    held: await readHeld(ctx, name, [...ready, ...done.completed]),
  };
}

const KINDS = ['tenant', 'type'] as const;
type HeldCounts = Readonly<Record<(typeof KINDS)[number], ReadonlyMap<string, number>>> & {
  readonly total: number;
  readonly byTenant: number;
  readonly byType: number;
};

/** Exact, from the index by which a resume finds held jobs. All jobs of a tenant may be held, so its name comes from the pause or the limit. */
async function readHeld(
  ctx: ShardedContext,
  name: string,
  jobs: readonly Readonly<Record<(typeof KINDS)[number], string>>[],
): Promise<HeldCounts> {
  const held = { tenant: new Map<string, number>(), type: new Map<string, number>() };
  const key = ctx.keys.column(name, 'heldBy');
  const [total, byType] = await ctx.plain((redis) =>
    Promise.all([redis.zcard(key), redis.zlexcount(key, '[type:', '(type;')]),
  );
  const sums = { total, byTenant: total - byType, byType };
  if (total === 0) return { ...held, ...sums };
  const names = { members: HELD_NAMES_MAX, bytes: NAME_MAX_CHARS };
  const [paused, throttled] = await Promise.all([
    readHash(ctx, { queue: name, index: 'pauses' }, PAUSES_BOUND),
    readMembers(ctx, { queue: name, index: 'throttled' }, names),
  ]);
  const stopping = [...paused.keys(), ...throttled.map(([tenant]) => `tenant:${tenant}`)];
  const scopes = KINDS.flatMap((kind) => {
    const stopped = stopping.filter((scope) => scope.startsWith(`${kind}:`));
    const others = jobs.map((job) => `${kind}:${job[kind]}`);
    const names = [...new Set([...stopped, ...others])].slice(0, HELD_NAMES_MAX);
    return names.flatMap((scope) => {
      const name = scope.slice(kind.length + 1);
      const scopes = kind === 'tenant' ? [scope, `limit:${name}`] : [scope];
      return scopes.map((scope) => ({ kind, name, scope }));
    });
  });
  const counts = await ctx.plain((redis) => {
    const pipeline = redis.pipeline();
    for (const { scope } of scopes) pipeline.zlexcount(key, `[${scope}|`, `(${scope}}`);
    return pipeline.exec();
  });
  for (const [i, { kind, name }] of scopes.entries()) {
    const [error, reply] = counts?.[i] ?? [new Error('the held jobs were not counted')];
    if (error) throw error;
    const count = Number(reply);
    if (count > 0) held[kind].set(name, (held[kind].get(name) ?? 0) + count);
  }
  return { ...held, ...sums };
}

/** The completed jobs that its rates are from. */
const recentOf = ({ completed, windowMs }: Pick<ShardBreakdown, 'completed' | 'windowMs'>) =>
  completed.filter(({ agoMs }) => agoMs <= windowMs);

const perShard = (most: number, shards: number): number => Math.max(20, Math.ceil(most / shards));

const pages = (most: number): { from: number; count: number }[] =>
  Array.from({ length: Math.ceil(most / READ_AT_ONCE) }, (_, i) => ({
    from: i * READ_AT_ONCE,
    count: Math.min(READ_AT_ONCE, most - i * READ_AT_ONCE),
  }));

const pairs = (flat: readonly number[]): [number, number][] =>
  Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i] ?? 0, flat[2 * i + 1] ?? 0]);

/** An unreadable row has neither. */
const nameOf = (item: unknown): string => replyText(item) || 'unknown';

/** Random calls may hit a job twice: it counts once. */
function readyJobs(replies: readonly unknown[][], at: number): ReadyJob[] {
  const jobs = new Map<string, ReadyJob>();
  for (const reply of replies)
    for (let i = 2; i < reply.length; i += 4) {
      const since = replyText(reply[i + 3]);
      jobs.set(replyText(reply[i]), {
        type: nameOf(reply[i + 1]),
        tenant: nameOf(reply[i + 2]),
        ageMs: since === '' ? null : Math.max(0, at - Number(since)),
      });
    }
  return [...jobs.values()];
}

function completedJobs(
  replies: readonly unknown[][],
  at: number,
): Pick<ShardBreakdown, 'completed' | 'windowMs'> {
  const jobs = new Map<string, CompletedJob>();
  let oldest = at;
  for (const reply of replies)
    for (let i = 2; i < reply.length; i += 5) {
      const completedAt = Number(replyText(reply[i + 3]));
      const claimedAt = replyText(reply[i + 4]);
      oldest = Math.min(oldest, completedAt);
      jobs.set(replyText(reply[i]), {
        type: nameOf(reply[i + 1]),
        tenant: nameOf(reply[i + 2]),
        runMs: claimedAt === '' ? null : Math.max(0, completedAt - Number(claimedAt)),
        agoMs: Math.max(0, at - completedAt),
      });
    }
  const windowMs = Math.min(WINDOW_MAX_MS, Math.max(WINDOW_MIN_MS, at - oldest));
  return { completed: [...jobs.values()], windowMs };
}

interface Share {
  ready: number;
  held: number;
  oldestReadyAgeMs: number | null;
  completedPerSecond: number | null;
  readonly runsMs: number[];
}

function sharesBy(parts: readonly ShardBreakdown[], total: number, field: 'tenant' | 'type'): QueueShare[] {
  const shares = new Map<string, Share>();
  const shareOf = (name: string): Share => {
    const known = shares.get(name);
    if (known) return known;
    const share: Share = { ready: 0, held: 0, oldestReadyAgeMs: null, completedPerSecond: null, runsMs: [] };
    shares.set(name, share);
    return share;
  };
  for (const { ready, readyTotal, completed, windowMs, held } of parts) {
    for (const [name, count] of held[field]) shareOf(name).held += count;
    for (const job of ready) {
      const share = shareOf(job[field]);
      share.ready += readyTotal / ready.length;
      if (job.ageMs !== null) share.oldestReadyAgeMs = Math.max(share.oldestReadyAgeMs ?? 0, job.ageMs);
    }
    for (const job of completed) {
      const share = shareOf(job[field]);
      const isRecent = job.agoMs <= windowMs;
      share.completedPerSecond = (share.completedPerSecond ?? 0) + (isRecent ? 1_000 / windowMs : 0);
      if (job.runMs !== null) share.runsMs.push(job.runMs);
    }
  }
  return [...shares]
    .map(([name, { ready, runsMs, ...share }]) => ({
      name,
      ready: Math.round(ready),
      readyShare: total === 0 ? 0 : Math.min(1, ready / total),
      ...share,
      runTimeP95Ms: percentile95(runsMs),
    }))
    .sort(
      (a, b) =>
        b.ready + b.held - (a.ready + a.held) ||
        (b.completedPerSecond ?? 0) - (a.completedPerSecond ?? 0) ||
        (a.name < b.name ? -1 : 1),
    );
}

function percentile95(runsMs: readonly number[]): number | null {
  if (runsMs.length < RUNS_MIN) return null;
  return runsMs.toSorted((a, b) => a - b)[Math.ceil(runsMs.length * 0.95) - 1] ?? null;
}

function mergePriorities(parts: readonly ShardBreakdown[]): QueueBreakdown['priorities'] {
  const sums = new Map<number, number>();
  for (const [priority, ready] of parts.flatMap(({ priorities }) => priorities))
    sums.set(priority, (sums.get(priority) ?? 0) + ready);
  return [...sums].map(([priority, ready]) => ({ priority, ready })).sort((a, b) => b.priority - a.priority);
}
