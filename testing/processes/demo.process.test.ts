/** `npm run demo` as a person runs it: started, stopped with Ctrl-C, started again. Needs a build; `npm test` makes one. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '@/scripts/lib/free-ports.mjs';
import { until } from '@/testing/poll';
import { expectWithin } from '@/testing/time-limit';
import { startRedisOnPort, type TestRedis } from '@/testing/worlds/redis-server';

const ROOT = join(import.meta.dirname, '../..');
let dataDir: string;
let unsafe: TestRedis;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'redrive-demo-'));
  unsafe = await startRedisOnPort(['--maxmemory-policy', 'allkeys-lru']);
});
afterAll(async () => {
  await unsafe.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** In a process group of its own, as a terminal would start it, so that Ctrl-C reaches all of it. */
function demo(port: number, env: Record<string, string> = {}, args: readonly string[] = []) {
  const { REDIS_URL: _, ...inherited } = process.env;
  const child = spawn(process.execPath, [join(ROOT, 'scripts/demo.mjs'), ...args], {
    cwd: ROOT,
    detached: true,
    env: { ...inherited, PORT: String(port), REDRIVE_DATA_DIR: dataDir, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { pid: child.pid ?? 0, exited, output: () => output };
}

const groupAlive = (pid: number) => {
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
};

/** Comes in by the one-time link, as a person who clicks it. */
async function signIn(url: string, line: string): Promise<string> {
  const code = line.split(`Sign in: ${url}/sign-in#code=`)[1];
  const response = await fetch(`${url}/api/v1/session/link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  expect(response.status).toBe(200);
  // It is for whoever sits there, and for no log.
  expect(readFileSync(join(dataDir, 'logs/console.log'), 'utf8')).not.toContain(code);
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

async function runAndInterrupt(port: number): Promise<{ enqueued: number; firstSeen: number }> {
  const run = demo(port);
  try {
    const url = `http://127.0.0.1:${port}`;
    await until(() => /^Sign in: .*\n/m.test(run.output()), {
      what: 'the demo to be up',
      timeoutMs: 120_000,
    });
    const [running, link] = run.output().trim().split('\n').slice(-2);
    expect(running).toBe(`Redrive is running: ${url}`);
    const cookie = await signIn(url, link ?? '');
    // A link works once, and the next one is shown at once: whoever closed the browser gets in again.
    await until(() => run.output().match(/^Sign in: /gm)?.length === 2, { what: 'the next link' });
    const total = async () => {
      const stats = (await (await fetch(`${url}/stats`, { headers: { cookie } })).json()) as {
        queues: Record<string, { totals: { enqueued: number } }>;
      };
      return Object.values(stats.queues).reduce((sum, queue) => sum + queue.totals.enqueued, 0);
    };
    const firstSeen = await until(total, { what: 'traffic', timeoutMs: 15_000 });
    const enqueued = await until(async () => ((await total()) > firstSeen + 5 ? total() : 0), {
      what: 'more traffic',
      timeoutMs: 15_000,
    });
    const started = performance.now();
    process.kill(-run.pid, 'SIGINT');
    await run.exited;
    await expectWithin(performance.now() - started, 5_000);
    expect(groupAlive(run.pid)).toBe(false);
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
    return { enqueued, firstSeen };
  } finally {
    if (groupAlive(run.pid)) process.kill(-run.pid, 'SIGKILL');
  }
}

test('comes up with data moving, ends on Ctrl-C leaving no process, and still has its jobs the next time', async () => {
  const first = await runAndInterrupt(await freePort());
  const second = await runAndInterrupt(await freePort());
  expect(second.firstSeen).toBeGreaterThanOrEqual(first.enqueued);
});

test('help starts nothing, and an option it does not have is refused', async () => {
  const port = await freePort();
  const help = demo(port, {}, ['--help']);
  expect(await help.exited).toBe(0);
  expect(help.output()).toContain('REDIS_URL');
  expect(help.output()).not.toContain('Packages');
  const wrong = demo(port, {}, ['--prot']);
  expect(await wrong.exited).toBe(2);
  expect(wrong.output()).toContain('There is no option --prot.');
});

test('a taken port is one clear sentence, before anything is started', async () => {
  const server = createServer();
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
  const run = demo(port);
  expect(await run.exited).toBe(1);
  expect(run.output()).toContain(String(port));
  expect(run.output()).not.toContain('Redis');
  server.close();
});

test('a Redis that would lose jobs is refused, with the way to mend it', async () => {
  const run = demo(await freePort(), { REDIS_URL: unsafe.url ?? '' });
  expect(await run.exited).toBe(1);
  expect(run.output()).toContain('CONFIG SET maxmemory-policy noeviction');
});
