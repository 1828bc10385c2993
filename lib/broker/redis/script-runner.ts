/** Runs the embedded scripts: EVALSHA, EVAL when the server forgot the script, and Redis's errors turned into ours. */
import type { ChainableCommander, Redis } from 'ioredis';
import { SCRIPTS, type ScriptName } from '../lua.generated';
import { withDeadline } from './call-deadline';
import { COMMAND_TIMEOUT_MS, type RedisConnection } from './redis-connection';
import { toRedriveError } from './redis-errors';
import type { Column, GlobalKey, Keys } from './redis-keys';
import { COLUMNS } from './redis-keys';
import { paidCall, payAndSend } from './scripts/audited-scripts';
import { type Arg, ScriptKeys, sendScript, takesCommands } from './scripts/script-command';
import { isCluster } from './server-check';

export { type Arg, ScriptKeys };

export interface RunOptions {
  /** The keys, where the script's header does not name them all. */
  keys?: readonly string[] | undefined;
  /** Stands in for the script's `index` column: which state's index to read, or which stream of pending audit events. */
  index?: Column | GlobalKey;
}

/** The keys of a script, in the order its header declares. @param queue null: all its keys are outside of queues */
export function scriptKeys(
  keys: Keys,
  name: ScriptName,
  queue: string | null,
  options: RunOptions = {},
): ScriptKeys {
  if (options.keys) return new ScriptKeys(options.keys);
  // Some thirty names a call would be made anew otherwise.
  const known = options.index === undefined ? keysSeen(keys) : undefined;
  const cached = known?.get(`${name} ${queue}`);
  if (cached) return cached;
  const made = new ScriptKeys(keysOf(keys, name, queue, options));
  if (known && known.size < KEYS_REMEMBERED) known.set(`${name} ${queue}`, made);
  return made;
}

const KEYS_REMEMBERED = 20_000;
const remembered = new WeakMap<Keys, Map<string, ScriptKeys>>();
function keysSeen(keys: Keys): Map<string, ScriptKeys> {
  const known = remembered.get(keys) ?? new Map<string, ScriptKeys>();
  remembered.set(keys, known);
  return known;
}

function keysOf(keys: Keys, name: ScriptName, queue: string | null, options: RunOptions): string[] {
  return SCRIPTS[name].keys.map((declared) => {
    const key = declared === 'index' ? (options.index ?? 'ready') : declared;
    if (!(key in COLUMNS)) return keys.global(key as GlobalKey);
    if (queue === null) throw new Error(`${name} needs a queue`);
    return keys.column(queue, key as Column);
  });
}

/**
 * @throws RedriveError UNKNOWN_OUTCOME: it may have happened | REDIS_UNAVAILABLE: it did not | REDIS_FULL
 * @throws RedriveError RATE_LIMITED when its audit event does not fit into the share of the user who asks: it was not sent
 */
export function evalScript(
  redis: RedisConnection,
  name: ScriptName,
  keys: ScriptKeys,
  args: Arg[],
  asBuffer: boolean,
): Promise<unknown> {
  const paid = paidCall(name, keys.names, args);
  if (paid === null) return runScript(redis, name, keys, args, asBuffer);
  return payAndSend(paid, () => runScript(redis, name, keys, args, asBuffer));
}

async function runScript(
  redis: RedisConnection,
  name: ScriptName,
  keys: ScriptKeys,
  args: Arg[],
  asBuffer: boolean,
): Promise<unknown> {
  const { sha, lua } = SCRIPTS[name];
  const evalSha = () =>
    takesCommands(redis)
      ? sendScript(redis, sha, keys, args, asBuffer)
      : send(redis, ['EVALSHA', sha, keys.names.length, ...keys.names, ...args], asBuffer);
  // EVAL loads a script that the server does not know. Nothing has run yet.
  const evalText = () => send(redis, ['EVAL', lua, keys.names.length, ...keys.names, ...args], asBuffer);
  const turn = calls++;
  const follow = (line: Follower[]) =>
    new Promise((resolve) => {
      // It was loaded into another server of the Cluster, or not at all.
      const again = (error: unknown) => (isNoScript(error) ? evalText() : Promise.reject(error));
      line.push({ turn, send: () => resolve(evalSha().catch(again)) });
    });
  try {
    // The servers of a Cluster load it each for itself: who waits for one would wait for all.
    const line = isCluster(redis) ? undefined : loading.get(redis)?.get(name);
    return await (line ? follow(line) : evalSha());
  } catch (error) {
    if (!isNoScript(error)) throw toRedriveError(error);
  }
  try {
    const loads = loadsOf(redis);
    const line = loads.get(name);
    if (line) return await follow(line);
    const followers: Follower[] = [];
    loads.set(name, followers);
    try {
      return await evalText();
    } finally {
      loads.delete(name);
      // A new call may have joined before the refusal of an earlier one came.
      for (const { send } of followers.sort((a, b) => a.turn - b.turn)) send();
    }
  } catch (error) {
    throw toRedriveError(error);
  }
}

/** Calls of scripts so far, which puts those that wait in order. */
let calls = 0;
interface Follower {
  readonly turn: number;
  send(): void;
}
/**
 * Scripts on their way to the server, and the calls that wait for each. The calls of a worker with many queues meet a new server together: one
 * of them sends the text, or each would send up to 43 KB. The others follow in the order they were made: jobs stand in line in it.
 */
const loading = new WeakMap<RedisConnection, Map<ScriptName, Follower[]>>();
function loadsOf(redis: RedisConnection): Map<ScriptName, Follower[]> {
  const loads = loading.get(redis) ?? new Map<ScriptName, Follower[]>();
  loading.set(redis, loads);
  return loads;
}

const send = (redis: RedisConnection, command: [string, ...Arg[]], asBuffer: boolean) =>
  withCommandDeadline(redis, asBuffer ? redis.callBuffer(...command) : redis.call(...command));

/** Our own connections have a deadline for each command. A Cluster, and a connection of the caller, may have none: they get ours. */
export const withCommandDeadline = <T>(redis: RedisConnection, call: Promise<T>): Promise<T> =>
  isCluster(redis) || typeof redis.options.commandTimeout !== 'number'
    ? withDeadline(call, COMMAND_TIMEOUT_MS)
    : call;

/** A script behind a call that blocks, on its connection. @throws the errors of ioredis, among them NOSCRIPT */
export const sendBehindWait = (redis: Redis, name: ScriptName, keys: ScriptKeys, args: Arg[]) =>
  sendScript(redis, SCRIPTS[name].sha, keys, args, true, true);

/** A script as one entry of a pipeline. */
export const addScript = (
  pipeline: ChainableCommander,
  script: ScriptName,
  { names }: ScriptKeys,
  args: Arg[],
) => pipeline.call('EVALSHA', SCRIPTS[script].sha, names.length, ...names, ...args);

export const isNoScript = (error: unknown) => error instanceof Error && error.message.startsWith('NOSCRIPT');
