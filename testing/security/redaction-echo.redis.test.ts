/** Hidden values of a payload, wherever an error or a result repeats them: no list, page, group, search or export shows them. */
import { expect, it } from 'vitest';
import { BY, claimAll, claimOne, enqueueAll, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

const SECRETS = ['hunter2', 'swordfish-9', '4711'];
const PAYLOAD = '{"user":"ann","password":"hunter2","apiToken":"swordfish-9","card":{"cvv":4711}}';
const MESSAGE = 'login of ann with hunter2 and swordfish-9 refused, cvv 4711';
const SHOWN = 'login of ann with [redacted] and [redacted] refused, cvv [redacted]';
const STACK = 'Error: hunter2\n    at login (swordfish-9.js:4711:1)';

const fail = async (queue: string, errorClass: 'permanent' | 'retryable', retryInMs?: number) => {
  const { jobId, token } = await claimOne(world.broker, queue);
  const failure = { errorClass, errorCode: 'REFUSED', message: MESSAGE, stack: STACK, retryInMs };
  await world.broker.fail(queue, [{ jobId, token, failure }]);
};
const clean = (value: unknown) => {
  for (const secret of SECRETS) expect(JSON.stringify(value)).not.toContain(secret);
};

it('M3: a job that failed says nothing of what its payload hides, in any list, group or export', async () => {
  const queue = world.freshQueue();
  const { inspect } = world.broker;
  await enqueueAll(world.broker, queue, [{ jobId: 'd', jobType: 'demo', payload: PAYLOAD }]);
  await fail(queue, 'permanent');
  await enqueueAll(world.broker, queue, [{ jobId: 'r', jobType: 'demo', payload: PAYLOAD }]);
  await fail(queue, 'retryable', 60_000);

  const job = await inspect.job(queue, 'd');
  expect(job.history.at(-1)).toMatchObject({
    message: SHOWN,
    stack: 'Error: [redacted]\n    at login ([redacted].js:[redacted]:1)',
  });
  clean(job);
  const found = await inspect.search({ state: 'dead', q: '', queue });
  expect(found.jobs[0]?.message).toBe(SHOWN);
  const listed = await inspect.list(queue, { state: 'retry' });
  expect(listed.jobs[0]?.message).toBe(SHOWN);
  const { groups } = await inspect.groups({ q: `queue:${queue}` });
  expect(groups[0]?.message).toBe(SHOWN);
  const within = [{ queue, tenants: ['default'] }];
  expect((await inspect.groups({ q: `queue:${queue}`, within })).groups[0]?.message).toBe(SHOWN);
  expect((await inspect.group(groups[0]?.group ?? '')).message).toBe(SHOWN);
  const matches = inspect.matching({ state: 'dead', q: '', queue }, { at: 0, cutoff: null, limit: 10 });
  for await (const { facts, summary } of matches) {
    expect([facts.message, summary.message]).toEqual([SHOWN, SHOWN]);
    clean([facts, summary]);
  }

  for (const secret of SECRETS) {
    for (const state of ['dead', 'retry'] as const)
      expect((await inspect.search({ state, q: `"${secret}"`, queue })).jobs).toEqual([]);
    expect((await inspect.search({ state: 'dead', q: `-"${secret}"`, queue })).jobs).toHaveLength(1);
  }
  expect((await inspect.search({ state: 'dead', q: '"with [redacted] and"', queue })).jobs).toHaveLength(1);
  expect((await inspect.search({ state: 'dead', q: 'refused', queue })).jobs).toHaveLength(1);

  const whole = await inspect.unmasked(queue, 'd');
  expect(whole.history.at(-1)).toMatchObject({ message: MESSAGE, stack: STACK });
  await world.broker.config.change(queue, { redact: [], reason: 'a test' }, BY);
  expect((await inspect.search({ state: 'dead', q: 'hunter2', queue })).jobs[0]?.message).toBe(MESSAGE);
});

it('M3: a result does not repeat what the payload hides, and is JSON as before', async () => {
  const queue = world.freshQueue();
  const payloads = [PAYLOAD, PAYLOAD, '{"user":"ann"}'];
  await enqueueAll(
    world.broker,
    queue,
    payloads.map((payload, i) => ({ jobId: `j${i}`, jobType: 'demo', payload })),
  );
  const results = ['{"note":"used hunter2","n":4711}', 'used hunter2', '"used hunter2"'];
  const taken = await claimAll(world.broker, queue);
  await world.broker.ack(
    queue,
    taken.map((job) => ({ ...job, result: results[Number(job.jobId.slice(1))] })),
  );
  const shown = async (id: string) => (await world.broker.inspect.job(queue, id)).result?.result;
  expect(await shown('j0')).toBe('{"note":"used [redacted]","n":"[redacted]"}');
  expect(await shown('j1')).toBe('used [redacted]');
  expect(await shown('j2')).toBe(results[2]);
});

it('M3: a message whose payload is lost is not shown where there are rules', async () => {
  const queue = world.freshQueue();
  await enqueueAll(world.broker, queue, [{ jobId: 'd', jobType: 'demo', payload: PAYLOAD }]);
  await fail(queue, 'permanent');
  await world.redis.hdel(world.keys.column(queue, 'jobs'), 'd');
  const { jobs } = await world.broker.inspect.search({ state: 'dead', q: '', queue });
  expect(jobs.map((job) => job.message)).toEqual(['[redacted]']);
});
