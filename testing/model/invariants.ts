/**
 * What must hold of a queue's raw keys at every instant, whatever happened before. Knows the storage, not the model:
 * each finding is a sentence that names the invariant (numbers of research §7).
 */
import type { Redis } from 'ioredis';
import { COLUMNS, type Column, type Keys, STATE_COLUMN } from '@/lib/broker/redis/redis-keys';
import { physicalName } from '@/lib/broker/shards/shard-layout';
import { pairsOf } from '../worlds/flat-pairs';
import { type Index, type RawQueue, type Rows, same, within } from './compare-ids';
import { deadIndex, driven } from './dead-invariants';

export const HISTORY_MAX_LINES = 20;
export const HISTORY_MAX_BYTES = 16_384;
/** 500,000 ids, the generation's beginning, and what the call that filled it had besides. */
export const FINISHED_ROWS_MAX = 501_000;

/** Reads every column of a queue in one round trip. Rows are latin1 text: one character a byte. */
export async function readRaw(redis: Redis, keys: Keys, queue: string): Promise<RawQueue> {
  const pipeline = redis.pipeline();
  const columns = (Object.keys(COLUMNS) as Column[]).filter((column) => COLUMNS[column] !== 'stream');
  for (const column of columns) {
    const key = keys.column(queue, column);
    if (COLUMNS[column] === 'hash') pipeline.hgetallBuffer(key);
    else pipeline.zrange(key, '0', '-1', 'WITHSCORES');
  }
  const replies = (await pipeline.exec()) ?? [];
  const read = new Map<Column, Map<string, string>>();
  columns.forEach((column, i) => {
    const [error, value] = replies[i] ?? [new Error('no reply'), null];
    if (error) throw error;
    const entries =
      COLUMNS[column] === 'hash'
        ? Object.entries(value as Record<string, Buffer>).map(
            ([id, row]) => [id, row.toString('latin1')] as const,
          )
        : pairsOf(value as string[]);
    read.set(column, new Map(entries));
  });
  const of = (column: Column) => read.get(column) ?? new Map<string, string>();
  return {
    hash: of,
    zset: of,
    states: new Map(Object.entries(STATE_COLUMN).map(([state, column]) => [state, of(column)])),
    counter: (field) => Number(of('counters').get(field) ?? 0),
  };
}

/** Every shard of a queue, by its physical name. */
export const readShards = (redis: Redis, keys: Keys, queue: string, count: number): Promise<RawQueue[]> =>
  Promise.all(Array.from({ length: count }, (_, shard) => readRaw(redis, keys, physicalName(queue, shard))));

/** What is wrong with the shards of a queue: each for itself, and a job that is in two of them. */
export function shardViolations(shards: readonly RawQueue[]): string[] {
  const homes = new Map<string, number>();
  return shards.flatMap((raw, shard) => [
    ...violations(raw).map((sentence) => `shard ${shard}: ${sentence}`),
    ...[...raw.hash('jobs').keys()].flatMap((id) => {
      const other = homes.get(id);
      homes.set(id, shard);
      return other === undefined ? [] : [`1: ${id} is in shard ${other} and in shard ${shard}`];
    }),
  ]);
}

/** The shards as one queue: rows side by side, indexes by score, counters added up. Places in line are those of their shard. */
export function joined(shards: readonly RawQueue[]): RawQueue {
  const rows = (column: Column): Rows => new Map(shards.flatMap((raw) => [...raw.hash(column)]));
  const index = (column: Column): Index =>
    new Map(
      shards
        .flatMap((raw) => [...raw.zset(column)])
        .sort(([a, x], [b, y]) => Number(x) - Number(y) || (a < b ? -1 : a > b ? 1 : 0)),
    );
  return {
    hash: rows,
    zset: index,
    states: new Map(Object.entries(STATE_COLUMN).map(([state, column]) => [state, index(column)])),
    counter: (field) => shards.reduce((sum, raw) => sum + raw.counter(field), 0),
  };
}

/** Everything that is wrong with a queue; empty when all is well. */
export function violations(raw: RawQueue): string[] {
  return [
    ...onePlace(raw),
    ...sideTables(raw),
    ...deadIndex(raw),
    ...driven(raw),
    ...heldIndex(raw),
    ...slots(raw),
    ...bounds(raw),
    ...remembered(raw),
  ];
}

/** 1 and 2: each job in one state, each with a row, and the ledger exact. */
function onePlace(raw: RawQueue): string[] {
  const found: string[] = [];
  const places = new Map<string, string>();
  let total = 0;
  for (const [state, index] of raw.states) {
    total += index.size;
    for (const id of index.keys()) {
      const other = places.get(id);
      if (other) found.push(`1: ${id} is ${other} and ${state}`);
      places.set(id, state);
      if (!raw.hash('jobs').has(id)) found.push(`1: ${id} is ${state} without a row`);
    }
  }
  for (const id of raw.hash('jobs').keys())
    if (!places.has(id)) found.push(`1: the row of ${id} is in no state`);
  const difference = raw.counter('enqueued') - raw.counter('deleted') - total;
  if (difference !== 0)
    found.push(
      `2: the ledger is off by ${difference} (enqueued ${raw.counter('enqueued')}, in states ${total}, deleted ${raw.counter('deleted')})`,
    );
  return found;
}

/** 1 and 5: no ghosts in the side tables, and a claims row exactly for what is in flight. */
function sideTables(raw: RawQueue): string[] {
  const state = (name: string) => raw.states.get(name) ?? new Map<string, string>();
  const buried = new Set([
    ...state('dead').keys(),
    ...state('suppressed').keys(),
    ...state('trashed').keys(),
  ]);
  return [
    ...same('1: waiting', raw.zset('waiting'), 'ready', state('ready')),
    ...same('5: claims', raw.hash('claims'), 'in-flight', state('in-flight')),
    ...same('26: callEnds', raw.zset('callEnds'), 'calls', raw.hash('calls')),
    ...same('1: results', raw.hash('results'), 'completed', state('completed')),
    ...same('1: deaths', raw.hash('deaths'), 'dead, suppressed or trashed', buried),
    ...within('1: history', raw.hash('history'), raw.hash('jobs')),
    ...within('1: attempts', raw.hash('attempts'), raw.hash('jobs')),
  ];
}

/** 18 and 19: the slots tenants hold are the claims there are; a key has an owner that exists or existed, and an end, or a time to look for its jobs. */
function slots(raw: RawQueue): string[] {
  const claimed = new Map<string, string>();
  for (const row of raw.hash('claims').values()) {
    const tenant = row.split(' ')[7] ?? '';
    claimed.set(tenant, String(Number(claimed.get(tenant) ?? 0) + 1));
  }
  const counted = raw.hash('running');
  const found: string[] = [];
  for (const tenant of new Set([...claimed.keys(), ...counted.keys()]))
    if (claimed.get(tenant) !== counted.get(tenant))
      found.push(
        `19: ${tenant} has ${claimed.get(tenant) ?? 0} claims and ${counted.get(tenant) ?? 0} slots`,
      );
  for (const [key, row] of raw.hash('unique'))
    if (raw.zset('uniqueUntil').get(key) !== row.split(' ')[1])
      found.push(`18: the end of ${key} is not indexed`);
  return [
    ...found,
    ...within('18: uniqueUntil', raw.zset('uniqueUntil'), raw.hash('unique'), 'unique'),
    ...within('18: idempotency', raw.hash('idempotency'), raw.zset('idempotencyDue'), 'idempotencyDue'),
    ...within('18: idempotencyDue', raw.zset('idempotencyDue'), raw.hash('idempotency'), 'idempotency'),
  ];
}

/** 17 and 26: what is remembered of jobs that left knows its age, or it would never go; and it is bounded. */
function remembered(raw: RawQueue): string[] {
  return (['finished', 'finishedBefore'] as const).flatMap((column) => {
    const rows = raw.hash(column);
    if (rows.size > 0 && !rows.has('.since')) return [`26: ${column} does not say since when it is`];
    return rows.size > FINISHED_ROWS_MAX ? [`26: ${column} holds ${rows.size} rows`] : [];
  });
}

function heldIndex(raw: RawQueue): string[] {
  const found: string[] = [];
  const seen = new Map<string, string>();
  for (const member of raw.zset('heldBy').keys()) {
    const [scope = '', score = '', id = ''] = member.split('|');
    if (seen.has(id)) found.push(`1: ${id} is held by ${seen.get(id)} and ${scope}`);
    seen.set(id, scope);
    if (Number(raw.zset('held').get(id)) !== Number(score))
      found.push(`9: ${id} is held at ${score}, its place is ${raw.zset('held').get(id)}`);
  }
  return [...found, ...same('1: heldBy', seen, 'held', raw.zset('held'))];
}

/** 14 and 26: what is kept per job is bounded, and a queue with work has its wake token unless it is paused. */
function bounds(raw: RawQueue): string[] {
  const found: string[] = [];
  for (const [id, log] of raw.hash('history')) {
    const lines = log.split('\n').length;
    if (lines > HISTORY_MAX_LINES) found.push(`14: the history of ${id} has ${lines} lines`);
    if (log.length > HISTORY_MAX_BYTES) found.push(`14: the history of ${id} has ${log.length} bytes`);
  }
  const ready = raw.states.get('ready')?.size ?? 0;
  // Whom a limit of the queue stops is not woken to be stopped again: the end of a run wakes, or the next token is waited for.
  const limited = raw.hash('config').has('concurrency') || raw.hash('config').has('rate');
  if (ready > 0 && raw.zset('wake').size === 0 && !raw.hash('pauses').has('queue') && !limited)
    found.push(`25: ${ready} jobs are ready and nobody will be woken`);
  return found;
}
