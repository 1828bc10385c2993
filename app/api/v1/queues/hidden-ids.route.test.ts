/** An id that is taken is no way to guess what is hidden in the job that has it. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Grant, Role } from '@/lib/contract/access/grant-scopes';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';
import { signInAs } from '@/testing/worlds/users';

const all = (role: Role): Grant => ({ role, queues: ['*'], tenants: null });
const job = (password: string, more: object = {}) => ({
  jobId: 'one',
  jobType: 'a',
  payload: { user: 'ann', password },
  ...more,
});
const people: Record<string, { cookie: string }> = {};
const world = await setUpConsole();
let queue: string;
let tests = 0;
beforeAll(async () => {
  people.producer = (
    await signInAs(world, { name: 'pat', grants: [all('producer'), all('viewer')] })
  ).headers;
  people.operator = (await signInAs(world, { name: 'ola', grants: [all('operator')] })).headers;
});
beforeEach(async () => {
  queue = `known-${++tests}`;
  await world.broker.enqueue(queue, { jobId: 'one', jobType: 'a', payload: '{"user":"ann","password":"7"}' });
});

const send = (who: string, body: unknown) =>
  callApi('POST', `/api/v1/queues/${queue}/jobs`, { body, headers: people[who] });

describe('who may not see what is hidden', () => {
  test('is answered the same whatever they guess, alone and in a batch', async () => {
    for (const password of ['6', '7', '8']) {
      expect(await send('producer', job(password))).toMatchObject({
        status: 201,
        body: { results: [{ jobId: 'one', outcome: 'duplicate' }] },
      });
      const many = await send('producer', {
        jobs: [job(password), job(password, { jobId: `new-${password}` })],
      });
      expect(many.body.results).toMatchObject([
        { outcome: 'duplicate' },
        { jobId: `new-${password}`, outcome: 'ready' },
      ]);
    }
    const { body } = await callApi('GET', `/api/v1/queues/${queue}`, { headers: people.producer });
    expect(body).toMatchObject({ queue: { totals: { enqueued: 4, duplicates: 0 } } });
    expect((await world.broker.inspect.unmasked(queue, 'one')).payload).toBe('{"user":"ann","password":"7"}');
  });

  test('is told of a conflict in what they may see', async () => {
    for (const other of [
      { payload: { user: 'bob', password: '7' } },
      { priority: 3 },
      { jobType: 'b' },
      { tenantId: 't' },
    ]) {
      const alone = await send('producer', job('7', other));
      expect(alone.body, JSON.stringify(other)).toMatchObject({ status: 409, code: 'ID_CONFLICT' });
      const many = await send('producer', { jobs: [job('7', other)] });
      expect(many.body).toMatchObject({ results: [{ jobId: 'one', outcome: 'conflict' }] });
    }
  });
});

test('who may see it is told of every difference', async () => {
  expect((await send('operator', job('7'))).body).toMatchObject({ results: [{ outcome: 'duplicate' }] });
  expect((await send('operator', job('8'))).body).toMatchObject({ code: 'ID_CONFLICT' });
});
