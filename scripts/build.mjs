/**
 * `npm run build`: the console (Next, and the server in front of it in dist/server) and the demo worker (dist/worker).
 *
 *   --if-changed   does nothing when the last build was of these very sources
 *   --worker       builds the worker only
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freeBasePath } from './lib/base-path.mjs';
import { fingerprint } from './lib/build-fingerprint.mjs';
import { bundle, FRONT_SERVER } from './lib/bundle.mjs';
import { describeExit, startChild } from './lib/children.mjs';
import { within } from './lib/deadline.mjs';
import { shareChunks } from './lib/shared-chunks.mjs';
import './ensure-lua.mjs';

const ROOT = resolve(fileURLToPath(import.meta.url), '../..');
const NEXT = join(ROOT, 'node_modules/next/dist/bin/next');
const STAMP = join(ROOT, '.next/redrive-build-hash');
const WORKER = {
  entryPoints: ['worker/index.ts', 'worker/child.ts'],
  outdir: 'dist/worker',
  outbase: 'worker',
};

const OUTPUTS = [
  '.next/BUILD_ID',
  `${FRONT_SERVER.outdir}/front-server.js`,
  'dist/worker/index.js',
  'dist/worker/child.js',
].map((file) => join(ROOT, file));

/** @param {string} hash */
const isBuilt = (hash) => [...OUTPUTS, STAMP].every(existsSync) && readFileSync(STAMP, 'utf8') === hash;

/** @param {string} what @param {string[]} args @param {number} timeoutMs */
async function node(what, args, timeoutMs) {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' };
  const child = startChild(process.execPath, args, { name: what, cwd: ROOT, env });
  try {
    const exit = await within(child.exited, timeoutMs, what);
    if (exit.code !== 0) throw new Error(`${what} ${describeExit(exit)}; the reason is above.`);
  } finally {
    await child.stop();
  }
}

const asked = new Set(process.argv.slice(2));
try {
  if (asked.has('--worker')) {
    await bundle(ROOT, WORKER);
  } else {
    const hash = fingerprint(ROOT);
    if (asked.has('--if-changed') && isBuilt(hash)) {
      console.log('The build is up to date.');
    } else {
      // A build that fails half-way must not pass for the last good one.
      rmSync(STAMP, { force: true });
      await node('next build', [NEXT, 'build'], 600_000);
      shareChunks(join(ROOT, '.next'));
      freeBasePath(join(ROOT, '.next'));
      await bundle(ROOT, FRONT_SERVER);
      await bundle(ROOT, WORKER);
      writeFileSync(STAMP, hash);
    }
  }
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  process.exitCode = 1;
}
