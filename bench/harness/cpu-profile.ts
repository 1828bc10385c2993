/** Where time goes in what is measured: our functions by their own time, and the commands inside Redis. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import type { BenchProcess } from './bench-process';

const FUNCTIONS_SHOWN = 30;
/** Waiting, and the profiler itself being told to start. */
const NOT_OURS = /^\((idle|root)\)|^dispatch$/;

export interface Profiler {
  start(redis: Redis, processes: readonly BenchProcess[]): Promise<void>;
  stop(phase: string, redis: Redis, processes: readonly BenchProcess[]): Promise<void>;
}

interface CallFrame {
  functionName: string;
  url: string;
  lineNumber: number;
  columnNumber: number;
}
interface CpuProfile {
  nodes: { id: number; callFrame: CallFrame }[];
  samples: number[];
  timeDeltas: number[];
}

/** @param mapFile leads from the bundle to its sources */
export function createProfiler(folder: string, mapFile: string, say: (text: string) => void): Profiler {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const map = new SourceMap(JSON.parse(readFileSync(mapFile, 'utf8')) as SourceMapPayload);
  let taken = 0;
  return {
    async start(redis, processes) {
      await redis.config('RESETSTAT');
      await Promise.all(processes.map((process) => process.ask('startProfile')));
    },
    async stop(phase, redis, processes) {
      const lines = [`\n━━ ${phase} ━━`, 'In Redis:', ...(await commandLines(redis))];
      for (const process of processes) {
        const file = join(folder, `${phase}-${++taken}-${process.name.replaceAll(' ', '-')}.cpuprofile`);
        await process.ask('stopProfile', { file });
        const profile = JSON.parse(readFileSync(file, 'utf8')) as CpuProfile;
        lines.push(`In ${process.name}, own time:`, ...ownTimes(profile, (frame) => nameOf(frame, map)));
      }
      say(lines.join('\n'));
    },
  };
}

export interface CommandStat {
  readonly command: string;
  readonly calls: number;
  /** Processor time in all. A script's includes that of the commands it calls. */
  readonly us: number;
}

/** What Redis did since the last `CONFIG RESETSTAT`, the most expensive command first. */
export async function commandStats(redis: Redis): Promise<CommandStat[]> {
  const text = await redis.info('commandstats');
  return [...text.matchAll(/^cmdstat_([^:]+):calls=(\d+),usec=(\d+)/gm)]
    .map(([, command = '', calls, us]) => ({ command, calls: Number(calls), us: Number(us) }))
    .filter(({ command }) => command !== 'info' && !command.startsWith('config'))
    .sort((a, b) => b.us - a.us);
}

export const commandLines = async (redis: Redis): Promise<string[]> =>
  (await commandStats(redis)).map(
    ({ command, calls, us }) =>
      `  ${command.padEnd(16)} ${String(calls).padStart(9)} calls ${String(us).padStart(10)} µs ${(us / calls).toFixed(2).padStart(9)} µs a call`,
  );

function nameOf({ functionName, url, lineNumber, columnNumber }: CallFrame, map: SourceMap): string {
  const name = functionName || '(anonymous)';
  if (!url.endsWith('.mjs')) return `${name} ${url}`.trim();
  const entry = map.findEntry(lineNumber, columnNumber);
  if (!('originalSource' in entry)) return name;
  return `${name} ${entry.originalSource.replace(/^(\.\.\/)+/, '')}:${entry.originalLine + 1}`;
}

/** Functions by the time spent in themselves, without what was spent waiting. */
export function ownTimes(profile: CpuProfile, name: (frame: CallFrame) => string): string[] {
  const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, name(callFrame)]));
  const byFunction = new Map<string, number>();
  let busyUs = 0;
  for (const [i, id] of profile.samples.entries()) {
    const label = names.get(id) ?? 'unknown';
    if (NOT_OURS.test(label)) continue;
    const us = profile.timeDeltas[i] ?? 0;
    busyUs += us;
    byFunction.set(label, (byFunction.get(label) ?? 0) + us);
  }
  return [...byFunction]
    .sort((a, b) => b[1] - a[1])
    .slice(0, FUNCTIONS_SHOWN)
    .map(([label, us]) => {
      const share = ((us / busyUs) * 100).toFixed(1);
      return `  ${share.padStart(5)} % ${(us / 1_000).toFixed(1).padStart(9)} ms  ${label}`;
    });
}
