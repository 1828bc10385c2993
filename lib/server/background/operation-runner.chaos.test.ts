/** The console killed outright while it works off an operation: another goes on where it was. Needs a build; `npm test` makes one. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paths } from '@/lib/contract/api-paths';
import { type Operation, operationSchema } from '@/lib/contract/operations/operation';
import { previewSchema } from '@/lib/contract/operations/operation-preview';
import { type Broker, createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { expectWithin } from '@/testing/time-limit';
import { Processes, portFree, requireBuild, type Spawned } from '@/testing/worlds/processes';
import { setUpRedis } from '@/testing/worlds/set-up-redis';
import { jobs, killAll } from '@/testing/worlds/world';

const ROOT = join(import.meta.dirname, '../../..');
const JOBS = 600;
requireBuild();
const processes = new Processes();
const redis = await setUpRedis();
let broker: Broker;

beforeAll(async () => {
  broker = createBroker({ url: redis.path });
});
afterAll(async () => {
  await processes.stopAll();
  broker.close();
});

/** The server itself, without the parent that `npm start` puts before it: what is killed is the console itself. */
async function startConsole(name: string): Promise<{ url: string; child: Spawned }> {
  const port = await portFree();
  const args = ['scripts/serve.mjs'];
  const env = { REDIS_URL: redis.path, HOST: '127.0.0.1', PORT: String(port), AUTH: 'none' };
  const child = processes.spawn(process.execPath, args, { name, cwd: ROOT, env });
  const url = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(`${url}/readyz`)).ok, {
    what: `${name} to be ready`,
    timeoutMs: 60_000,
  });
  return { url, child };
}

const post = async (url: string, body: unknown): Promise<unknown> => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.ok, await answer.clone().text()).toBe(true);
  return answer.json();
};

async function counts() {
  const [queue] = await broker.inspect.snapshot(['bulk']);
  if (!queue) throw new Error('the queue cannot be read');
  return queue.counts;
}

test('a console killed with SIGKILL half-way through a re-drive: another finishes it, each job moved once', async () => {
  await killAll(broker, 'bulk', jobs(JOBS));
  const first = await startConsole('the first console');
  const preview = previewSchema.parse(
    await post(first.url + paths.operationPreview(), { kind: 'redrive', scope: { q: 'queue:bulk' } }),
  );
  expect(preview.count).toBe(JOBS);
  const { id } = operationSchema.parse(
    await post(first.url + paths.operations(), {
      previewToken: preview.token,
      reason: 'fixed',
      // Slow enough to be in the middle when the second console is up.
      rate: { perSecond: 25 },
    }),
  );
  const readAt = async (url: string): Promise<Operation> =>
    operationSchema.parse(await (await fetch(url + paths.operation(id))).json());
  // It has the operation: the second one, which patrols as well, could have been there before it.
  await until(async () => (await readAt(first.url)).moved >= 20, {
    what: 'the first jobs to be moved',
    timeoutMs: 30_000,
  });
  const second = await startConsole('the second console');
  const read = () => readAt(second.url);
  expect((await read()).status).toBe('running');

  first.child.kill('SIGKILL');
  await first.child.exited;
  const atKill = (await counts()).ready;
  expect(atKill).toBeLessThan(JOBS);
  // The lease of the dead one runs out first; ten seconds is what is promised.
  const killedAtMs = performance.now();
  await until(async () => (await counts()).ready > atKill, {
    what: 'the second console to go on',
    timeoutMs: 60_000,
  });
  await expectWithin(performance.now() - killedAtMs, 10_000);
  await until(async () => (await read()).status === 'completed', {
    what: 'the operation to complete',
    timeoutMs: 60_000,
  });

  const done = await read();
  expect(done).toMatchObject({ moved: JOBS, skipped: 0, expected: JOBS });
  expect(done.events.map(({ type: what }) => what)).toContain('taken-over');
  expect(await counts()).toMatchObject({ ready: JOBS, dead: 0 });
  expect((await broker.inspect.ledger('bulk')).difference).toBe(0);
  for (const { jobId } of jobs(JOBS)) {
    const { history } = await broker.inspect.job('bulk', String(jobId));
    expect(history.filter(({ kind }) => kind === 'redriven')).toHaveLength(1);
  }
});
