/**
 * How to tell that server code got into a browser bundle. Minifiers rename everything but strings, so each library is known
 * by strings of its own that its entry point always loads.
 */

/** @type {{name: string, markers: string[]}[]} */
export const SERVER_CODE = [
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

/** What of the server this browser code contains. @param {string} code @returns {string[]} */
export function serverCodeIn(code) {
  const found = SERVER_CODE.filter(({ markers }) => markers.some((marker) => code.includes(marker))).map(
    ({ name }) => name,
  );
  const builtin = NODE_IMPORT.exec(code)?.[1];
  return builtin ? [...found, builtin] : found;
}
