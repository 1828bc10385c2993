/**
 * S7: a batch whose wrapper was checked and whose items were not. What one names inside of something that is theirs is looked at item
 * by item: a job, a queue or a tenant that is not theirs is refused or left alone, and nothing of it changes.
 */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Operation } from '@/lib/contract/operations/operation';
import type { Preview } from '@/lib/contract/operations/operation-preview';
import {
  fill,
  fillReady,
  OTHER_QUEUE,
  OTHER_TENANT,
  type People,
  signInAll,
} from '@/testing/security/two-scopes';
import { setUpConsole } from '@/testing/worlds/console-server';
import { runToEnd } from '@/testing/worlds/operation-runs';
import { callApi } from '@/testing/worlds/route-caller';
import { signInAs, tokenFor } from '@/testing/worlds/users';
import { stateOf } from '@/testing/worlds/world';

const world = await setUpConsole();
let people: People;
const other = { queue: OTHER_QUEUE, tenant: 'acme', mark: OTHER_QUEUE };
const otherTenant = { queue: 'alpha', tenant: OTHER_TENANT, mark: OTHER_TENANT };

beforeAll(async () => {
  process.env.REDRIVE_RATE_FACTOR = '1000';
  people = await signInAll(world);
  const sides = [{ queue: 'alpha', tenant: 'acme', mark: 'own' }, other, otherTenant];
  for (const side of sides) await fill(world.broker, side);
  for (const side of sides) await fillReady(world.broker, side);
});

/** The rows of the other queue, whatever is written down beside them. */
const untouched = async () =>
  (await world.fingerprint()).split('\n').filter((line) => line.startsWith(`rd:{${OTHER_QUEUE}}:`));
let before: string[];
beforeEach(async () => {
  before = await untouched();
});

const post = (path: string, body: unknown, headers: Record<string, string>) =>
  callApi('POST', `/api/v1/${path}`, { body, headers });

async function run(action: object, headers: Record<string, string>) {
  const looked = await post('operations/preview', action, headers);
  expect(looked.status, JSON.stringify(looked.body)).toBe(200);
  const preview = looked.body as unknown as Preview;
  const started = await post('operations', { previewToken: preview.token, reason: 'x' }, headers);
  expect(started.status, JSON.stringify(started.body)).toBe(202);
  return { preview, operation: await runToEnd(world.broker, (started.body as unknown as Operation).id) };
}

test('ticked jobs of another queue: the operation is refused as if that queue did not exist', async () => {
  const jobs = [
    { queue: 'alpha', jobId: 'own-dead' },
    { queue: OTHER_QUEUE, jobId: `${OTHER_QUEUE}-dead` },
  ];
  for (const kind of ['redrive', 'purge', 'suppress', 'export', 'delete']) {
    const refused = await post('operations/preview', { kind, scope: { jobs } }, people.ofQueue);
    expect(refused.body).toMatchObject({ status: 404, code: 'QUEUE_NOT_FOUND' });
  }
  expect(await untouched()).toEqual(before);
});

test('ticked jobs of another tenant: left alone, and told apart by nothing from jobs that are gone', async () => {
  const scope = {
    jobs: [
      { queue: 'alpha', jobId: 'own-dead' },
      { queue: 'alpha', jobId: `${OTHER_TENANT}-dead` },
      { queue: 'alpha', jobId: 'never-was' },
    ],
  };
  const { preview, operation } = await run({ kind: 'purge', scope }, people.ofTenant);
  expect(preview.skips).toEqual({ changed: 2 });
  expect(preview.samples.map(({ jobId }) => jobId)).toEqual(['own-dead']);
  expect(operation).toMatchObject({ moved: 1, skipped: 2, skips: { changed: 2 } });
  expect(await stateOf(world.broker, 'alpha', `${OTHER_TENANT}-dead`)).toBe('dead');
  expect(await stateOf(world.broker, 'alpha', 'own-dead')).toBe('trashed');
});

test.each(['ofQueue', 'ofTenant'] as const)(
  'everything, says somebody (%s): everything of theirs',
  async (who) => {
    const looked = await post('operations/preview', { kind: 'suppress', scope: { q: '' } }, people[who]);
    const { count, breakdown } = looked.body as unknown as Preview;
    expect(breakdown.queue.map(({ value }) => value)).toEqual(['alpha']);
    expect(count).toBe(who === 'ofQueue' ? 3 : 1);
    const { operation } = await run({ kind: 'suppress', scope: { q: `queue:${OTHER_QUEUE}` } }, people[who]);
    expect(operation.moved).toBe(0);
    expect(await untouched()).toEqual(before);
  },
);

test('who says where they may look is the server', async () => {
  const within = [{ queue: '*', tenants: null }];
  const asked = await post('operations/preview', { kind: 'purge', scope: { q: '', within } }, people.ofQueue);
  expect(asked.body).toMatchObject({ status: 400, code: 'VALIDATION' });
});

test('the token of a preview is no right: whoever confirms it could have asked for it', async () => {
  const looked = await post('operations/preview', { kind: 'purge', scope: { q: '' } }, people.admin);
  const body = { previewToken: looked.body.token, reason: 'x' };
  const never = { ...body, previewToken: 'f'.repeat(40) };
  for (const headers of [people.ofQueue, people.ofTenant]) {
    const [real, unreal] = [
      await post('operations', body, headers),
      await post('operations', never, headers),
    ];
    expect(real.body).toMatchObject({ status: 409, code: 'PREVIEW_STALE' });
    expect({ ...real.body, requestId: '' }).toEqual({ ...unreal.body, requestId: '' });
  }
  expect(await untouched()).toEqual(before);
});

test('jobs go only where whoever moves them may put them', async () => {
  const move = (target: string) => ({ kind: 'move', scope: { q: '' }, target });
  for (const target of [OTHER_QUEUE, 'nowhere']) {
    const refused = await post('operations/preview', move(target), people.ofQueue);
    expect(refused.body).toMatchObject({ status: 404, code: 'QUEUE_NOT_FOUND' });
    expect(String(refused.body.detail)).toContain(`no queue ${target}`);
  }
});

test('a batch of jobs with one of another tenant: none comes in', async () => {
  const jobs = [
    { jobType: 'a', jobId: 'batch-1', tenantId: 'acme' },
    { jobType: 'a', jobId: 'batch-2', tenantId: OTHER_TENANT },
  ];
  const refused = await post('queues/alpha/jobs', { jobs }, people.ofTenant);
  expect(refused.body).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  for (const id of ['batch-1', 'batch-2'])
    expect(await stateOf(world.broker, 'alpha', id)).toBe('JOB_NOT_FOUND');
  // Without a tenant a job is the default tenant's, which is somebody else's, too.
  const silent = await post('queues/alpha/jobs', { jobType: 'a' }, people.ofTenant);
  expect(silent.body).toMatchObject({ status: 403, code: 'FORBIDDEN' });
});

test('a schedule is not brought to where its owner may not go, nor taken away from there', async () => {
  const job = { jobType: 'a', tenantId: 'acme' };
  const made = { id: 'mine', queue: 'alpha', timing: { cron: '0 9 * * *' }, job };
  expect((await post('schedules', made, people.ofTenant)).status).toBe(201);
  const patch = (body: object) =>
    callApi('PATCH', '/api/v1/schedules/mine', { body, headers: people.ofTenant });
  expect((await patch({ queue: OTHER_QUEUE })).body).toMatchObject({ status: 404, code: 'QUEUE_NOT_FOUND' });
  expect((await patch({ job: { ...job, tenantId: OTHER_TENANT } })).body).toMatchObject({
    code: 'FORBIDDEN',
  });
  expect((await patch({ job: { jobType: 'a' } })).body).toMatchObject({ code: 'FORBIDDEN' });
  const taken = await post('schedules', { ...made, queue: OTHER_QUEUE }, people.ofOtherQueue);
  expect(taken.body).toMatchObject({ status: 409, code: 'SCHEDULE_EXISTS' });
  expect(JSON.stringify(taken.body)).not.toContain('alpha');
  const { body } = await callApi('GET', '/api/v1/schedules/mine', { headers: people.ofTenant });
  expect(body).toMatchObject({ queue: 'alpha', job, generation: 1 });
});

test('two tenants of a sharded queue may name a job alike: each acts on their own', async () => {
  const { broker } = world;
  const spread = { body: { count: 8, by: 'tenant' }, headers: people.admin };
  expect((await callApi('PUT', '/api/v1/queues/twins/sharding', spread)).status).toBe(200);
  // As many tenants as it takes for two to be in different shards.
  const tenants = ['acme', ...Array.from({ length: 20 }, (_, i) => `other-${i}`)];
  for (const tenantId of tenants)
    await broker.enqueueMany('twins', [{ jobId: 'same', jobType: 'a', tenantId }]);
  const grants = [{ role: 'admin' as const, queues: ['twins'], tenants: ['acme'] }];
  const { headers } = await signInAs(world, { name: 'twin', grants });
  const seen = await callApi('GET', '/api/v1/queues/twins/jobs/same', { headers });
  expect(seen.body).toMatchObject({ envelope: { tenantId: 'acme' } });
  const total = async () => (await broker.inspect.list('twins', { state: 'ready', limit: 100 })).total;
  const all = await total();
  expect(all).toBeGreaterThan(1);
  expect((await post('queues/twins/jobs/same/remove', {}, headers)).status).toBe(200);
  expect(await total()).toBe(all - 1);
  expect((await post('queues/twins/jobs/same/remove', {}, headers)).body).toMatchObject({
    code: 'JOB_NOT_FOUND',
  });
  expect(await total()).toBe(all - 1);
});

test('the same Idempotency-Key of two people is two intents', async () => {
  const headers = (of: Record<string, string>) => ({ ...of, 'idempotency-key': 'one-key' });
  const job = { jobType: 'a', tenantId: 'acme' };
  const idOf = async (of: Record<string, string>) => {
    const { body } = await post('queues/alpha/jobs', job, headers(of));
    return (body.results as { jobId: string; outcome: string }[])[0];
  };
  const first = await idOf(people.ofTenant);
  expect(await idOf(people.ofQueue)).toMatchObject({ outcome: 'ready' });
  expect(await idOf(people.ofTenant)).toEqual({ jobId: first?.jobId, outcome: 'duplicate' });
});

test('a token of one\u2019s own is no second person', async () => {
  const grants = [{ role: 'admin' as const, queues: ['*'], tenants: null }];
  const ann = await signInAs(world, { name: 'second-ann', grants });
  const token = (await tokenFor(world, ann, grants)).headers;
  const careful = { body: { purgeNeedsApproval: true }, headers: people.admin };
  expect((await callApi('PATCH', `/api/v1/queues/${OTHER_QUEUE}/config`, careful)).status).toBe(200);
  for (const [starter, approver] of [
    [ann.headers, token],
    [token, ann.headers],
  ] as const) {
    const scope = { state: 'suppressed', q: `queue:${OTHER_QUEUE}` };
    const looked = await post('operations/preview', { kind: 'purge', scope }, starter);
    const started = await post('operations', { previewToken: looked.body.token, reason: 'x' }, starter);
    expect(started.body).toMatchObject({ status: 'awaiting-approval' });
    const approved = await post(`operations/${started.body.id}/approve`, {}, approver);
    expect(approved.body).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect((await post(`operations/${started.body.id}/reject`, {}, people.admin)).status).toBe(200);
  }
});
