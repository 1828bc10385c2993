/**
 * `npm run demo`: from a fresh checkout to a running console with a worker, on a machine that has Node and npm. Only
 * Node's own modules are imported here, since nothing is installed yet. PORT, HOST and REDIS_URL are honoured.
 */
import { closeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeExit, startChild } from './lib/children.mjs';
import { within } from './lib/deadline.mjs';
import { openLog, startStack, tail } from './lib/demo-stack.mjs';
import { listenAddress, loadEnvOrExit } from './lib/env-file.mjs';
import { followNpm } from './lib/follow-npm.mjs';
import { isLoopback, whyNotListen } from './lib/free-ports.mjs';
import { installDeps } from './setup/npm-packages.mjs';
import { ensureRedis } from './setup/redis-setup.mjs';

const HELP = `npm run demo: installs what is missing, builds, and starts a console with a worker and, without REDIS_URL, a Redis.

From the environment or .env: PORT and HOST of the console, REDIS_URL, REDRIVE_DATA_DIR for jobs and logs. Ctrl-C ends all of it.`;
const [argument] = process.argv.slice(2);
if (argument !== undefined) {
  const isHelp = argument === '--help' || argument === '-h';
  console.log(isHelp ? HELP : `There is no option ${argument}.\n\n${HELP}`);
  process.exit(isHelp ? 0 : 2);
}

const ROOT = resolve(fileURLToPath(import.meta.url), '../..');
// First: the file may name the folder below.
loadEnvOrExit(ROOT);
/** Where the demo's jobs and logs live from start to start. */
const DATA = process.env.REDRIVE_DATA_DIR || join(ROOT, '.data');
const LOGS = join(DATA, 'logs');
/** Worker and console stop side by side, then Redis: together under the five seconds a person waits. */
const STOP_MS = 2_200;
/** From ready to the line that says how to get in: it waits for Redis only. */
const WAY_IN_MS = 15_000;

/** What is running, in the order it is to be stopped. @type {{stop(options?: {graceMs?: number}): Promise<unknown>}[]} */
const running = [];
let stopping = false;

/** @param {number} code @param {string} [sentence] @returns {Promise<never>} */
async function end(code, sentence) {
  if (sentence) console.error(sentence);
  if (!stopping) {
    stopping = true;
    for (const part of running.splice(0)) await part.stop({ graceMs: STOP_MS }).catch(() => {});
  }
  process.exit(code);
}

/** Runs a step, then says in one line what came of it and how long it took. @template T @param {string} title @param {() => Promise<[T, string]>} work */
async function step(title, work) {
  const start = Date.now();
  // A long step is announced; a short one only leaves its result.
  const slow = setTimeout(() => console.log(`${title.padEnd(9)} …`), 1_500);
  const [value, outcome] = await work().finally(() => clearTimeout(slow));
  console.log(`${title.padEnd(9)} ${outcome} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  return value;
}

async function build() {
  const { path, fd } = openLog(LOGS, 'build');
  const args = ['scripts/build.mjs', '--if-changed'];
  const child = startChild(process.execPath, args, {
    name: 'The build',
    cwd: ROOT,
    stdio: ['ignore', fd, fd],
  });
  closeSync(fd);
  running.unshift(child);
  const exit = await within(child.exited, 900_000, 'the build');
  running.shift();
  if (exit.code !== 0)
    throw new Error(`The build ${describeExit(exit)}. The end of ${path}:\n${tail(path, 40)}`);
  return tail(path).includes('up to date') ? 'up to date' : 'built';
}

/** Keeps the console's sign-in line until all other lines are printed. */
function wayInShower() {
  /** @type {string | undefined} */
  let latest;
  let started = false;
  /** @type {(value: undefined) => void} */
  let arrived = () => {};
  const first = new Promise((resolve) => {
    arrived = resolve;
  });
  return {
    first,
    /** @param {string} line */
    take(line) {
      latest = line;
      arrived(undefined);
      if (started) console.log(line);
    },
    start() {
      started = true;
      console.log(latest);
    },
  };
}

async function main() {
  const { host, port } = listenAddress();
  if (!isLoopback(host))
    throw new Error(
      `HOST=${host} would open the demo to other machines. It is for this one: use 127.0.0.1. A console for others is started with npm start, see docs/sign-in.md.`,
    );
  const taken = await whyNotListen(host, port);
  if (taken) throw new Error(taken);

  const packages = step('Packages', async () => [
    null,
    (await installDeps(ROOT, { withTests: false })) ? 'installed' : 'up to date',
  ]);
  packages.catch(() => {});
  const redis = await step('Redis', async () => {
    const log = openLog(LOGS, 'redis');
    const found = await ensureRedis({ dataDir: join(DATA, 'redis'), logFd: log.fd });
    closeSync(log.fd);
    running.push(found);
    return [found, found.how];
  }).catch(async (error) => {
    // An install that is cut short leaves half of the packages.
    await packages.catch(() => {});
    throw error;
  });
  await packages;
  await step('Build', async () => [null, await build()]);

  const env = { REDRIVE_LAB: process.env.REDRIVE_LAB ?? 'on' };
  const shown = wayInShower();
  const stack = startStack({
    root: ROOT,
    redisUrl: redis.url,
    host,
    port,
    logDir: LOGS,
    env,
    onWayIn: shown.take,
  });
  running.unshift(stack);
  await step('Console', async () => {
    await stack.ready(60_000);
    return [null, 'ready, with a worker'];
  });
  console.log(`Started in ${(performance.now() / 1_000).toFixed(1)} s. Logs: ${LOGS}`);
  console.log(`Redrive is running: ${stack.url}`);
  // Last, where the user sees it; each further link follows after its use.
  await within(Promise.race([shown.first, stack.failed]), WAY_IN_MS, 'the console to say how to sign in');
  shown.start();

  const redisGone = redis.child?.exited.then((exit) => {
    if (!stopping)
      throw new Error(`Redis ${describeExit(exit)}. The end of its log:\n${tail(join(LOGS, 'redis.log'))}`);
  });
  // Until a signal comes, or something ends that should not have.
  await Promise.race([stack.failed, redisGone ?? new Promise(() => {})]);
  await new Promise(() => {});
}

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => void end(0));
followNpm('demo', () => void end(0));
main().catch((error) => stopping || end(1, error.message));
