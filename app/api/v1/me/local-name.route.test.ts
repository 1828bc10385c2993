/** Who sits at the console: the name a person gave goes into everything they do, and finds their saved searches. */
import { beforeAll, expect, test } from 'vitest';
import { meSchema } from '@/lib/contract/access/access-schemas';
import { consoleUserSchema } from '@/lib/contract/access/user-name';
import { queueChangesSchema } from '@/lib/contract/queues/queue-config';
import { savedSearchesSchema, savedSearchSchema } from '@/lib/contract/search/search-schemas';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';

const world = await setUpConsole();
beforeAll(async () => {
  await world.broker.enqueue('default', { jobType: 'a', jobId: 'one' });
});

/** Says who one is, and keeps the cookie as a browser would. */
async function signAs(name: string): Promise<{ cookie: string }> {
  const { status, body, response } = await callApi('PUT', '/api/v1/me', { body: { name } });
  expect(status).toBe(200);
  expect(consoleUserSchema.parse(body)).toEqual({ name: name.trim(), chosen: true });
  const cookie = response.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/^redrive-name=[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/);
  return { cookie: cookie.split(';')[0] ?? '' };
}
const me = async (headers?: Record<string, string>) =>
  consoleUserSchema.parse((await callApi('GET', '/api/v1/me', { headers })).body);

test('nobody has said who they are: the local operator', async () => {
  expect(await me()).toEqual({ name: 'local operator', chosen: false });
});

test('a name is kept by the browser, and is the actor of what is done with it', async () => {
  const headers = await signAs(' Ada Lovelace ');
  expect(await me(headers)).toEqual({ name: 'Ada Lovelace', chosen: true });
  const QUEUE = '/api/v1/queues/default';
  const paused = await callApi('POST', `${QUEUE}/pause`, { body: { reason: 'look' }, headers });
  expect(paused.body.pauses).toMatchObject([{ actor: 'Ada Lovelace' }]);
  await callApi('POST', `${QUEUE}/resume`, { body: {} });
  const { changes } = queueChangesSchema.parse((await callApi('GET', `${QUEUE}/changes`)).body);
  expect(changes.map(({ actor }) => actor)).toEqual(['local operator', 'Ada Lovelace']);
  await callApi('POST', `${QUEUE}/jobs/one/cancel`, { body: { reason: 'no' }, headers });
  const { body } = await callApi('GET', `${QUEUE}/jobs/one`);
  expect((body.history as { actor: string }[]).at(-1)).toMatchObject({ actor: 'Ada Lovelace' });
});

test('a cookie that somebody wrote by hand is no way to write anything else', async () => {
  for (const cookie of ['redrive-name=a%0d%0aX: y', 'redrive-name=system', `redrive-name=${'x'.repeat(500)}`])
    expect((await me({ cookie })).name).toBe('local operator');
});

test('settings of tables belong to the name, and need one', async () => {
  const body = { density: 'compact', tables: { dead: { shown: { tenant: false }, widths: {} } } };
  const put = async (headers?: { cookie: string }) =>
    callApi('PUT', '/api/v1/me/tables', { body, ...(headers ? { headers } : {}) });
  const tablesOf = async (headers?: { cookie: string }) =>
    meSchema.parse((await callApi('GET', '/api/v1/me', { ...(headers ? { headers } : {}) })).body).tables;
  expect(await put()).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  const [ada, bob] = [await signAs('Ada'), await signAs('Bob')];
  expect(await put(ada)).toMatchObject({ status: 200, body });
  expect(await tablesOf(ada)).toEqual(body);
  expect(await tablesOf(bob)).toBeNull();
  expect(await tablesOf()).toBeNull();
  // Who takes the name is told at once what belongs to it.
  expect((await callApi('PUT', '/api/v1/me', { body: { name: 'Ada' } })).body.tables).toEqual(body);
});

test('saved searches: own ones and shared ones, replaced by name, deleted by their owner', async () => {
  const [ada, bob] = [await signAs('Ada'), await signAs('Bob')];
  const save = async (headers: { cookie: string }, body: object) => {
    const answer = await callApi('POST', '/api/v1/searches', { body, headers });
    expect(answer.status).toBe(201);
    return savedSearchSchema.parse(answer.body);
  };
  const list = async (headers: { cookie: string }) =>
    savedSearchesSchema
      .parse((await callApi('GET', '/api/v1/searches', { headers })).body)
      .searches.map(({ name, q }) => `${name} ${q}`);
  const mine = await save(ada, { name: 'Mine', q: 'type:a' });
  const ours = await save(ada, { name: 'Ours', q: 'age:>1h -tenant:acme', shared: true });
  expect(ours).toMatchObject({ owner: 'Ada', shared: true });
  expect(await list(ada)).toEqual(['Mine type:a', 'Ours age:>1h -tenant:acme']);
  expect(await list(bob)).toEqual(['Ours age:>1h -tenant:acme']);
  expect((await save(ada, { name: 'Mine', q: 'type:b' })).id).toBe(mine.id);
  expect(await list(ada)).toEqual(['Mine type:b', 'Ours age:>1h -tenant:acme']);

  const remove = (headers: { cookie: string }, id: string) =>
    callApi('DELETE', `/api/v1/searches/${id}`, { headers });
  expect((await remove(bob, ours.id)).body).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  expect((await remove(bob, mine.id)).body).toMatchObject({ status: 404, code: 'SEARCH_NOT_FOUND' });
  expect((await remove(ada, mine.id)).body).toEqual({ id: mine.id, deleted: true });
  expect(await list(ada)).toEqual(['Ours age:>1h -tenant:acme']);
});
