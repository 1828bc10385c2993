/** The production console under signals, with live streams open, and with a configuration that cannot be used. Needs a build; `npm test` makes one before. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startChild } from '@/scripts/lib/children.mjs';
import { within } from '@/scripts/lib/deadline.mjs';
import { freePort } from '@/scripts/lib/free-ports.mjs';
import { until } from '@/testing/poll';
import { OIDC, REFUSED, USERS } from '@/testing/security/refused-configurations';
import { expectWithin } from '@/testing/time-limit';
import { requireBuild } from '@/testing/worlds/processes';
import { startRedis } from '@/testing/worlds/redis-server';
import { setUpRedis } from '@/testing/worlds/set-up-redis';

const ROOT = join(import.meta.dirname, '../..');
requireBuild();
const redis = await setUpRedis();

describe('npm start', () => {
  test('ends its event streams and exits within 2 s of SIGTERM', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const env = {
      ...process.env,
      REDIS_URL: redis.path,
      PORT: String(port),
      AUTH: 'none',
      LOG_LEVEL: 'silent',
    };
    const child = startChild(process.execPath, [join(ROOT, 'scripts/start.mjs')], {
      name: 'the console',
      env,
      stdio: 'ignore',
    });
    try {
      await until(async () => (await fetch(`${url}/readyz`)).ok, {
        what: 'the console to be ready',
        timeoutMs: 30_000,
      });
      const streams = await Promise.all(Array.from({ length: 20 }, () => fetch(`${url}/api/v1/stream`)));
      expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
      const readers = streams.map((stream) => stream.body?.getReader());
      for (const reader of readers) expect((await reader?.read())?.done).toBe(false);
      const started = performance.now();
      child.process.kill('SIGTERM');
      await child.exited;
      await expectWithin(performance.now() - started, 2_000);
      // Each stream was ended, not left hanging.
      for (const reader of readers) {
        let ended = false;
        while (!ended)
          ended = await (reader?.read() ?? Promise.resolve({ done: true }))
            .then(({ done }) => done)
            .catch(() => true);
      }
      await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    } finally {
      await child.stop();
    }
  });
});

describe('the server process', () => {
  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)(
    'lets requests finish after one signal, however often npm passes it on, and ends at once on a later one: %s',
    async (signal, code) => {
      const port = await freePort();
      const child = startChild(process.execPath, [join(ROOT, 'scripts/serve.mjs')], {
        name: 'the console',
        cwd: ROOT,
        env: { ...process.env, REDIS_URL: redis.path, PORT: String(port), AUTH: 'none', LOG_LEVEL: 'silent' },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let stderr = '';
      child.process.stderr?.setEncoding('utf8').on('data', (text) => {
        stderr += text;
      });
      try {
        await until(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok, {
          what: 'the console to be ready',
          timeoutMs: 30_000,
        });
        // A request whose body never comes keeps the server open for its grace period.
        const socket = connect(port, '127.0.0.1');
        socket.on('error', () => undefined);
        socket.write(
          `POST /api/v1/queues/mail/pause HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 20\r\nExpect: 100-continue\r\n\r\n`,
        );
        // The server has read its head.
        await once(socket, 'data');
        child.process.kill('SIGTERM');
        child.process.kill('SIGINT');
        await until(
          async () =>
            fetch(`http://127.0.0.1:${port}/healthz`).then(
              () => false,
              () => true,
            ),
          {
            what: 'the console to take no more requests',
          },
        );
        expect(child.running()).toBe(true);
        await until(() => !child.process.kill(signal) || !child.running(), {
          what: 'a signal that is a second one',
        });
        expect(await child.exited).toMatchObject({ code });
        expect(stderr).toBe(
          `${signal} while the console was stopping: it ends at once, and open requests are cut off.\n`,
        );
      } finally {
        await child.stop();
      }
    },
  );
});

/** Starts the console with these variables and nothing of ours, and waits for its end. */
async function refusal(variables: Record<string, string>, script = [join(ROOT, 'scripts/start.mjs')]) {
  const port = await freePort();
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    REDIS_URL: redis.path,
    PORT: String(port),
    ...variables,
  };
  const child = startChild(process.execPath, script, {
    name: 'the console',
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.process.stdout?.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.process.stderr?.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  try {
    const exit = await within(child.exited, 60_000, 'the console to end');
    return { code: exit.code, stdout, sentences: stderr.split('\n').filter(Boolean), port };
  } finally {
    await child.stop();
  }
}

describe('F7: a configuration that cannot be used ends the process', () => {
  const refuses = async (variables: Record<string, string>, ...sentences: string[]) => {
    const end = await refusal(variables);
    expect(end.sentences, end.stdout).toHaveLength(sentences.length);
    for (const [i, sentence] of sentences.entries()) {
      expect(end.sentences[i]).toContain(sentence);
      expect(end.sentences[i]).toMatch(/^\S.*[.!]$/);
    }
    expect(end.code).toBe(1);
    expect(end.stdout).not.toContain('listens');
    await expect(fetch(`http://127.0.0.1:${end.port}/healthz`)).rejects.toThrow();
  };

  test.each(REFUSED)('F7: %s', async (_, variables, sentence) => {
    const end = await refusal(variables);
    expect(end.sentences.join('\n')).toContain(sentence);
    // Every line begins with what is wrong and ends as a sentence: no stack, no word of the framework.
    for (const line of end.sentences) expect(line).toMatch(/^[A-Z][A-Z_]+[ =].*\.$/);
    expect(end.code).toBe(1);
    expect(end.stdout).not.toContain('listens');
    await expect(fetch(`http://127.0.0.1:${end.port}/healthz`)).rejects.toThrow();
  });

  test('F7: everything that is wrong is said at once', async () => {
    await refuses(
      { PORT: '0', HOST: '0.0.0.0', REDIS_URL: '', LOG_LEVEL: 'loud' },
      'REDIS_URL is missing',
      'PORT must be a number from 1 to 65535',
      'LOG_LEVEL must be',
      'there is no sign-in method',
      'PUBLIC_URL is missing',
    );
  });

  test('F7: files that cannot be used', async () => {
    const users = join(redis.dir, 'users.json');
    await writeFile(users, USERS, { mode: 0o644 });
    const key = join(redis.dir, 'key');
    await writeFile(key, 'short');
    await refuses(
      { REDRIVE_USERS_FILE: users, REDRIVE_AUDIT_KEY_FILE: key },
      users,
      'at least 32 characters',
    );
    await refuses({ REDRIVE_USERS_FILE: join(redis.dir, 'none.json') }, 'none.json');
    await refuses({ ...OIDC, OIDC_CLIENT_SECRET_FILE: join(redis.dir, 'none') }, 'cannot be read (ENOENT)');
    await refuses(
      { REDIS_URL: 'rediss://127.0.0.1:1', REDIS_CA_FILE: join(redis.dir, 'none.pem') },
      'cannot be read (ENOENT)',
    );
  });

  test('F7: a Redis that would lose jobs', async () => {
    const evicting = await startRedis(['--maxmemory-policy', 'allkeys-lru']);
    try {
      await refuses({ REDIS_URL: evicting.path }, 'maxmemory-policy allkeys-lru');
    } finally {
      await evicting.stop();
    }
  });

  test('F7: a port that is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const end = await refusal({ PORT: String(port) });
    taken.close();
    expect(end).toMatchObject({
      code: 1,
      sentences: [expect.stringContaining(`Port ${port} on 127.0.0.1 is taken`)],
    });
  });

  test('F7: next start alone, without the defences in front of it', async () => {
    const port = await freePort();
    const end = await refusal({}, [
      join(ROOT, 'node_modules/next/dist/bin/next'),
      'start',
      '-p',
      String(port),
    ]);
    expect(end).toMatchObject({
      code: 1,
      sentences: [expect.stringContaining('next start alone has no defences')],
    });
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
  });

  test('F7: a framework that swallows the refusal, or never comes to it', async () => {
    const swallows =
      'export default () => ({ prepare: async () => {}, getRequestHandler: () => (_, res) => res.end("open") })';
    const resolve = `export const resolve = (name, context, next) => name === 'next' ? { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(swallows)}`)}, shortCircuit: true } : next(name, context)`;
    const hook = `import { register } from 'node:module'; register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(resolve)}`)})`;
    const end = await refusal({}, [
      '--import',
      `data:text/javascript,${encodeURIComponent(hook)}`,
      join(ROOT, 'scripts/serve.mjs'),
    ]);
    expect(end).toMatchObject({ code: 1, sentences: [expect.stringContaining('The console did not start')] });
    await expect(fetch(`http://127.0.0.1:${end.port}/healthz`)).rejects.toThrow();
  });
});
