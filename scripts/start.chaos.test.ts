/** The production console under signals, with live streams open. Needs a build; `npm test` makes one before. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '@/testing/poll';
import { startRedis, type TestRedis } from '@/testing/redis';
import { startChild } from './lib/children.mjs';
import { freePort } from './lib/net.mjs';

const ROOT = join(import.meta.dirname, '..');
let redis: TestRedis;
beforeAll(async () => {
  expect(existsSync(join(ROOT, '.next/BUILD_ID')), 'run npm run build first').toBe(true);
  redis = await startRedis();
});
afterAll(() => redis.stop());

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
      expect(performance.now() - started).toBeLessThan(2_000);
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
