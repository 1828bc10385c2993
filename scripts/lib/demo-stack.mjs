/** The running product: console and demo worker on a Redis. The demo and the end-to-end tests start the same thing. */
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describeExit, startChild } from './children.mjs';
import { pollUntil } from './deadline.mjs';
import { httpUrl } from './free-ports.mjs';

/** The console's lines for the user who started it: the sign-in link, or that none is needed. */
const WAY_IN = /^(Sign in: |AUTH=none: )/;

/** Opens a fresh log, keeping the one of the run before. @param {string} dir @param {string} name */
export function openLog(dir, name) {
  mkdirSync(dir, { recursive: true });
  const path = join(dir, `${name}.log`);
  if (existsSync(path)) renameSync(path, `${path}.1`);
  return { path, fd: openSync(path, 'a', 0o600) };
}

/** The last lines of a log, for the person whose demo did not start. @param {string} path @param {number} [lines] */
export function tail(path, lines = 20) {
  try {
    return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  } catch {
    return '';
  }
}

/**
 * Copies a child's output into its log, except the sign-in link, which goes to the terminal only.
 * @param {import('node:stream').Readable | null} output @param {string} path @param {(line: string) => void} onWayIn
 */
function splitOutput(output, path, onWayIn) {
  if (!output) return;
  createInterface({ input: output, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
    if (WAY_IN.test(line)) onWayIn(line);
    else appendFileSync(path, `${line}\n`);
  });
}

/**
 * @param {{root: string, redisUrl: string, host: string, port: number, logDir: string, env?: Record<string, string | undefined>, onWayIn?: (line: string) => void}} options
 *   `onWayIn`: told each line about how to get in, which then is not in the log
 */
export function startStack({ root, redisUrl, host, port, logDir, env = {}, onWayIn }) {
  const shared = {
    ...process.env,
    ...env,
    REDIS_URL: redisUrl,
    REDIS_URL_FILE: '',
    HOST: host,
    PORT: String(port),
    NODE_ENV: 'production',
  };
  const url = httpUrl(host, port);

  const launch = (
    /** @type {string} */ name,
    /** @type {string} */ log,
    /** @type {string[]} */ args,
    isWorker = false,
  ) => {
    const { path, fd } = openLog(logDir, log);
    // The worker is told over the ipc channel when we are gone: the channel closes, whatever we died of.
    /** @type {import('node:child_process').StdioOptions} */
    const stdio = isWorker ? ['ignore', fd, fd, 'ipc'] : ['ignore', onWayIn ? 'pipe' : fd, fd];
    const child = startChild(process.execPath, args, { name, cwd: root, env: shared, stdio });
    closeSync(fd);
    if (onWayIn && !isWorker) splitOutput(child.process.stdout, path, onWayIn);
    return { ...child, log: path };
  };

  const worker = launch('The worker', 'worker', ['--enable-source-maps', 'dist/worker/index.js'], true);
  const parts = [worker, launch('The console', 'console', ['scripts/start.mjs'])];

  let stopping = false;
  /** Settles only when a part ends that should not have: an error that names it and shows its last words. */
  const failed = Promise.race(
    parts.map(async ({ name, exited, log }) => {
      const exit = await exited;
      if (stopping) return new Promise(() => {});
      throw new Error(`${name} ${describeExit(exit)}. The end of ${log}:\n${tail(log)}`);
    }),
  );
  failed.catch(() => {});

  return {
    url,
    parts,
    failed,
    /** Waits until the console says it is ready to serve. @param {number} [timeoutMs] */
    async ready(timeoutMs = 60_000) {
      const [consolePart] = parts.slice(-1);
      const probe = async () => {
        const reply = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(
          () => undefined,
        );
        await reply?.body?.cancel();
        return reply?.status === 200;
      };
      const answer = pollUntil(probe, { timeoutMs, everyMs: 150, what: `${url}/readyz to answer 200` });
      await Promise.race([answer, failed]).catch((error) => {
        answer.catch(() => {});
        const shown = error.message.includes('The end of')
          ? ''
          : `\nThe end of ${consolePart?.log}:\n${tail(consolePart?.log ?? '')}`;
        throw new Error(error.message + shown);
      });
    },
    /** Every part at once; each gets this long to finish what it holds. @param {{graceMs?: number}} [options] */
    async stop({ graceMs = 2_500 } = {}) {
      stopping = true;
      await Promise.allSettled(parts.map((part) => part.stop({ graceMs })));
    },
  };
}
