/** Runs the embedded scripts: EVALSHA, EVAL when the server forgot the script, and Redis's errors turned into ours. */
import type { Redis } from 'ioredis';
import { RedriveError } from '@/lib/contract/errors';
import type { Column, GlobalKey, Keys } from './keys';
import { COLUMNS } from './keys';
import { SCRIPTS, type ScriptName } from './lua.generated';

export type Arg = string | number | Buffer;
export interface RunOptions {
  /** Stands in for the script's `index` column: which state's index to read. */
  index?: Column;
}

/** The keys of a script for one queue, in the order its header declares. */
export function scriptKeys(keys: Keys, name: ScriptName, queue: string, options: RunOptions = {}): string[] {
  return SCRIPTS[name].keys.map((key) => {
    if (key === 'index') return keys.column(queue, options.index ?? 'ready');
    return key in COLUMNS ? keys.column(queue, key as Column) : keys.global(key as GlobalKey);
  });
}

/**
 * @throws RedriveError UNKNOWN_OUTCOME when the reply did not come in time: the write may or may not have happened
 * @throws RedriveError REDIS_UNAVAILABLE when it certainly did not happen
 * @throws RedriveError REDIS_FULL when Redis refused it for lack of memory
 */
export async function evalScript(
  redis: Redis,
  name: ScriptName,
  keys: string[],
  args: Arg[],
  asBuffer: boolean,
): Promise<unknown> {
  const { sha, lua } = SCRIPTS[name];
  try {
    return await (asBuffer
      ? redis.callBuffer('EVALSHA', sha, keys.length, ...keys, ...args)
      : redis.call('EVALSHA', sha, keys.length, ...keys, ...args));
  } catch (error) {
    if (!isNoScript(error)) throw translate(error);
  }
  // The cache was flushed, or this server is new (restart, failover). EVAL loads it again; nothing has run yet.
  try {
    return await (asBuffer
      ? redis.callBuffer('EVAL', lua, keys.length, ...keys, ...args)
      : redis.call('EVAL', lua, keys.length, ...keys, ...args));
  } catch (error) {
    throw translate(error);
  }
}

const isNoScript = (error: unknown) => error instanceof Error && error.message.startsWith('NOSCRIPT');

/** Redis's own refusals, by the word they start with. All mean: nothing was done. */
const REFUSALS = [
  'LOADING',
  'BUSY',
  'READONLY',
  'MISCONF',
  'CLUSTERDOWN',
  'MASTERDOWN',
  'NOREPLICAS',
  'TRYAGAIN',
  'NOAUTH',
  'NOPERM',
  'WRONGPASS',
];

/** Keeps the sentence and drops the rest: ioredis hangs the whole command on its errors, payloads and all. */
export function translate(error: unknown): Error {
  if (error instanceof RedriveError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const cause = new Error(message);
  if (message.startsWith('OOM'))
    return new RedriveError(
      'REDIS_FULL',
      'Redis has reached its memory limit and refused the write. Nothing was changed. Raise maxmemory or purge.',
      { cause },
    );
  const refusal = REFUSALS.find((word) => message.startsWith(word) || message.startsWith(`-${word}`));
  if (refusal)
    return new RedriveError(
      'REDIS_UNAVAILABLE',
      `Redis refused the call (${refusal}). Nothing was changed.`,
      { cause },
    );
  if (/timed out|Connection is closed|Stream isn't writeable|ECONN|EPIPE|ENOENT|max retries/i.test(message))
    return new RedriveError(
      'UNKNOWN_OUTCOME',
      'Redis did not answer in time: the change may or may not have been made. Sending it again under the same id is safe.',
      { cause },
    );
  return cause;
}
