/**
 * The console's server process: our own HTTP server in front of Next's request handler (scripts/lib/border). `npm start` starts it
 * and watches over it (start.mjs); `npm run dev` is this with --dev.
 */
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { borderServer } from './lib/border/server.mjs';
import { borderSettings } from './lib/border/settings.mjs';
import { listenAddress, loadEnv } from './lib/env.mjs';
import { followNpm } from './lib/follow-npm.mjs';
import { httpUrl, whyNotListen } from './lib/net.mjs';

const ROOT = resolve(fileURLToPath(import.meta.url), '../..');
const dev = process.argv.includes('--dev');
/** Whoever is being answered gets this long; `npm start` waits a little less, and then ends us. */
const GRACE_MS = 3_000;

/** @param {unknown} error @returns {never} */
function refuse(error) {
  const message = error instanceof Error ? error.message : String(error);
  // What Next puts before it says nothing to whoever has to mend it.
  console.error(message.replace(/^An error occurred while loading instrumentation hook: /, ''));
  process.exit(1);
}

loadEnv(ROOT);
process.env.NEXT_TELEMETRY_DISABLED = '1';
/** @type {Record<string, string | undefined>} */ (process.env).NODE_ENV = dev ? 'development' : 'production';
// Told by instrumentation.ts: a server that came up without the border refuses to.
/** @type {any} */ (globalThis)[Symbol.for('redrive.border')] = true;

async function main() {
  const { host, port } = listenAddress();
  const taken = await whyNotListen(host, port);
  if (taken) throw new Error(taken);
  const { default: next } = await import('next');
  // Next hangs its own answer to Upgrade requests on the server it is given. Only while developing is there something to upgrade to.
  const nobody = createServer();
  const app = next({ dev, dir: ROOT, hostname: host, port, ...(dev ? {} : { httpServer: nobody }) });
  // Runs instrumentation.ts, which judges the environment: nothing listens before it is found good.
  await app.prepare();
  const handle = app.getRequestHandler();
  const server = borderServer(borderSettings(process.env, { host, port, dev }), (request, response) =>
    handle(request, response),
  );
  server.on('error', refuse);
  server.listen(port, host, () => console.log(`The console listens on ${httpUrl(host, port)}.`));

  const stop = () => {
    // Event streams are ended by the console itself (lib/server/lifecycle.ts); what is open beside them may finish.
    server.close(() => process.exit(0));
    server.closeIdleConnections();
    // While developing, browsers hold a socket for as long as they are open.
    setTimeout(() => process.exit(0), dev ? 0 : GRACE_MS);
  };
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) process.once(signal, stop);
  if (dev) followNpm('dev', () => process.kill(process.pid, 'SIGTERM'));
}

main().catch(refuse);
