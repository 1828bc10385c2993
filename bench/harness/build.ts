/** Bundles what runs under measurement: a process started from one plain file, as in production, not through a compiler. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { startChild } from '../../scripts/lib/children.mjs';
import { within } from '../../scripts/lib/wait.mjs';

const ROOT = join(import.meta.dirname, '../..');
/** Git, linters and test runners all leave it alone; the peers are found from there, and `npm ci` sweeps it away. */
const OUT = join(ROOT, 'bench/node_modules/.cache/redrive');

export async function bundle(
  entry: 'sides/main.ts' | 'grader/client.ts' | 'soak/worker.ts',
): Promise<string> {
  const outfile = join(OUT, entry.replace(/\.ts$/, '.mjs'));
  await build({
    absWorkingDir: ROOT,
    entryPoints: [join('bench', entry)],
    outfile,
    bundle: true,
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    define: { 'process.env.NODE_ENV': '"production"' },
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: true,
    logLevel: 'warning',
  });
  return outfile;
}

/** Builds the console when its sources changed since it was built. @throws Error when it cannot be built */
export async function buildConsole(): Promise<void> {
  const child = startChild(process.execPath, ['scripts/build.mjs', '--if-changed'], { name: 'the build' });
  const { code } = await within(child.exited, 900_000, 'the build').finally(() => child.stop());
  if (code !== 0) throw new Error('The console could not be built.');
}
