/** Bundles of the programs that plain Node runs: the server in front of Next, the demo worker, processes of the benchmarks. */
import { build } from 'esbuild';

export const FRONT_SERVER = {
  entryPoints: ['lib/server/http/front/front-server.ts'],
  outbase: 'lib/server/http/front',
  outdir: 'dist/server',
};

/**
 * One file an entry, packages included: a process that reads one file instead of hundreds is up with a third less work. CommonJS packages
 * in it still ask for `require`.
 * @param {string} root @param {import('esbuild').BuildOptions} what
 */
export async function bundle(root, what) {
  await build({
    absWorkingDir: root,
    ...what,
    bundle: true,
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: true,
    logLevel: 'warning',
  });
}
