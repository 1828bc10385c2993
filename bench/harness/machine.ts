/** On what it was measured, and what exactly. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { findServer } from '../../scripts/redis.mjs';

const ROOT = join(import.meta.dirname, '../..');

export interface Machine {
  processor: string;
  cores: number;
  memoryGiB: number;
  system: string;
}
export const machine = (): Machine => ({
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  system: `${type()} ${process.arch}`,
});

const versionIn = (folder: string): string => {
  const { version } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
};
/** Processor time of a process so far, in µs. Linux counts it in hundredths of a second. */
export function processUs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** What a program prints, or nothing where it is not to be had. */
const printed = (command: string, args: string[]): string => {
  try {
    return execFileSync(command, args, {
      cwd: ROOT,
      encoding: 'utf8',
      timeout: 10_000,
      stdio: 'pipe',
    }).trim();
  } catch {
    return '';
  }
};

export function versions(): Record<string, string> {
  const commit = printed('git', ['rev-parse', '--short', 'HEAD']);
  const changed = printed('git', ['status', '--porcelain', '--', 'lib']) === '' ? '' : ' with changes';
  return {
    redrive: versionIn('.') + (commit === '' ? '' : ` (${commit}${changed})`),
    bullmq: versionIn('bench/node_modules/bullmq'),
    beeQueue: versionIn('bench/node_modules/bee-queue'),
    ioredis: versionIn('node_modules/ioredis'),
    'ioredis of bullmq': versionIn('bench/node_modules/ioredis'),
    redis: /v=(\S+)/.exec(printed(findServer().bin, ['--version']))?.[1] ?? 'unknown',
    node: process.versions.node,
  };
}
