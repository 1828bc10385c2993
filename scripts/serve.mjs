/**
 * The console's server process: the front server (lib/server/http/front, built into dist/server) before Next's request handler.
 * `npm start` starts it and watches over it (start.mjs); `npm run dev` is this with --dev.
 * The first SIGTERM or SIGINT lets open requests finish; a second, a second or more later, ends the process at once.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { addBasePath } from './lib/base-path.mjs';
import { within } from './lib/deadline.mjs';
import { listenAddress, loadEnvOrExit } from './lib/env-file.mjs';
import { followNpm } from './lib/follow-npm.mjs';
import { httpUrl, LOOPBACK, whyNotListen } from './lib/free-ports.mjs';

const ROOT = resolve(fileURLToPath(import.meta.url), '../..');
const dev = process.argv.includes('--dev');
/** The console checks its configuration and its Redis meanwhile; lib/server/start/lifecycle.ts waits 2 s for a Redis. */
const START_WITHIN_MS = 10_000;
/** Requests under way get this long; `npm start` waits a little less, and then ends us. */
const GRACE_MS = 3_000;
/** npm and npx pass on a signal that the terminal has sent to us already: a second signal this soon is the same press. */
const SAME_PRESS_MS = 1_000;

/** @param {unknown} error @returns {never} */
function refuse(error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}

if (dev) await import('./ensure-lua.mjs');
loadEnvOrExit(ROOT);
process.env.NEXT_TELEMETRY_DISABLED = '1';
/** @type {Record<string, string | undefined>} */ (process.env).NODE_ENV = dev ? 'development' : 'production';

/** The configuration as it was built, as Next's own standalone server takes it. Otherwise Next loads half its build tools to read next.config.js. @param {string} basePath */
function configureNext(basePath) {
  const { config } = JSON.parse(readFileSync(join(ROOT, '.next/required-server-files.json'), 'utf8'));
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(
    addBasePath(join(ROOT, '.next'), basePath, config),
  );
}

// What lib/server/start/lifecycle.ts calls once the configuration is found good. Without this mark, it refuses to start.
const started = new Promise((resolve) => {
  /** @type {any} */ (globalThis)[Symbol.for('redrive.front-server')] = resolve;
});

/** Without a usable HOST and PORT the console names all that is wrong with the environment, these among it, and ends. */
function addressOrDefault() {
  try {
    return listenAddress();
  } catch {
    return { host: LOOPBACK, port: 0 };
  }
}

/** @returns {Promise<typeof import('../lib/server/http/front/front-server')>} */
async function loadFrontServer() {
  // While developing, the sources count; a build has been made before `npm start`.
  if (dev) await import('./lib/bundle.mjs').then(({ bundle, FRONT_SERVER }) => bundle(ROOT, FRONT_SERVER));
  return import(pathToFileURL(join(ROOT, 'dist/server/front-server.js')).href);
}

async function main() {
  const { host, port } = addressOrDefault();
  // Any free port is free.
  const taken = port === 0 ? undefined : await whyNotListen(host, port);
  if (taken) throw new Error(taken);
  const { frontServer, frontSettings } = await loadFrontServer();
  const settings = frontSettings(process.env, { host, port, dev });
  if (!dev) configureNext(settings.basePath);
  const { default: next } = await import('next');
  // Next hangs its own answer to Upgrade requests on the server it is given. Only while developing is there something to upgrade to.
  const unused = createServer();
  const app = next({ dev, dir: ROOT, hostname: host, port, ...(dev ? {} : { httpServer: unused }) });
  // Runs instrumentation.ts, which ends this process when the configuration cannot be used. Next waits neither for its end nor for
  // its errors, and so nothing listens before it has said yes.
  await app.prepare();
  await within(started, START_WITHIN_MS, 'the console to start').catch(() => {
    throw new Error(
      'The console did not start: Next did not run instrumentation.ts to its end. Nothing listens.',
    );
  });
  const handle = app.getRequestHandler();
  const server = frontServer(settings, (request, response) => handle(request, response));
  server.on('error', refuse);
  server.listen(port, host, () => console.log(`The console listens on ${httpUrl(host, port)}.`));

  let stopping = false;
  let stoppedAtMs = 0;
  /** @param {NodeJS.Signals} signal @param {number} number */
  const stop = (signal, number) => {
    if (stopping) {
      if (performance.now() - stoppedAtMs < SAME_PRESS_MS) return;
      // The code that a shell gives a program ended by the signal: a supervisor sees that this was no orderly end.
      console.error(
        `${signal} while the console was stopping: it ends at once, and open requests are cut off.`,
      );
      process.exit(128 + number);
    }
    stopping = true;
    stoppedAtMs = performance.now();
    // Event streams are ended by the console itself (lib/server/start/lifecycle.ts); what is open beside them may finish.
    server.close(() => process.exit(0));
    server.closeIdleConnections();
    // While developing, browsers hold a socket for as long as they are open.
    setTimeout(() => process.exit(0), dev ? 0 : GRACE_MS);
  };
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) process.on(signal, stop);
  if (dev) followNpm('dev', () => process.kill(process.pid, 'SIGTERM'));
}

main().catch(refuse);
