/** Claims show payloads whole and end jobs, on record only as the jobs' own history: they are for programs. */
import { beforeAll, expect, test } from 'vitest';
import type { Grant, Role } from '@/lib/contract/access/grant-scopes';
import { claimReplySchema } from '@/lib/contract/jobs/claim-requests';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';
import { signInAs, tokenFor } from '@/testing/worlds/users';
import { claimAll, commandsFor, enqueueAll, jobs as someJobs } from '@/testing/worlds/world';

const grants = (role: Role): Grant[] => [{ role, queues: ['*'], tenants: null }];
const world = await setUpConsole();
beforeAll(async () => {
  await world.broker.enqueue('mail', { jobId: 'one', jobType: 'a', payload: '{"password":"hunter2"}' });
});

test.each(['local', 'oidc', 'link'] as const)(
  'nobody who signed in claims or ends a job: %s',
  async (method) => {
    const { headers } = await signInAs(world, { name: `eve-${method}`, method, grants: grants('admin') });
    const { jobs } = await world.broker.claim('mail', { worker: 'w', leaseMs: 600_000 });
    const token = jobs[0]?.token ?? '';
    const before = await world.broker.inspect.job('mail', 'one');
    const failure = { errorClass: 'permanent', errorCode: 'X', message: 'x' };
    for (const [path, body] of [
      ['claim', { worker: 'eve' }],
      ['jobs/one/ack', { token }],
      ['jobs/one/fail', { token, ...failure }],
      ['jobs/one/extend', { token, leaseMs: 1_000 }],
      ['jobs/one/release', { token }],
    ] as const) {
      const answer = await callApi('POST', `/api/v1/queues/mail/${path}`, { body, headers });
      expect(answer.body, path).toMatchObject({
        status: 403,
        code: 'FORBIDDEN',
        detail: expect.stringContaining('Claims are for programs'),
      });
    }
    expect(await world.broker.inspect.job('mail', 'one')).toMatchObject({
      state: 'in-flight',
      claim: before.claim,
    });
    await world.broker.release('mail', [{ jobId: 'one', token }]);
  },
);

test('a token with the role for it claims, and ends what it claimed', async () => {
  const owner = await signInAs(world, { name: 'ada', grants: grants('admin') });
  const { headers } = await tokenFor(world, owner, grants('worker'));
  const post = (path: string, body: object) =>
    callApi('POST', `/api/v1/queues/mail/${path}`, { body, headers });
  const { jobs } = claimReplySchema.parse((await post('claim', { worker: 'w' })).body);
  expect((await post('jobs/one/ack', { token: jobs[0]?.token })).body).toEqual({ outcome: 'completed' });
});

test('M5: a claim with an Idempotency-Key costs Redis the same with 500 and with 5,000 jobs in flight', async () => {
  const owner = await signInAs(world, { name: 'bea', grants: grants('admin') });
  const { headers } = await tokenFor(world, owner, grants('worker'));
  const redis = world.redis.connect();
  const claimTwice = async (key: string) => {
    const tokens: string[] = [];
    for (let i = 0; i < 2; i++) {
      const answer = await callApi('POST', '/api/v1/queues/busy/claim', {
        body: { worker: 'w', count: 3 },
        headers: { ...headers, 'idempotency-key': key },
      });
      tokens.push(...claimReplySchema.parse(answer.body).jobs.map(({ token }) => token));
    }
    // The jobs of a call share its token; the second call has its own.
    expect([tokens.length, new Set(tokens).size]).toEqual([6, 2]);
  };
  await enqueueAll(world.broker, 'busy', someJobs(5_100));
  await claimAll(world.broker, 'busy', { most: 500, leaseMs: 600_000 });
  await claimTwice('warm');
  const few = await commandsFor(redis, () => claimTwice('few'));
  await claimAll(world.broker, 'busy', { most: 4_500, leaseMs: 600_000 });
  const many = await commandsFor(redis, () => claimTwice('many'));
  // The console itself asks for a thing or two now and then; a walk would ask some thirty times.
  expect(Math.abs(many - few)).toBeLessThan(10);
});

test('M4: a request to enqueue, sent again with its Idempotency-Key after its jobs ran and went, answers the same ids', async () => {
  const owner = await signInAs(world, { name: 'cid', grants: grants('admin') });
  const { headers } = await tokenFor(world, owner, grants('producer'));
  await world.broker.config.change('resent', { completedKeep: 0 }, { actor: 'a test' });
  const post = () =>
    callApi('POST', '/api/v1/queues/resent/jobs', {
      body: { jobs: [{ jobType: 'a' }, { jobType: 'a', payload: { n: 2 } }] },
      headers: { ...headers, 'idempotency-key': 'the-same-request' },
    });
  const results = async () => (await post()).body.results as { jobId: string; outcome: string }[];
  const first = await results();
  expect(first.map(({ outcome }) => outcome)).toEqual(['ready', 'ready']);
  await world.broker.ack('resent', await claimAll(world.broker, 'resent'));
  const again = await results();
  expect(again).toEqual(first.map(({ jobId }) => ({ jobId, outcome: 'duplicate' })));
  expect(await claimAll(world.broker, 'resent')).toEqual([]);
});
