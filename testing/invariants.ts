/**
 * What must hold of a queue's raw keys at every instant, whatever happened before. Knows the storage, not the model:
 * each finding is a sentence that names the invariant (numbers of research §7).
 */
import type { Redis } from 'ioredis';
import { COLUMNS, type Column, type Keys, STATE_COLUMN } from '@/lib/broker/keys';

export const HISTORY_MAX_LINES = 20;
export const HISTORY_MAX_BYTES = 16_384;

type Rows = Map<string, string>;
/** Members with their scores, in the order of the index. */
type Index = Map<string, string>;

export interface RawQueue {
  readonly hash: (column: Column) => Rows;
  readonly zset: (column: Column) => Index;
  /** State → its index. */
  readonly states: ReadonlyMap<string, Index>;
  readonly counter: (field: string) => number;
}

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

function pairsOf(flat: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < flat.length; i += 2) pairs.push([flat[i] ?? '', flat[i + 1] ?? '']);
  return pairs;
}

/** Everything that is wrong with a queue; empty when all is well. */
export function violations(raw: RawQueue): string[] {
  return [...onePlace(raw), ...sideTables(raw), ...deadIndex(raw), ...heldIndex(raw), ...bounds(raw)];
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
    ...same('1: results', raw.hash('results'), 'completed', state('completed')),
    ...same('1: deaths', raw.hash('deaths'), 'dead, suppressed or trashed', buried),
    ...within('1: history', raw.hash('history'), raw.hash('jobs')),
    ...within('1: attempts', raw.hash('attempts'), raw.hash('jobs')),
  ];
}

type Keyed = { keys(): Iterable<string>; has(id: string): boolean };
const within = (what: string, a: Keyed, b: Keyed, where = 'jobs'): string[] =>
  [...a.keys()].filter((id) => !b.has(id)).map((id) => `${what} holds ${id}, which is not in ${where}`);
const same = (what: string, a: Keyed, where: string, b: Keyed): string[] => [
  ...within(what, a, b, where),
  ...[...b.keys()].filter((id) => !a.has(id)).map((id) => `${what} lacks ${id}, which is in ${where}`),
];

/** 1: four facet entries a dead job, as its row and its death say, and no others. */
function deadIndex(raw: RawQueue): string[] {
  const expected = new Set<string>();
  for (const [id, score] of raw.zset('dead')) {
    const [diedAt, errorClass, code] = (raw.hash('deaths').get(id) ?? '').split(' ');
    if (diedAt !== score) return [`1: ${id} died at ${diedAt} and stands at ${score}`];
    const head = (raw.hash('jobs').get(id) ?? '').split('\n', 1)[0]?.split(' ') ?? [];
    const facets = { type: head[5] ?? 'unknown', tenant: head[7] ?? 'unknown', class: errorClass, code };
    for (const [facet, value] of Object.entries(facets))
      expected.add(`${facet}=${value}|${score.padStart(13, '0')}|${id}`);
  }
  return same('1: deadBy', raw.zset('deadBy'), 'what dead calls for', expected);
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
  if (ready > 0 && raw.zset('wake').size === 0 && !raw.hash('pauses').has('queue'))
    found.push(`25: ${ready} jobs are ready and nobody will be woken`);
  return found;
}
