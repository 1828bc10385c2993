/** Requests to workers: who may make them, what is recorded, and that nobody learns of workers of others. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Grant } from '@/lib/contract/access/grant-scopes';
import { until } from '@/testing/poll';
import { IDLE_REPORT } from '@/testing/records/idle-worker';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';
import { signInAs } from '@/testing/worlds/users';

const world = await setUpConsole();
const redis = world.redis.connect();
let users = 0;
const grant = (
  queues: string[],
  tenants: string[] | null = null,
  role: Grant['role'] = 'operator',
): Grant => ({
  role,
  queues,
  tenants,
});
const report = (workerId: string, ...queues: string[]) =>
  world.broker.workers.report({
    ...IDLE_REPORT,
    workerId,
    queues: Object.fromEntries(queues.map((queue) => [queue, 1])),
  });

beforeAll(async () => {
  await report('mail-1', 'mail');
  await report('both-1', 'mail', 'sms');
  await report('sms-1', 'sms');
});

async function ask(grants: Grant[], workers: string[], more: object = {}) {
  const { headers } = await signInAs(world, { name: `ann-${++users}`, grants });
  const body = { action: 'quiet', workers, reason: 'a deploy', ...more };
  return callApi('POST', '/api/v1/workers/requests', { headers, body });
}
const rows = () => redis.hgetall('rd:{.workers}:requests');

describe('who may ask', () => {
  test('an operator of every queue of each worker', async () => {
    const answer = await ask([grant(['mail', 'sms'])], ['mail-1', 'both-1']);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        results: [
          { workerId: 'mail-1', outcome: 'requested' },
          { workerId: 'both-1', outcome: 'requested' },
        ],
      },
    ]);
    const { headers } = await signInAs(world, {
      name: 'vera',
      grants: [grant(['mail', 'sms'], null, 'viewer')],
    });
    const asked = async () => {
      const { body } = await callApi('GET', '/api/v1/workers', { headers });
      const workers = body.workers as { workerId: string; request: object | null }[];
      return workers.find(({ workerId }) => workerId === 'mail-1')?.request;
    };
    // A console reads the list once a second.
    await until(asked, { what: 'the request to be listed' });
    expect(await asked()).toEqual({
      action: 'quiet',
      at: expect.any(Number),
      actor: expect.stringMatching(/^ann-/),
      reason: 'a deploy',
    });
    await redis.del('rd:{.workers}:requests');
  });

  test.each([
    ['a worker that serves a queue of others', [grant(['mail'])], ['mail-1', 'both-1']],
    ['an operator of one tenant', [grant(['mail'], ['acme'])], ['mail-1']],
    ['a viewer', [grant(['*'], null, 'viewer')], ['mail-1']],
  ])('not %s: nobody was asked, and the refusal is recorded', async (_, grants, workers) => {
    const answer = await ask(grants, workers);
    expect(answer.status).toBe(403);
    expect(JSON.stringify(answer.body)).not.toContain('sms');
    expect(await rows()).toEqual({});
  });

  test('a worker of others is answered like one that is not there', async () => {
    const answer = await ask([grant(['mail'])], ['sms-1', 'none-1', 'mail-1']);
    expect(answer.body.results).toEqual([
      { workerId: 'sms-1', outcome: 'not-alive' },
      { workerId: 'none-1', outcome: 'not-alive' },
      { workerId: 'mail-1', outcome: 'requested' },
    ]);
    expect(Object.keys(await rows())).toEqual(['mail-1']);
  });
});

test.each([
  ['no reason', { reason: '' }, 'reason'],
  ['an action that is none', { action: 'kill' }, 'action'],
  ['no worker', { workers: [] }, 'workers'],
  ['201 workers', { workers: Array.from({ length: 201 }, (_, i) => `w-${i}`) }, 'workers'],
  ['an id that is none', { workers: ['a b'] }, 'workers.0'],
])('%s is refused by its field', async (_, more, field) => {
  const answer = await ask([grant(['*'])], ['mail-1'], more);
  expect(answer.status).toBe(400);
  expect(answer.body.errors).toMatchObject([{ field }]);
});
