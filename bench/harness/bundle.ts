/** Bundles a process under measurement: it starts from one plain file, as in production. */
import { join } from 'node:path';
import { bundle as bundleNode } from '@/scripts/lib/bundle.mjs';
import { startChild } from '@/scripts/lib/children.mjs';
import { within } from '@/scripts/lib/deadline.mjs';

const ROOT = join(import.meta.dirname, '../..');
/** Ignored by Git, linters and test runners; the peers are found from there. */
const OUT = join(ROOT, 'bench/node_modules/.cache/redrive');

export async function bundle(
  entry:
    | 'sides/side-process.ts'
    | 'grader/grader-client.ts'
    | 'soak/soak-worker.ts'
    | 'soak/console-heap.ts'
    | 'scale/scale-process.ts',
): Promise<string> {
  const outfile = join(OUT, entry.replace(/\.ts$/, '.mjs'));
  await bundleNode(ROOT, {
    entryPoints: [join('bench', entry)],
    outfile,
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return outfile;
}

/** Builds the console when its sources changed since it was built. @throws Error when it cannot be built */
export async function buildConsole(): Promise<void> {
  const child = startChild(process.execPath, ['scripts/build.mjs', '--if-changed'], { name: 'the build' });
  const { code } = await within(child.exited, 900_000, 'the build').finally(() => child.stop());
  if (code !== 0) throw new Error('The console could not be built.');
}
