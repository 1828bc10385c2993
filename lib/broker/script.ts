/** Runs the embedded scripts: EVALSHA, EVAL when the server forgot the script, and Redis's errors turned into ours. */
import type { Redis } from 'ioredis';
import { COMMAND_TIMEOUT_MS, type RedisConnection } from './connection';
import { withDeadline } from './deadline';
import type { Column, GlobalKey, Keys } from './keys';
import { COLUMNS } from './keys';
import { SCRIPTS, type ScriptName } from './lua.generated';
import { translate } from './redis-errors';
import { isCluster } from './server-check';

export { translate } from './redis-errors';

export type Arg = string | number | Buffer;
export interface RunOptions {
  /** Stands in for the script's `index` column: which state's index to read, or which outbox of the audit log. */
  index?: Column | GlobalKey;
}

/** The keys of a script for one queue, in the order its header declares. */
export function scriptKeys(keys: Keys, name: ScriptName, queue: string, options: RunOptions = {}): string[] {
  // Some thirty names a call would be made anew otherwise.
  const known = options.index === undefined ? namesOf(keys) : undefined;
  const cached = known?.get(`${name} ${queue}`);
  if (cached) return cached;
  const made = keysOf(keys, name, queue, options);
  if (known && known.size < NAMES_REMEMBERED) known.set(`${name} ${queue}`, made);
  return made;
}

const NAMES_REMEMBERED = 20_000;
const remembered = new WeakMap<Keys, Map<string, string[]>>();
function namesOf(keys: Keys): Map<string, string[]> {
  const names = remembered.get(keys) ?? new Map<string, string[]>();
  remembered.set(keys, names);
  return names;
}

function keysOf(keys: Keys, name: ScriptName, queue: string, options: RunOptions): string[] {
  return SCRIPTS[name].keys.map((declared) => {
    const key = declared === 'index' ? (options.index ?? 'ready') : declared;
    return key in COLUMNS ? keys.column(queue, key as Column) : keys.global(key as GlobalKey);
  });
}

/**
 * @throws RedriveError UNKNOWN_OUTCOME when the reply did not come in time: the write may or may not have happened
 * @throws RedriveError REDIS_UNAVAILABLE when it certainly did not happen
 * @throws RedriveError REDIS_FULL when Redis refused it for lack of memory
 */
export async function evalScript(
  redis: RedisConnection,
  name: ScriptName,
  keys: string[],
  args: Arg[],
  asBuffer: boolean,
): Promise<unknown> {
  const { sha, lua } = SCRIPTS[name];
  try {
    return await send(redis, ['EVALSHA', sha, keys.length, ...keys, ...args], asBuffer);
  } catch (error) {
    if (!isNoScript(error)) throw translate(error);
  }
  // The cache was flushed, or this server is new (restart, failover). EVAL loads it again; nothing has run yet.
  try {
    return await send(redis, ['EVAL', lua, keys.length, ...keys, ...args], asBuffer);
  } catch (error) {
    throw translate(error);
  }
}

const send = (redis: RedisConnection, command: [string, ...Arg[]], asBuffer: boolean) =>
  guarded(redis, asBuffer ? redis.callBuffer(...command) : redis.call(...command));

/**
 * Connections we open have a deadline for each command. A Cluster may also hold one back while it looks for its nodes, and a
 * connection the caller brought may have none at all: those get ours.
 */
export const guarded = <T>(redis: RedisConnection, call: Promise<T>): Promise<T> =>
  isCluster(redis) || typeof redis.options.commandTimeout !== 'number'
    ? withDeadline(call, COMMAND_TIMEOUT_MS)
    : call;

export interface ScriptCall {
  script: ScriptName;
  /** A queue's physical name: each shard of a queue is a call of its own. */
  queue: string;
  /** Without the clock, which is put in front as for `ctx.run`. */
  args: Arg[];
  index?: Column | GlobalKey;
}
/** What `evalMany` needs of a BrokerContext. */
export interface ScriptRunner {
  readonly redis: RedisConnection;
  readonly keys: Keys;
  readonly clock: (() => number) | undefined;
  ready(): Promise<unknown>;
}
const PIPELINE_MAX = 1_000;
const CLUSTER_AT_ONCE = 64;

/**
 * Many scripts, each on its own queue, none in the way of another: one round trip on a single server, single calls (64 at a
 * time) on a Cluster, whose nodes share no pipeline. Each call settles for itself, with the same errors as `ctx.run`; only
 * when there is no server to ask at all does the whole reject.
 *
 * @throws RedriveError REDIS_UNSAFE | REDIS_UNAVAILABLE
 */
export async function evalMany(
  ctx: ScriptRunner,
  calls: readonly ScriptCall[],
): Promise<PromiseSettledResult<unknown>[]> {
  if (calls.length === 0) return [];
  await ctx.ready();
  const clock = ctx.clock ? String(ctx.clock()) : '';
  const { redis } = ctx;
  const prepared = calls.map((call) => ({
    script: call.script,
    keys: scriptKeys(ctx.keys, call.script, call.queue, { index: call.index }),
    args: [clock, ...call.args],
  }));
  const alone = ({ script, keys, args }: Prepared) => evalScript(redis, script, keys, args, false);
  if (isCluster(redis)) return settleSome(prepared, CLUSTER_AT_ONCE, alone);
  const settled: PromiseSettledResult<unknown>[] = [];
  for (let i = 0; i < prepared.length; i += PIPELINE_MAX)
    settled.push(...(await evalPipeline(redis, prepared.slice(i, i + PIPELINE_MAX))));
  return settled;
}

interface Prepared {
  script: ScriptName;
  keys: string[];
  args: Arg[];
}

async function evalPipeline(redis: Redis, calls: Prepared[]): Promise<PromiseSettledResult<unknown>[]> {
  const pipeline = redis.pipeline();
  for (const { script, keys, args } of calls)
    pipeline.call('EVALSHA', SCRIPTS[script].sha, keys.length, ...keys, ...args);
  let replies: [error: Error | null, reply: unknown][];
  try {
    replies = (await guarded(redis, pipeline.exec())) ?? [];
  } catch (error) {
    const reason = translate(error);
    return calls.map(() => ({ status: 'rejected', reason }));
  }
  return settleSome(calls, CLUSTER_AT_ONCE, async ({ script, keys, args }, i) => {
    const [error, reply] = replies[i] ?? [new Error('the pipeline had no reply'), null];
    if (!error) return reply;
    if (!isNoScript(error)) throw translate(error);
    // A flushed script cache fails each entry of the pipeline, and nothing of them has run: asked again one by one.
    return evalScript(redis, script, keys, args, false);
  });
}

/** As Promise.allSettled, with at most `atOnce` under way. */
async function settleSome<T>(
  items: readonly T[],
  atOnce: number,
  call: (item: T, index: number) => Promise<unknown>,
): Promise<PromiseSettledResult<unknown>[]> {
  const settled: PromiseSettledResult<unknown>[] = new Array(items.length);
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      const i = next++;
      const item = items[i] as T;
      settled[i] = await call(item, i).then(
        (value): PromiseSettledResult<unknown> => ({ status: 'fulfilled', value }),
        (reason: unknown): PromiseSettledResult<unknown> => ({ status: 'rejected', reason }),
      );
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
  return settled;
}

const isNoScript = (error: unknown) => error instanceof Error && error.message.startsWith('NOSCRIPT');
