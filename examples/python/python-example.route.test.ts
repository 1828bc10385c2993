/** The example in Python, run as it stands against the API of a console. */
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RouteServer, startRouteServer } from '@/testing/routes/route-server';
import { setUpConsole } from '@/testing/worlds/console-server';
import { signInAs, tokenFor } from '@/testing/worlds/users';

/** Redrive itself needs no Python. */
const hasPython = spawnSync('python3', ['--version']).status === 0;

const world = await setUpConsole();
let server: RouteServer;
beforeAll(async () => {
  server = await startRouteServer();
});
afterAll(() => server.stop());

test('enqueues, runs and fails jobs, and takes effect once when it is run again', {
  timeout: 60_000,
}, async ({ skip }) => {
  skip(!hasPython, 'python3 is not installed');
  const owner = await signInAs(world, {
    name: 'ada',
    grants: [{ role: 'admin', queues: ['*'], tenants: null }],
  });
  const token = async (role: 'producer' | 'worker') => {
    const { headers } = await tokenFor(world, owner, [{ role, queues: ['*'], tenants: null }]);
    return headers.authorization.slice('Bearer '.length);
  };
  const env = {
    ...process.env,
    REDRIVE_URL: server.url,
    PRODUCER_TOKEN: await token('producer'),
    WORKER_TOKEN: await token('worker'),
  };
  const run = async () =>
    (await promisify(execFile)('python3', [join(import.meta.dirname, 'redrive_example.py')], { env })).stdout;
  expect(await run()).toBe('hello-1 ready\nhello-2 ready\njobs run: 2\n');
  expect(await run()).toBe('hello-1 duplicate\nhello-2 duplicate\njobs run: 0\n');
  const done = await world.broker.inspect.job('greetings', 'hello-1');
  expect(done).toMatchObject({ state: 'completed', result: { result: '{"greeting":"Hello, Ada"}' } });
  const dead = await world.broker.inspect.job('greetings', 'hello-2');
  expect(dead).toMatchObject({
    state: 'dead',
    history: expect.arrayContaining([expect.objectContaining({ errorCode: 'KeyError' })]),
  });
});
