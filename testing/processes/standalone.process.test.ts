/**
 * The folder that the image holds, run as the image runs it: as another user, in a folder that this user cannot write, with the settings of
 * compose.yaml and no other environment. Needs the build.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { runConsole } from '@/cli/run-console';
import { type Child, startChild } from '@/scripts/lib/children.mjs';
import { freePort } from '@/scripts/lib/free-ports.mjs';
import { until } from '@/testing/poll';
import { requireBuild } from '@/testing/worlds/processes';
import { startRedisOnPort } from '@/testing/worlds/redis-server';

const ROOT = join(import.meta.dirname, '../..');
requireBuild();
/** The user of the image. Only root can become it; others run the test as themselves. */
const OTHER = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
/** The layout took 72 MiB when this was written, of which packages are 33 and the pages 32. */
const LAYOUT_MAX_BYTES = 85 * 1024 * 1024;

let dir: string;
let app: string;
let secrets: string;
let workerSecrets: string;
let metricsSecrets: string;
let made: string;

const files = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

function run(script: string, env: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(app, script)], {
    ...OTHER,
    cwd: '/',
    env: { NODE_ENV: 'production', ...env },
    encoding: 'utf8',
    timeout: 30_000,
  });
  return { status, stdout, stderr };
}

const makeSecrets = () =>
  run('deploy/compose/make-secrets.mjs', {
    REDRIVE_SECRETS_DIR: secrets,
    REDRIVE_WORKER_SECRETS_DIR: workerSecrets,
    REDRIVE_METRICS_SECRETS_DIR: metricsSecrets,
  });

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'redrive-layout-'));
  chmodSync(dir, 0o755);
  app = join(dir, 'app');
  secrets = join(dir, 'secrets');
  execFileSync(process.execPath, ['scripts/standalone.mjs', '--out', app], { cwd: ROOT, timeout: 120_000 });
  for (const path of files(app)) chmodSync(path, 0o444);
  workerSecrets = join(dir, 'worker-secrets');
  metricsSecrets = join(dir, 'metrics-secrets');
  for (const folder of [secrets, workerSecrets, metricsSecrets]) {
    mkdirSync(folder);
    chmodSync(folder, 0o777);
  }
  made = makeSecrets().stdout;
}, 180_000);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const settingsOf = (file: string, folder = secrets): Record<string, string> =>
  Object.fromEntries(
    readFileSync(join(folder, file), 'utf8')
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

describe('make-secrets', () => {
  it('makes them once, for its own user only, and prints the password once', () => {
    expect(made).toMatch(/as admin with the password \S{32}\n/);
    for (const file of ['redrive.env', 'users.json'])
      expect(statSync(join(secrets, file)).mode & 0o777, file).toBe(0o600);
    const before = readFileSync(join(secrets, 'redrive.env'), 'utf8');
    const again = makeSecrets();
    expect(again).toMatchObject({ status: 0, stdout: 'The secrets are there already.\n' });
    expect(readFileSync(join(secrets, 'redrive.env'), 'utf8')).toBe(before);
    const password = made.match(/password (\S+)/)?.[1] ?? 'none';
    for (const path of [...files(secrets), ...files(workerSecrets)])
      expect(readFileSync(path, 'utf8')).not.toContain(password);
  });

  it('gives the worker a file and a Redis user of its own, also where the others were made before', () => {
    const own = join(workerSecrets, 'worker.env');
    expect(Object.keys(settingsOf('worker.env', workerSecrets))).toEqual(['REDIS_URL']);
    expect(statSync(own).mode & 0o777).toBe(0o600);
    const before = readFileSync(join(secrets, 'users.acl'), 'utf8');
    rmSync(own);
    expect(makeSecrets()).toMatchObject({ status: 0, stdout: '', stderr: '' });
    const [, password = ''] = /worker:(\S+)@/.exec(readFileSync(own, 'utf8')) ?? [];
    const after = readFileSync(join(secrets, 'users.acl'), 'utf8');
    const withoutPassword = (text: string) => text.replace(/(user worker on )>\S+/, '$1');
    expect(withoutPassword(after)).toBe(withoutPassword(before));
    expect(after).toContain(`user worker on >${password} `);
    expect(before).not.toContain(password);
  });
});

describe('the layout', () => {
  it('holds no source, no test, no source map and no tool of the build, and is small', () => {
    const paths = files(app).map((path) => path.slice(app.length + 1));
    for (const folder of ['typescript', 'esbuild', 'vitest', 'playwright', 'tsx', 'sharp'])
      expect(existsSync(join(app, 'node_modules', folder)), folder).toBe(false);
    expect(paths.filter((path) => /\.(tsx?|map)$/.test(path) || path.includes('.test.'))).toEqual([]);
    expect(paths.filter((path) => /(^|\/)(\.env|users\.json)/.test(path))).toEqual([]);
    expect(paths.reduce((sum, path) => sum + statSync(join(app, path)).size, 0)).toBeLessThan(
      LAYOUT_MAX_BYTES,
    );
  });

  it('names functions as the source does, for stack traces in the log', () => {
    const code = files(join(app, '.next/server/chunks')).map((path) => readFileSync(path, 'utf8'));
    for (const name of ['describeError', 'readJson', 'parseConfig'])
      expect(
        code.some((text) => text.includes(`function ${name}(`)),
        name,
      ).toBe(true);
  });
});

describe('console and worker as another user, on files that it cannot write', () => {
  const running: Child[] = [];
  let redis: Awaited<ReturnType<typeof startRedisOnPort>>;
  let port: number;
  let env: Record<string, string>;
  let output = '';

  const start = (name: string, script: string, variables: Record<string, string>) => {
    const child = startChild(process.execPath, [join(app, script)], {
      name,
      cwd: '/',
      env: { NODE_ENV: 'production', ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...OTHER,
    });
    for (const stream of [child.process.stdout, child.process.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    running.push(child);
    return child;
  };

  beforeAll(async () => {
    redis = await startRedisOnPort(['--appendonly', 'yes']);
    const admin = redis.connect();
    // The users of the file, one by one: the server of a test starts without it.
    for (const line of readFileSync(join(secrets, 'users.acl'), 'utf8').trim().split('\n').reverse())
      await admin.call('ACL', 'SETUSER', ...line.split(' ').slice(1));
    port = await freePort();
    const { services } = parse(readFileSync(join(ROOT, 'compose.yaml'), 'utf8'), { merge: true });
    const own = settingsOf('redrive.env').REDIS_URL?.replace('redis:6379', new URL(redis.url).host) ?? '';
    env = {
      ...services.console.environment,
      REDRIVE_CONFIG_FILE: join(secrets, 'redrive.env'),
      REDIS_URL: own,
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
    };
    const child = start('the console', 'scripts/serve.mjs', env);
    await until(
      async () => {
        if (!child.running()) throw new Error(`it has ended: ${output}`);
        return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
      },
      { what: 'the console to be ready', timeoutMs: 60_000 },
    );
  }, 90_000);
  afterAll(async () => {
    for (const child of running) await child.stop();
    await redis.stop();
  });

  it('the health check says healthy, and not healthy where nothing listens', async () => {
    expect(run('scripts/health-check.mjs', env)).toMatchObject({ status: 0, stderr: '' });
    const nowhere = run('scripts/health-check.mjs', { ...env, PORT: String(await freePort()) });
    expect(nowhere.status).toBe(1);
    expect(nowhere.stderr).toMatch(/^The console is not healthy: .+/);
  });

  it('pages, their scripts and the API answer to the administrator that make-secrets made', async () => {
    const origin = `http://127.0.0.1:${port}`;
    const password = made.match(/password (\S+)/)?.[1] ?? '';
    const signIn = await fetch(`${origin}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'admin', password }),
    });
    expect(signIn.status).toBe(200);
    const headers = { cookie: signIn.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
    for (const path of ['/', '/dead', '/redis', '/workers', '/api/v1/redis', '/api/v1/queues']) {
      const answer = await fetch(`${origin}${path}`, { headers, redirect: 'manual' });
      expect([path, answer.status]).toEqual([path, 200]);
      await answer.text();
    }
    const page = await (await fetch(`${origin}/`, { headers })).text();
    const assets = [...page.matchAll(/(?:src|href)="(\/_next\/static\/[^"]+)"/g)].map(
      ([, path]) => path ?? '',
    );
    expect(assets.length).toBeGreaterThan(3);
    for (const path of assets) expect([path, (await fetch(`${origin}${path}`)).status]).toEqual([path, 200]);
  });

  it('the metrics answer to the token that make-secrets made, and nothing else does', async () => {
    const token = readFileSync(join(metricsSecrets, 'metrics-token'), 'utf8');
    const ask = (path: string, authorization: string) =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization } });
    const answer = await ask('/metrics', `Bearer ${token}`);
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining('redrive_redis_up 1'),
    ]);
    expect((await ask('/api/v1/queues', `Bearer ${token}`)).status).toBe(401);
    expect((await ask('/metrics', `Bearer ${token}x`)).status).toBe(401);
  });

  it('the demo worker runs jobs with its own user, which reaches nothing of sign-in and audit log', async () => {
    const { REDIS_URL = '' } = settingsOf('worker.env', workerSecrets);
    const url = REDIS_URL.replace('redis:6379', new URL(redis.url).host);
    start('the worker', 'dist/worker/index.js', { REDIS_URL: url, LOG_LEVEL: 'info' });
    const client = redis.connect({
      username: 'redrive',
      password: new URL(settingsOf('redrive.env').REDIS_URL ?? '').password,
    });
    await until(async () => (await client.exists('rd:{default}:completed')) === 1, {
      what: 'the worker to complete a job',
      timeoutMs: 30_000,
    });
    expect(await client.exists('rd:{.lab}:supervisor')).toBe(1);
    const worker = redis.connect({ username: 'worker', password: new URL(url).password });
    for (const key of ['rd:{.access}:sessions', 'rd:{.audit}:entries', 'rd:{.operations}:index'])
      await expect(worker.call('TYPE', key)).rejects.toThrow('NOPERM');
  });

  it('nothing was written into the folder, and nothing complained that it could not', () => {
    expect(output).not.toMatch(/EACCES|EROFS|EPERM|NOPERM|Cannot find module/);
    expect(existsSync(join(app, '.next/cache'))).toBe(false);
  });

  it('runConsole starts it, and ends it with its own end', async () => {
    const own = await freePort();
    const options = { folder: app, redisUrl: env.REDIS_URL, port: String(own), host: '127.0.0.1' };
    const script = `
      import { runConsole } from './cli/run-console.ts';
      process.exitCode = await runConsole({ ...${JSON.stringify(options)}, say: console.log });`;
    const child = startChild(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      name: 'runConsole',
      cwd: ROOT,
      env: { PATH: process.env.PATH, AUTH: 'none' },
      stdio: 'ignore',
    });
    try {
      await until(async () => (await fetch(`http://127.0.0.1:${own}/readyz`)).ok, {
        what: 'the console to be ready',
        timeoutMs: 60_000,
      });
      child.process.kill('SIGTERM');
      expect(await child.exited).toMatchObject({ code: 0 });
      await expect(fetch(`http://127.0.0.1:${own}/healthz`)).rejects.toThrow();
    } finally {
      await child.stop();
    }
  });

  it('runConsole says what to do where nothing is built', async () => {
    const said: string[] = [];
    expect(await runConsole({ folder: secrets, say: (line) => said.push(line) })).toBe(1);
    expect(said).toEqual([`There is no built console in ${secrets}. Run: npm run build`]);
  });

  it('ends within its grace period when it is told to', async () => {
    const [child] = running;
    child?.process.kill('SIGTERM');
    const exit = await child?.exited;
    expect(exit?.code).toBe(0);
  });
});
