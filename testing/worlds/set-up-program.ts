import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { bundle } from '@/scripts/lib/bundle.mjs';

const ROOT = join(import.meta.dirname, '../..');

/**
 * A TypeScript program for the tests of one file, bundled so that plain Node starts it: with tsx each process would first spend a
 * second on reading sources. Returns its path.
 */
export async function setUpProgram(source: URL): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'redrive-program-'));
  afterAll(() => rm(dir, { recursive: true, force: true }));
  const program = join(dir, 'program.mjs');
  await bundle(ROOT, { entryPoints: [fileURLToPath(source)], outfile: program });
  return program;
}
