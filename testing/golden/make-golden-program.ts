/**
 * Writes testing/golden/<version>.mjs.br: release-program.ts with this version's broker, worker and background work of the console, and the
 * packages they need. Made once with each release; later versions work beside it (rolling-update.process.test.ts).
 *
 *   node --import ./scripts/ensure-lua.mjs --import tsx testing/golden/make-golden-program.ts
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { bundle } from '@/scripts/lib/bundle.mjs';

const ROOT = join(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const name = process.argv[2] ?? version;
const dir = mkdtempSync(join(tmpdir(), 'redrive-golden-'));
try {
  const outfile = join(dir, 'program.mjs');
  const entryPoints = ['testing/golden/release-program.ts'];
  await bundle(ROOT, { entryPoints, outfile, minify: true, sourcemap: false });
  const packed = brotliCompressSync(readFileSync(outfile));
  writeFileSync(join(import.meta.dirname, `${name}.mjs.br`), packed);
  console.log(`${name}.mjs.br: ${packed.length} bytes.`);
} finally {
  rmSync(dir, { recursive: true, force: true });
}
