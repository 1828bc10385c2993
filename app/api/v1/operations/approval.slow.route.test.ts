/**
 * M2: with `purgeNeedsApproval` nothing that one operator does ends in the deletion of a job or of what is in it, whatever they do first
 * and whatever they do next. Every action is tried before every other, on jobs in each state, and then time goes on.
 */
import { beforeAll, expect, test } from 'vitest';
import { STATE_COLUMN } from '@/lib/broker/redis/redis-keys';
import { ROLES } from '@/lib/contract/access/grant-scopes';
import { JOB_ACTIONS, type JobAction } from '@/lib/contract/jobs/job-actions';
import { JOB_STATES, type JobState } from '@/lib/contract/jobs/job-states';
import type { Operation } from '@/lib/contract/operations/operation';
import { KIND_STATES, OPERATION_KINDS, type OperationKind } from '@/lib/contract/operations/operation-kinds';
import { QUEUE_CONFIG_DEFAULT } from '@/lib/contract/queues/queue-config-default';
import { until } from '@/testing/poll';
import { INVENTORY } from '@/testing/security/route-inventory';
import { setUpConsole, type TestConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';
import { signInAs } from '@/testing/worlds/users';
import { claimOne, failure } from '@/testing/worlds/world';

const RULED = 'ruled';
const OTHER = 'other';
const QUEUES = [RULED, OTHER];
const BY = { actor: 'the test', reason: 'set up' };
const PAYLOAD = '{"order":7}';
const TEN_YEARS_MS = 10 * 365 * 86_400_000;

const world = await setUpConsole();
let later: TestConsole['broker'];
let headers: Record<string, string>;
let runner: import('@/lib/server/background/operation-runner').OperationRunner;
let redis: ReturnType<TestConsole['redis']['connect']>;

beforeAll(async () => {
  process.env.REDRIVE_RATE_FACTOR = '1000';
  redis = world.redis.connect();
  runner = (await import('@/lib/server/background/operation-runner')).getOperationRunner();
  later = world.brokerAt(() => Date.now() + TEN_YEARS_MS);
  headers = (
    await signInAs(world, { name: 'bob', grants: [{ role: 'operator', queues: ['*'], tenants: null }] })
  ).headers;
});

const ask = (method: string, path: string, body: unknown) => callApi(method, path, { body, headers });
type Act = () => Promise<unknown>;

/** What a route is asked besides: jobs, operations and settings have lists of their own below. */
const OWN_LIST =
  /\/jobs\/\[id\]\/\[action\]|\/operations|\/config$|\/session|\/access\/|\/me$|\[\.\.\.rest\]/;
const mayOperator = (needs: string) => (ROLES.operator as readonly string[]).includes(needs);
const ROUTES: [string, Act][] = Object.entries(INVENTORY).flatMap(([key, { needs, body, params }]) => {
  const [method = '', pattern = ''] = key.split(' ');
  if (method === 'GET' || method === 'HEAD' || OWN_LIST.test(pattern) || !mayOperator(needs)) return [];
  const usual: Record<string, string> = { queue: RULED, id: 's-dead', group: 'x', ...params };
  const path = pattern.replace(/\[(\w+)\]/g, (_, name: string) => usual[name] ?? 'missing');
  return [[key, () => ask(method, path, body)] as [string, Act]];
});

const jobIds = JOB_STATES.map((state) => `s-${state}`);
const rowsOf = (queue: string) => redis.hmget(`rd:{${queue}}:jobs`, ...jobIds);
async function jobsThere(): Promise<[string, string][]> {
  const there = QUEUES.map(async (queue) => {
    const rows = await rowsOf(queue);
    return jobIds.flatMap((id, i): [string, string][] => (rows[i] ? [[queue, id]] : []));
  });
  return (await Promise.all(there)).flat();
}
const JOB_ACTS = (Object.keys(JOB_ACTIONS) as JobAction[]).map((action): [string, Act] => [
  `${action} job by job`,
  async () => {
    for (const [queue, id] of await jobsThere())
      await ask('POST', `/api/v1/queues/${queue}/jobs/${id}/${action}`, { reason: 'x' });
  },
]);

/** Of the states a kind works on those that a job is in. */
async function statesThere(kind: OperationKind): Promise<JobState[]> {
  const counts = KIND_STATES[kind].map(async (state) => {
    const sizes = QUEUES.map((queue) => redis.zcard(`rd:{${queue}}:${STATE_COLUMN[state]}`));
    return (await Promise.all(sizes)).some((size) => size > 0) ? [state] : [];
  });
  return (await Promise.all(counts)).flat();
}

const MORE: Partial<Record<OperationKind, object>> = {
  move: { target: OTHER, includeUnsafe: true },
  redrive: { includeUnsafe: true },
  edit: { patch: [{ op: 'replace', path: '/order', value: 8 }], includeUnsafe: true },
  reschedule: { dueAt: 1 },
};
async function operate(kind: OperationKind, scope: object, control: object = {}): Promise<void> {
  const looked = await ask('POST', '/api/v1/operations/preview', { kind, scope, ...MORE[kind] });
  if (looked.status !== 200 || looked.body.count === 0) return;
  const { token, typedCount } = looked.body;
  const typed = typedCount === null ? {} : { typedCount };
  await ask('POST', '/api/v1/operations', { previewToken: token, reason: 'x', ...typed, ...control });
}
const operations = async () =>
  (await callApi('GET', '/api/v1/operations', { headers })).body.operations as Operation[];
const atRest = () =>
  until(
    async () => {
      const running = await world.broker.operations.running();
      // Its runner may have looked while the operation was not there.
      for (const id of running) runner.run(id);
      return running.length === 0;
    },
    { what: 'the operations to end', everyMs: 2 },
  );
/** An export takes nothing away, and waits for somebody to fetch it. */
const KINDS = OPERATION_KINDS.filter((kind) => kind !== 'export' && kind !== 'delete-queue');
const OPERATIONS = KINDS.map((kind): [string, Act] => [
  `${kind} all`,
  async () => {
    for (const state of await statesThere(kind)) await operate(kind, { state, q: '' });
    await atRest();
  },
]);
/** Of these, whether there are any to lose is told in another way. */
const TICKED = (['purge', 'delete', 'edit', 'move', 'cancel'] as const).map((kind): [string, Act] => [
  `${kind} ticked jobs`,
  async () => {
    const jobs = (await jobsThere()).map(([queue, jobId]) => ({ queue, jobId }));
    for (const state of await statesThere(kind)) await operate(kind, { state, jobs });
    await atRest();
  },
]);
const DELETION: [string, Act] = [
  'delete each queue',
  async () => {
    for (const queue of new Set((await jobsThere()).map(([one]) => one))) {
      const looked = await ask('POST', '/api/v1/operations/preview', {
        kind: 'delete-queue',
        scope: { q: '', queue },
      });
      const { token } = looked.body;
      await ask('POST', '/api/v1/operations', { previewToken: token, reason: 'x', typedName: queue });
    }
    await atRest();
  },
];
const OWN_OPERATIONS = ['approve', 'resume', 'undo'].map((action): [string, Act] => [
  `${action} every operation`,
  async () => {
    for (const { id } of await operations())
      await ask('POST', `/api/v1/operations/${id}/${action}`, { reason: 'x' });
    await atRest();
  },
]);

const LIFTED: [string, Act] = [
  'lift the rate of every operation',
  async () => {
    for (const { id } of await operations())
      await ask('PATCH', `/api/v1/operations/${id}`, { rate: { perSecond: null } });
    await atRest();
  },
];

/** As little as each setting takes. */
const LEAST: Readonly<Record<string, unknown>> = {
  depthLimit: 1,
  shedAtPercent: 1,
  rate: { perSecond: 0.001, burst: 1 },
  concurrency: 1,
  tenantLimit: { concurrency: 1 },
  tenantLimits: { default: { concurrency: 1 } },
  fair: 'tenant',
  maxDeliveries: 1,
  retry: { maxAttempts: 1, classes: [] },
  retryByType: { a: { maxAttempts: 1 } },
  completedKeep: 0,
  completedKeepMs: 1_000,
  completedKeepBytes: 1_024,
  resendWindowMs: 60_000,
  deadKeepMs: 60_000,
  trashGraceMs: 0,
  purgeNeedsApproval: false,
  redact: [],
  objectiveAgeMs: 1_000,
  objectiveFailurePercent: 1,
  objectiveDepth: 1,
};
const FINAL: ReadonlySet<string> = new Set([
  'completedKeep',
  'completedKeepMs',
  'completedKeepBytes',
  'deadKeepMs',
  'trashGraceMs',
  'purgeNeedsApproval',
  'redact',
]);
const STEERING = Object.fromEntries(Object.entries(LEAST).filter(([field]) => !FINAL.has(field)));
const SETTINGS = [
  STEERING,
  ...Object.entries(LEAST).flatMap(([field, value]) => (FINAL.has(field) ? [{ [field]: value }] : [])),
].map((patch): [string, Act] => [
  Object.keys(patch).join(', '),
  async () => {
    for (const queue of QUEUES)
      await ask('PATCH', `/api/v1/queues/${queue}/config`, { ...patch, reason: 'x' });
  },
]);

const NOTHING: [string, Act] = ['nothing', async () => undefined];
const ACTS: [string, Act][] = [
  ...ROUTES,
  ...JOB_ACTS,
  ...OPERATIONS,
  ...TICKED,
  DELETION,
  ...OWN_OPERATIONS,
  LIFTED,
  ...SETTINGS,
];
/** Begun while no queue asks for approval: the first job at once, the others in hours. */
const SLOWLY = (['purge', 'delete', 'edit', 'move'] as const).map((kind): [string, Act] => [
  `${kind} all slowly`,
  async () => {
    for (const state of await statesThere(kind))
      await operate(kind, { state, q: `queue:${RULED}` }, { rate: { perSecond: 0.0001 } });
    await until(
      async () => (await operations()).every(({ moved, status }) => moved > 0 || status !== 'running'),
      {
        what: 'the first job of each operation',
        everyMs: 5,
      },
    );
  },
]);

const switchOn = () => world.broker.config.change(RULED, { purgeNeedsApproval: true }, BY);

/** Two queues: one that asks for approval, with a job in each state, and one that does not. */
async function setUp(): Promise<void> {
  await putBack([]);
  await fillRuled();
  await world.broker.enqueue(OTHER, { jobId: 'x', jobType: 'a', payload: '{}' });
  await switchOn();
}

async function fillRuled(): Promise<void> {
  const { broker } = world;
  const enter = (state: string, more: object = {}) =>
    broker.enqueue(RULED, { jobId: `s-${state}`, jobType: 'a', payload: PAYLOAD, ...more });
  for (const state of ['dead', 'suppressed', 'trashed', 'retry', 'completed', 'in-flight'] as const) {
    await enter(state);
    const job = await claimOne(broker, RULED);
    if (state === 'completed') await broker.ack(RULED, [job]);
    else if (state === 'retry')
      await broker.fail(RULED, [{ ...job, failure: { ...failure('X', 'retryable'), retryInMs: 600_000 } }]);
    else if (state !== 'in-flight') await broker.fail(RULED, [{ ...job, failure: failure() }]);
  }
  await broker.suppress(RULED, ['s-suppressed'], BY);
  await broker.purge(RULED, ['s-trashed'], BY);
  await broker.restore(RULED, ['s-trashed'], BY);
  await enter('scheduled', { delayMs: 600_000 });
  await enter('held', { tenantId: 'h' });
  await broker.pause(RULED, { scope: 'tenant:h', reason: 'x' }, BY);
  await broker.claim(RULED, { worker: 'w' });
  await enter('ready');
}

type Stored = readonly (readonly [key: string, dump: Buffer])[];
/** All but who is signed in, and which queues there are. */
const storedKeys = async () =>
  (await redis.keys('*')).filter((key) =>
    /\{(ruled|other|inside|\.operations|\.schedules|\.queues)\}/.test(key),
  );
async function takeAway(): Promise<Stored> {
  const keys = await storedKeys();
  const dumps = await Promise.all(keys.map((key) => redis.dumpBuffer(key)));
  return keys.flatMap((key, i) => (dumps[i] ? [[key, dumps[i]] as const] : []));
}
/** Without what was noted of it. */
const printOf = (stored: Stored): string =>
  stored
    .filter(([key]) => !/:(audit|changes|events|wake)$/.test(key))
    .map(([key, dump]) => `${key}=${dump.toString('base64')}`)
    .sort()
    .join('\n');
async function putBack(stored: Stored): Promise<void> {
  const keys = await storedKeys();
  if (keys.length > 0) await redis.del(...keys);
  await Promise.all(stored.map(([key, dump]) => redis.restore(key, 0, dump)));
}

async function timeGoesOn(): Promise<void> {
  for (const queue of QUEUES) for (let calls = 0; calls < 3; calls += 1) await later.maintain(queue);
}

/** Ids of jobs of which the payload they came with is in neither queue. */
async function gone(): Promise<string[]> {
  const rows = await Promise.all(QUEUES.map(rowsOf));
  return jobIds.filter((_, i) => !rows.some((row) => row[i]?.endsWith(`\n${PAYLOAD}`)));
}

test('every setting is tried', () => {
  const fields = Object.keys(QUEUE_CONFIG_DEFAULT);
  expect(Object.keys(LEAST).sort()).toEqual(fields.sort());
});

test('M2: the set-up has a job in each state, and time alone takes none of them away', async () => {
  await setUp();
  const { broker } = world;
  const states = await Promise.all(jobIds.map(async (id) => (await broker.inspect.job(RULED, id)).state));
  // What is in the trash has been purged already: it is a dead letter here, so that nothing may take it.
  expect(states).toEqual(JOB_STATES.map((state) => (state === 'trashed' ? 'dead' : state)));
  await timeGoesOn();
  expect(await gone()).toEqual([]);
});

test('M2: no two actions of one operator delete a job of a queue that asks for approval, or what is in it', {
  timeout: 900_000,
}, async () => {
  const lost: string[] = [];
  await setUp();
  const start = await takeAway();
  const seen = new Set([printOf(start)]);
  for (const [first, act] of [NOTHING, ...ACTS]) {
    await putBack(start);
    await act();
    const after = await takeAway();
    // What left things as something else had left them leads to nothing else.
    if (seen.has(printOf(after)) && act !== NOTHING[1]) continue;
    seen.add(printOf(after));
    for (const [second, actAgain] of ACTS) {
      await putBack(after);
      await actAgain();
      await timeGoesOn();
      const ids = await gone();
      if (ids.length > 0) lost.push(`${first}, then ${second}: ${ids.join(' ')}`);
    }
  }
  expect(lost).toEqual([]);
});

/** An older job in each state in which a slow operation takes one at once. */
async function setUpUnruled(): Promise<void> {
  await putBack([]);
  const { broker } = world;
  const job = (name: string, more: object = {}) =>
    broker.enqueue(RULED, { jobId: `f-${name}`, jobType: 'a', payload: '{}', ...more });
  for (const name of ['dead', 'suppressed', 'completed']) {
    await job(name);
    const claim = await claimOne(broker, RULED);
    if (name === 'completed') await broker.ack(RULED, [claim]);
    else await broker.fail(RULED, [{ ...claim, failure: failure() }]);
  }
  await broker.suppress(RULED, ['f-suppressed'], BY);
  await job('scheduled', { delayMs: 500_000 });
  await fillRuled();
  await broker.enqueue(OTHER, { jobId: 'x', jobType: 'a', payload: '{}' });
}

test('M2: what began before a queue asks for approval deletes nothing more afterwards, whatever its starter does', {
  timeout: 600_000,
}, async () => {
  const lost: string[] = [];
  for (const [slow, begin] of SLOWLY) {
    await setUpUnruled();
    await begin();
    await switchOn();
    const start = await takeAway();
    const before = new Set(await gone());
    expect(before.size).toBeLessThan(jobIds.length);
    for (const [then, act] of ACTS) {
      await putBack(start);
      await act();
      await atRest();
      await timeGoesOn();
      const ids = (await gone()).filter((id) => !before.has(id));
      if (ids.length > 0) lost.push(`${slow}, switched on, then ${then}: ${ids.join(' ')}`);
    }
  }
  expect(lost).toEqual([]);
});
