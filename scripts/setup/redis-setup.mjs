/**
 * A real Redis for the demo and the tests, on any machine: the one you name, the one you have, or one fetched from your
 * distribution. Node built-ins only.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeExit, startChild } from '../lib/children.mjs';
import { pollUntil } from '../lib/deadline.mjs';
import { isOrphaned, lockDir } from '../lib/dir-lock.mjs';
import { accepts, freePort, LOOPBACK, redisAnswers } from '../lib/free-ports.mjs';
import { allOnPath, run, tryRun, which } from '../lib/run-command.mjs';
import { unpackedEnv, unpackedServer, unpackRedis } from './debian-redis.mjs';

const ROOT = resolve(fileURLToPath(import.meta.url), '../../..');
const OLDEST = [6, 2];

/** @typedef {{bin: string, env: NodeJS.ProcessEnv, how: string}} Server */

/** Why this program cannot serve as our Redis; undefined when it can. @param {string} bin @param {NodeJS.ProcessEnv} [env] */
function unfit(bin, env) {
  const version = /v=(\d+)\.(\d+)/.exec(tryRun(bin, ['--version'], env) ?? '');
  if (!version) return `${bin} does not run`;
  const [major, minor] = [Number(version[1]), Number(version[2])];
  const tooOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
  return tooOld ? `${bin} is ${major}.${minor}, older than ${OLDEST.join('.')}` : undefined;
}

/**
 * A Redis or Valkey server program, fetched if need be. REDIS_SERVER_BIN → PATH → packages unpacked into .local/redis → brew.
 * @param {{localDir?: string}} [options] @returns {Server}
 */
export function findServer({ localDir = join(ROOT, '.local/redis') } = {}) {
  const named = process.env.REDIS_SERVER_BIN;
  if (named) {
    const reason = unfit(named);
    if (reason) throw new Error(`REDIS_SERVER_BIN cannot be used: ${reason}.`);
    return { bin: named, env: process.env, how: `REDIS_SERVER_BIN (${named})` };
  }
  /** @type {string[]} */
  const tried = [];
  for (const bin of [...allOnPath('redis-server'), ...allOnPath('valkey-server')]) {
    const reason = unfit(bin);
    if (!reason) return { bin, env: process.env, how: `installed (${bin})` };
    tried.push(reason);
  }
  return unpacked(localDir, tried) ?? brewed(tried) ?? none(tried);
}

/** @param {string} dir @param {string[]} tried @returns {Server | undefined} */
function unpacked(dir, tried) {
  const [bin, env] = [unpackedServer(dir), unpackedEnv(dir)];
  if (!existsSync(bin) || unfit(bin, env)) {
    if (!which('apt-get') || !which('dpkg')) {
      tried.push('no apt-get and dpkg here to unpack Debian packages with');
      return undefined;
    }
    try {
      mkdirSync(resolve(dir, '..'), { recursive: true });
      unpackRedis(dir);
    } catch (error) {
      tried.push(/** @type {Error} */ (error).message);
      return undefined;
    }
  }
  const reason = unfit(bin, env);
  if (reason) tried.push(reason);
  return reason ? undefined : { bin, env, how: `unpacked from Debian packages (${dir})` };
}

/** @param {string[]} tried @returns {Server | undefined} */
function brewed(tried) {
  if (!which('brew')) return undefined;
  try {
    run('brew', ['install', '-q', 'redis'], { timeoutMs: 600_000, show: true });
    const bin = join(run('brew', ['--prefix', 'redis']).trim(), 'bin/redis-server');
    const reason = unfit(bin);
    if (!reason) return { bin, env: process.env, how: `brew (${bin})` };
    tried.push(reason);
  } catch (error) {
    tried.push(/** @type {Error} */ (error).message);
  }
  return undefined;
}

/** @param {string[]} tried @returns {never} */
function none(tried) {
  throw new Error(
    [
      'No Redis found, and none could be fetched. Do one of these:',
      '  - REDIS_URL=redis://host:6379  to use a server you run (the demo; tests start their own)',
      '  - install redis-server or valkey-server (6.2 or newer), or name it: REDIS_SERVER_BIN=/path/to/redis-server',
      '  - on Debian or Ubuntu, let apt-get reach its mirrors: the packages are unpacked into .local/redis, without root',
      '  - on macOS, install Homebrew: it is asked for redis',
      ...tried.map((reason) => `Tried: ${reason}.`),
    ].join('\n'),
  );
}

/**
 * Starts a Redis of our own on a data directory that survives us.
 * @param {{dataDir: string, port?: number, logFd?: number | 'ignore', server?: Server}} options
 */
export async function startServer({ dataDir, port, logFd = 'ignore', server = findServer() }) {
  if (isOrphaned(dataDir))
    await pollUntil(() => !isOrphaned(dataDir), {
      timeoutMs: 5_000,
      what: `the last Redis on ${dataDir} to end`,
    });
  const lock = lockDir(dataDir);
  const listen = port || (await freePort());
  const settings = {
    port: String(listen),
    bind: LOOPBACK,
    dir: dataDir,
    appendonly: 'yes',
    appendfsync: 'everysec',
    save: '',
    'maxmemory-policy': 'noeviction',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const child = startChild(server.bin, args, {
    name: 'Redis',
    env: server.env,
    stdio: ['ignore', logFd, logFd],
  });
  const stop = async ({ graceMs = 3_000 } = {}) => {
    await child.stop({ graceMs });
    lock.release();
  };
  try {
    if (child.pid) lock.share(child.pid);
    await pollUntil(
      async () => {
        if (!child.running()) throw new Error(`Redis (${server.bin}) ${describeExit(await child.exited)}.`);
        return redisAnswers({ port: listen });
      },
      { timeoutMs: 30_000, what: `Redis on ${LOOPBACK}:${listen} to load ${dataDir} and answer PING` },
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `redis://${LOOPBACK}:${listen}`, how: server.how, child, stop };
}

/**
 * The Redis to use: yours when REDIS_URL names one (used, never stopped), else one of our own.
 * @param {Partial<Parameters<typeof startServer>[0]> & {dataDir: string}} options
 * @returns {Promise<{url: string, how: string, child?: import('../lib/children.mjs').Child, stop(options?: {graceMs?: number}): Promise<void>}>}
 */
export async function ensureRedis(options) {
  const { REDIS_URL, REDIS_URL_FILE } = process.env;
  const url = REDIS_URL || (REDIS_URL_FILE && readFileSync(REDIS_URL_FILE, 'utf8').trim());
  if (!url) return startServer(options);
  // Of Sentinels and a Cluster the first that answers will do; the rest of the address is for the broker to judge.
  const [, kind = '', hosts = ''] =
    url.match(/^rediss?(\+sentinel|\+cluster)?:\/\/(?:[^/?#]*@)?([^/?#@]+)/) ?? [];
  const places = hosts.split(',').flatMap((text) => {
    const [, host, port = kind === '+sentinel' ? '26379' : '6379'] =
      text.match(/^(\[[0-9A-Fa-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/) ?? [];
    return host ? [{ where: `${host}:${port}`, host: host.replace(/^\[|\]$/g, ''), port: Number(port) }] : [];
  });
  if (places.length === 0)
    throw new Error(
      'REDIS_URL is not a Redis address. It looks like redis://host:6379 (or rediss:// for TLS).',
    );
  const where = places.map((place) => place.where).join(', ');
  const answers = await Promise.all(places.map(({ host, port }) => accepts({ host, port })));
  if (!answers.includes(true))
    throw new Error(`Nothing answers at ${where}, the server REDIS_URL names. Start it, or unset REDIS_URL.`);
  return { url, how: `REDIS_URL (${where})`, stop: async () => {} };
}
