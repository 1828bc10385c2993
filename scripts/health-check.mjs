/** The container's health check: whether the console of this environment answers. Redis does not count, since a restart would not bring it back. */
import { listenAddress } from './lib/env-file.mjs';
import { httpUrl } from './lib/free-ports.mjs';

const ANSWER_WITHIN_MS = 2_000;

try {
  const { host, port } = listenAddress();
  const local = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const { ok, status } = await fetch(`${httpUrl(local, port)}/healthz`, {
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  if (!ok) throw new Error(`The console answers with ${status}.`);
} catch (error) {
  console.error(`The console is not healthy: ${/** @type {Error} */ (error).message}`);
  process.exitCode = 1;
}
