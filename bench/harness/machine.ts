/** The machine and the versions that were measured. */
import { existsSync, readFileSync } from 'node:fs';
import { cpus, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { tryRun } from '@/scripts/lib/run-command.mjs';
import { findServer } from '@/scripts/setup/redis-setup.mjs';

const ROOT = join(import.meta.dirname, '../..');

/** When and on what it was measured. */
export interface Stamp {
  readonly at: string;
  readonly machine: { processor: string; cores: number; memoryGiB: number; system: string };
  readonly versions: Record<string, string>;
}
export const stamp = (): Stamp => ({
  at: new Date().toISOString(),
  machine: {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${process.arch}`,
  },
  versions: versions(),
});

/** The first line of a report. @param names the versions it names */
export function stampLine({ at, machine, versions }: Stamp, names = ['redrive', 'redis', 'node']): string {
  const { cores, processor, memoryGiB, system } = machine;
  const named = names.map((name) => `${name} ${versions[name]}`).join(', ');
  return `${at.slice(0, 16).replace('T', ' ')} UTC. ${cores} cores of ${processor}, ${memoryGiB} GiB, ${system}. ${named}.`;
}

/** Processor time of a process so far, in µs. Linux counts it in hundredths of a second. */
export function processUs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** Memory of a process in RAM. */
export function processRssBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1_024;
}

const PACKAGES = {
  bullmq: 'bench/node_modules/bullmq',
  beeQueue: 'bench/node_modules/bee-queue',
  ioredis: 'node_modules/ioredis',
  'ioredis of bullmq': 'bench/node_modules/ioredis',
};

function versions(): Record<string, string> {
  const git = (...args: string[]) => tryRun('git', ['-C', ROOT, ...args])?.trim() ?? '';
  const commit = git('rev-parse', '--short', 'HEAD');
  const changed = git('status', '--porcelain', '--', 'lib') === '' ? '' : ' with changes';
  const { bin, env } = findServer();
  const installed = Object.entries(PACKAGES).filter(([, folder]) => existsSync(join(ROOT, folder)));
  return {
    redrive: versionIn('.') + (commit === '' ? '' : ` (${commit}${changed})`),
    ...Object.fromEntries(installed.map(([name, folder]) => [name, versionIn(folder)])),
    redis: /v=(\S+)/.exec(tryRun(bin, ['--version'], env) ?? '')?.[1] ?? 'unknown',
    node: process.versions.node,
  };
}

function versionIn(folder: string): string {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')).version;
}
