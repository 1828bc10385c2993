/** What Redis says of the scripts it ran: how many commands a step took, and how long the longest of them held it. */
import type { Redis } from 'ioredis';
import { LONGEST_SCRIPT_BAR_MS } from './measures';

/** What takes less is not worth a line of the log. */
const LOG_OVER_US = 1_000;

export async function watchScripts(redis: Redis): Promise<void> {
  await redis.config('SET', 'slowlog-log-slower-than', LOG_OVER_US);
  await redis.config('SET', 'slowlog-max-len', 10_000);
  await redis.slowlog('RESET');
  await redis.config('RESETSTAT');
}

export interface ScriptLook {
  longestMs: number;
  /** Scripts that were run, and how many of them took longer than the bar: a maximum over so many is also that of the machine's own pauses. */
  runs: number;
  overBar: number;
  /** What the longest ones were, longest first: the script's name as far as its keys tell, and how long it took. */
  slow: { what: string; ms: number }[];
  /** Calls of each command, most first. */
  commands: { command: string; calls: number }[];
}

export async function lookAtScripts(redis: Redis, nameOf: (sha: string) => string): Promise<ScriptLook> {
  const log = (await redis.slowlog('GET', 10_000)) as [number, number, number, string[]][];
  const scripts = log
    .filter(([, , , [command]]) => command?.toLowerCase().startsWith('eval'))
    .map(([, , us, [, sha = '']]) => ({ what: nameOf(sha), ms: us / 1_000 }))
    .sort((a, b) => b.ms - a.ms);
  const stats = await redis.info('commandstats');
  const commands = [...stats.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)]
    .map(([, command = '', calls]) => ({ command, calls: Number(calls) }))
    .sort((a, b) => b.calls - a.calls);
  return {
    longestMs: scripts[0]?.ms ?? 0,
    runs: commands.find(({ command }) => command === 'evalsha')?.calls ?? 0,
    overBar: scripts.filter(({ ms }) => ms > LONGEST_SCRIPT_BAR_MS).length,
    slow: scripts.slice(0, 10),
    commands: commands.slice(0, 15),
  };
}
