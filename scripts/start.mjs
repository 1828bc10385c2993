/**
 * `npm start`: the production console. Needs a build and REDIS_URL; PORT and HOST say where it listens. A thin parent of
 * the server (serve.mjs) that says in a sentence why it cannot start, and sees to it that a stop is a stop within two seconds.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeExit, startChild } from './lib/children.mjs';
import { loadEnvOrExit } from './lib/env-file.mjs';
import { followNpm } from './lib/follow-npm.mjs';

const ROOT = resolve(fileURLToPath(import.meta.url), '../..');
/** Open requests get this long to finish. */
const GRACE_MS = 1_500;

/** @param {string} sentence @returns {never} */
function refuse(sentence) {
  console.error(sentence);
  process.exit(1);
}

loadEnvOrExit(ROOT);
if (!['.next/BUILD_ID', 'dist/server/front-server.js'].every((file) => existsSync(join(ROOT, file))))
  refuse('There is no build to start. Run: npm run build');
const server = startChild(process.execPath, [join(ROOT, 'scripts/serve.mjs')], {
  name: 'The console',
  cwd: ROOT,
  env: process.env,
});

let stopping = false;
function stop() {
  if (stopping) return;
  stopping = true;
  server.stop({ graceMs: GRACE_MS }).then(
    () => process.exit(0),
    () => process.exit(1),
  );
}
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP'])) process.on(signal, stop);
followNpm('start', stop);

const exit = await server.exited;
// Exit code 1 is a refusal: the server has said why.
if (!stopping && exit.code === 1) process.exit(1);
if (!stopping) refuse(`The console ${describeExit(exit)}.`);
