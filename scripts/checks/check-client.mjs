/**
 * Fails when a browser chunk of the last build holds server code: every visitor would download it, it breaks in the browser,
 * and it may carry secrets.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Minifiers rename everything but strings, so each library is known by strings of its own that its entry point always loads.
 * @type {{name: string, markers: string[]}[]}
 */
const SERVER_CODE = [
  {
    name: 'ioredis',
    markers: ['Reached the max retries per request limit', 'Failed to refresh slots cache.'],
  },
  { name: 'pino', markers: ['pino.chindings', 'pino.ownBindings', 'pino.logFuncs'] },
  { name: 'prom-client', markers: ['process_cpu_user_seconds_total', 'nodejs_eventloop_lag_seconds'] },
  { name: 'the broker’s scripts', markers: ["redis.call('", 'redis.call(\\"'] },
];
const NODE_ONLY = ['child_process', 'cluster', 'dgram', 'dns', 'fs', 'http', 'net', 'tls', 'worker_threads'];
const NODE_IMPORT = new RegExp(`["'\`](node:(?:${NODE_ONLY.join('|')})(?:/promises)?)["'\`]`);

/** The names of the server code in this browser code. @param {string} code @returns {string[]} */
export function serverCodeIn(code) {
  const builtin = NODE_IMPORT.exec(code)?.[1];
  const libraries = SERVER_CODE.filter(({ markers }) => markers.some((marker) => code.includes(marker)));
  return [...libraries.map(({ name }) => name), ...(builtin ? [builtin] : [])];
}

/** @param {string} root @returns {{chunks: number, problems: string[]}} */
export function checkClient(root) {
  const folder = join(root, '.next/static');
  const files = existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.[cm]?js$/.test(file))
        .map((file) => join(folder, file))
    : [];
  if (!files.length) return { chunks: 0, problems: ['There is no build to check. Run: npm run build'] };
  const problems = files.flatMap((file) =>
    serverCodeIn(readFileSync(file, 'utf8')).map(
      (name) =>
        `${relative(root, file)} is sent to browsers and contains ${name}. Find the component that imports it.`,
    ),
  );
  return { chunks: files.length, problems };
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { chunks, problems } = checkClient(resolve(fileURLToPath(import.meta.url), '../../..'));
  for (const problem of problems) console.error(problem);
  if (!problems.length) console.log(`No server code in ${chunks} browser chunks.`);
  process.exitCode = problems.length ? 1 : 0;
}
