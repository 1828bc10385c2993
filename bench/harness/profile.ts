/** Where time goes: the functions of our process by their own time, and the commands inside Redis. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Redis } from 'ioredis';

const FUNCTIONS_SHOWN = 25;

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

/** `command: calls, µs in all, µs a call`, dearest first. */
export async function commandStats(redis: Redis): Promise<string[]> {
  const text = await redis.info('commandstats');
  return [...text.matchAll(/^cmdstat_([^:]+):calls=(\d+),usec=(\d+),usec_per_call=([\d.]+)/gm)]
    .map(([, name = '', calls, us, each]) => ({ name, calls: Number(calls), us: Number(us), each }))
    .sort((a, b) => b.us - a.us)
    .map(
      ({ name, calls, us, each }) =>
        `${name.padEnd(18)} ${String(calls).padStart(9)} calls ${String(us).padStart(10)} µs ${each?.padStart(9)} µs a call`,
    );
}

/** Own time by function over all profiles of a folder, without what was spent waiting. */
export function ownTimes(folder: string): string[] {
  const byFunction = new Map<string, number>();
  let busyUs = 0;
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))) {
    const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile;
    const names = new Map(
      profile.nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => [
        id,
        `${functionName || '(anonymous)'} ${url.split('/').at(-1) ?? ''}:${lineNumber + 1}`,
      ]),
    );
    profile.samples.forEach((id, i) => {
      const name = names.get(id) ?? 'unknown';
      if (/^\((idle|program|root)\)/.test(name)) return;
      const us = profile.timeDeltas[i] ?? 0;
      busyUs += us;
      byFunction.set(name, (byFunction.get(name) ?? 0) + us);
    });
  }
  return [...byFunction]
    .sort((a, b) => b[1] - a[1])
    .slice(0, FUNCTIONS_SHOWN)
    .map(
      ([name, us]) =>
        `${((us / busyUs) * 100).toFixed(1).padStart(5)} %  ${(us / 1_000).toFixed(1).padStart(8)} ms  ${name}`,
    );
}
