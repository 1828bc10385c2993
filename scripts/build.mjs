/**
 * `npm run build`: the console (Next) and the demo worker (two bundles in dist/worker).
 *
 *   --if-changed   does nothing when the last build was of these very sources
 *   --worker       builds the worker only
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeExit, startChild } from './lib/children.mjs';
import { fingerprint } from './lib/fingerprint.mjs';
import { within } from './lib/wait.mjs';

const ROOT = resolve(fileURLToPath(import.meta.url), '../..');
const NEXT = join(ROOT, 'node_modules/next/dist/bin/next');
const STAMP = join(ROOT, '.next/redrive-build-hash');
const ENTRIES = ['worker/index.ts', 'worker/child.ts'].filter((file) => existsSync(join(ROOT, file)));

const outputs = () => [
  join(ROOT, '.next/BUILD_ID'),
  ...ENTRIES.map((file) => join(ROOT, 'dist', file.replace(/\.ts$/, '.js'))),
];

/** @param {string} hash */
function isBuilt(hash) {
  return outputs().every(existsSync) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash;
}

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

/**
 * One file an entry, packages included: a process that reads one file instead of hundreds is up with a third less work,
 * and the demo starts processes all the time. CommonJS packages in it still ask for `require`.
 */
async function buildWorker() {
  if (!existsSync(join(ROOT, 'worker/index.ts'))) {
    console.log('There is no worker/index.ts, so no worker is built.');
    return;
  }
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: ROOT,
    entryPoints: ENTRIES,
    outdir: 'dist/worker',
    outbase: 'worker',
    bundle: true,
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: true,
    logLevel: 'warning',
  });
}

const asked = new Set(process.argv.slice(2));
try {
  if (asked.has('--worker')) {
    await buildWorker();
  } else {
    const hash = fingerprint(ROOT);
    if (asked.has('--if-changed') && isBuilt(hash)) {
      console.log('The build is up to date.');
    } else {
      // A build that fails half-way must not pass for the last good one.
      rmSync(STAMP, { force: true });
      await node('The check of the Lua scripts', ['scripts/lua.mjs', '--check'], 60_000);
      await node('next build', [NEXT, 'build'], 600_000);
      await buildWorker();
      writeFileSync(STAMP, hash);
    }
  }
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  process.exitCode = 1;
}
