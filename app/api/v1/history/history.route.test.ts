/** The past of queues over HTTP: who sees it, and what is refused. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { History } from '@/lib/contract/history/history-schemas';
import { OTHER_QUEUE, type People, signInAll } from '@/testing/security/two-scopes';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';

const MINUTE_MS = 60_000;
const world = await setUpConsole();
let people: People;

const read = (query: string, headers: People['admin'], from = Date.now() - 60 * MINUTE_MS) =>
  callApi('GET', `/api/v1/history?from=${from}&to=${Date.now()}${query}`, { headers });

beforeAll(async () => {
  people = await signInAll(world);
  for (const queue of ['alpha', OTHER_QUEUE]) await world.broker.enqueue(queue, { jobType: 'pay' });
});

describe('the history', () => {
  it('is of a queue for those who see all of it', async () => {
    const { status, body } = await read('&queue=alpha', people.ofQueue);
    const history = body as unknown as History;
    expect([status, history.stepMs, history.to % MINUTE_MS]).toEqual([200, MINUTE_MS, 0]);
    expect(history.to).toBeLessThanOrEqual(Date.now());
    expect(history.depth.ready).toHaveLength((history.to - history.from) / MINUTE_MS);
    expect((await read(`&queue=${OTHER_QUEUE}`, people.ofQueue)).status).toBe(404);
    expect((await read('&queue=alpha', people.ofTenant)).status).not.toBe(200);
  });

  it('of all queues is of those that the user sees: the marks of others are not in it', async () => {
    const by = { actor: 'tester', reason: 'a test' };
    for (const queue of ['alpha', OTHER_QUEUE])
      await world.broker.pause(queue, { scope: 'queue', reason: 'a test' }, by);
    const { status, body } = await read('', people.ofQueue);
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain(OTHER_QUEUE);
  });

  it('refuses ranges over seven days, a type without a queue, and a type with a tenant', async () => {
    expect((await read('', people.admin, Date.now() - 10_081 * MINUTE_MS)).status).toBe(400);
    expect((await read('&type=pay', people.admin)).status).toBe(400);
    expect((await read('&queue=alpha&type=pay&tenant=acme', people.admin)).status).toBe(400);
    const of = await read('&queue=alpha&type=pay', people.admin);
    expect([of.status, (of.body as unknown as History).stepMs]).toEqual([200, 10 * MINUTE_MS]);
  });
});
