/** How long each script held Redis, and which commands it called. */
import type { Redis } from 'ioredis';
import { commandStats } from '../harness/cpu-profile';
import { LONGEST_SCRIPT_BAR_MS } from './dead-measures';

const LOG_OVER_US = 1_000;

export async function watchScripts(redis: Redis): Promise<void> {
  await redis.config('SET', 'slowlog-log-slower-than', LOG_OVER_US);
  await redis.config('SET', 'slowlog-max-len', 10_000);
  await redis.slowlog('RESET');
  await redis.config('RESETSTAT');
}

export interface ScriptTimes {
  longestMs: number;
  /** Scripts that ran, and those that took longer than the bar: a maximum over so many includes the machine's own pauses. */
  runs: number;
  overBar: number;
  /** The longest scripts, longest first. */
  slow: { script: string; ms: number }[];
  /** Calls of each command, most first. */
  commands: { command: string; calls: number }[];
}

export async function readScripts(redis: Redis, nameOf: (sha: string) => string): Promise<ScriptTimes> {
  const log = (await redis.slowlog('GET', 10_000)) as [number, number, number, string[]][];
  const scripts = log
    .filter(([, , , [command]]) => command?.toLowerCase().startsWith('eval'))
    .map(([, , us, [, sha = '']]) => ({ script: nameOf(sha), ms: us / 1_000 }))
    .sort((a, b) => b.ms - a.ms);
  const commands = await commandStats(redis);
  return {
    longestMs: scripts[0]?.ms ?? 0,
    runs: commands.find(({ command }) => command === 'evalsha')?.calls ?? 0,
    overBar: scripts.filter(({ ms }) => ms > LONGEST_SCRIPT_BAR_MS).length,
    slow: scripts.slice(0, 10),
    commands: commands
      .map(({ command, calls }) => ({ command, calls }))
      .sort((a, b) => b.calls - a.calls)
      .slice(0, 15),
  };
}
