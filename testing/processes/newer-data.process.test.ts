/** What each process says of data of a newer version. The console needs the build. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DATA_FORMAT } from '@/lib/broker/redis/dataset/data-format';
import { Processes, portFree, requireBuild } from '@/testing/worlds/processes';
import { setUpRedisOnPort } from '@/testing/worlds/set-up-redis';

const ROOT = join(import.meta.dirname, '../..');
requireBuild();
const redis = await setUpRedisOnPort(['--appendonly', 'yes', '--maxmemory', '1gb']);
const processes = new Processes();
afterAll(() => processes.stopAll());
const SENTENCE = `The data in this Redis have format ${DATA_FORMAT + 1}, since Redrive 9.1.0;`;
const TSX = ['./scripts/ensure-lua.mjs', 'tsx'].flatMap((file) => ['--import', file]);

beforeAll(() => redis.connect().hset('rd:{.dataset}:formats', String(DATA_FORMAT + 1), '9.1.0'));

test.each([
  ['the doctor', [...TSX, 'cli/redrive.ts', 'doctor', '--redis'], 8],
  ['the demo worker', [...TSX, 'worker/index.ts'], 1],
  ['the console', ['scripts/serve.mjs'], 1],
])('%s ends with the sentence and its code', async (name, args, code) => {
  const child = processes.node(args, {
    name,
    cwd: ROOT,
    env: { REDIS_URL: redis.url, AUTH: 'none', PORT: String(await portFree()), LOG_LEVEL: 'error' },
  });
  await child.exited;
  expect(child.output()).toContain(SENTENCE);
  expect(child.process.exitCode).toBe(code);
});
