/** The command `redrive` as it is installed: one bundle, run by plain Node as a process of its own. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface RedriveCommand {
  run(
    words: readonly string[],
    options: { env: Readonly<Record<string, string>>; input?: string },
  ): Promise<Run>;
}

/** For the tests of one file. */
export async function setUpRedriveCommand(): Promise<RedriveCommand> {
  const dir = await mkdtemp(join(tmpdir(), 'redrive-cli-'));
  afterAll(() => rm(dir, { recursive: true, force: true }));
  await symlink(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
  const program = join(dir, 'redrive.mjs');
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['cli/redrive.ts'],
    outfile: program,
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'esm',
  });
  return {
    run: (words, { env, input = '' }) =>
      new Promise((resolve) => {
        const options = {
          env: { NODE_ENV: 'production', PATH: process.env.PATH ?? '', ...env } as const,
          timeout: 60_000,
        };
        const child = execFile(process.execPath, [program, ...words], options, (error, out, err) =>
          resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err }),
        );
        child.stdin?.end(input);
      }),
  };
}
