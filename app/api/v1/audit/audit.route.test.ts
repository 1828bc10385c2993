/** The audit log over HTTP: every mutation leaves exactly one entry, refused attempts theirs, and each reader sees what is theirs to see. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { verifyFile } from '@/lib/broker';
import type { Grant, Role } from '@/lib/contract/access/grant-scopes';
import type { AuditEventView, AuditPage } from '@/lib/contract/audit/audit-schemas';
import { LAB_DEFAULTS } from '@/lib/contract/lab/lab-settings';
import { ChangePurse } from '@/lib/server/authorization/change-purse';
import { until } from '@/testing/poll';
import { IDLE_REPORT } from '@/testing/records/idle-worker';
import { setUpConsole } from '@/testing/worlds/console-server';
import { answersMethod, callApi, routeFiles } from '@/testing/worlds/route-caller';
import { signInAs, tokenFor } from '@/testing/worlds/users';
import { jobs, killAll } from '@/testing/worlds/world';

const KEY = 'a-key-of-more-than-32-characters-for-the-log';
type Headers = Record<string, string>;
const world = await setUpConsole();
let admin: { headers: Headers; userId: string; sessionId: string };
const grants = (role: Role, queues = ['*'], tenants: string[] | null = null): Grant[] => [
  { role, queues, tenants },
];
const because = { reason: 'because' };

beforeAll(async () => {
  process.env.REDRIVE_AUDIT_KEY = KEY;
  process.env.REDRIVE_RATE_FACTOR = '1000';
  // Nobody listens there: the attempt is what counts.
  process.env.REDRIVE_ALERTS = JSON.stringify({
    channels: [{ name: 'night', kind: 'webhook', url: 'http://127.0.0.1:9/', secret: '0123456789abcdef' }],
    allowedHosts: ['127.0.0.1:9'],
  });
  admin = await signInAs(world, { name: 'root', grants: grants('admin') });
  await world.broker.enqueueMany('email', jobs(30));
  await world.broker.enqueueMany('sms', jobs(3));
});
afterAll(async () => {
  delete process.env.REDRIVE_AUDIT_KEY;
  delete process.env.REDRIVE_ALERTS;
});

async function ask(method: string, path: string, body?: unknown, headers: Headers = admin.headers) {
  const answer = await callApi(method, `/api/v1/${path}`, {
    headers,
    ...(body === undefined ? {} : { body }),
  });
  return { status: answer.status, body: answer.body, text: () => answer.response.text() };
}
async function entries(query = '', headers: Headers = admin.headers): Promise<AuditEventView[]> {
  const { collector } = await server();
  await collector.look();
  const { status, body } = await ask('GET', `audit?limit=200${query}`, undefined, headers);
  expect(status).toBe(200);
  return (body as unknown as AuditPage).events;
}
const server = async () => ({
  collector: (await import('@/lib/server/audit/audit-collector')).getAuditCollector(),
  refusals: (await import('@/lib/server/audit/audit-refusals')).getRefusalLog(),
});
async function* read(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}
let seen = 0;
/** What has come in since the last call, oldest first. */
async function fresh(): Promise<AuditEventView[]> {
  const found = (await entries()).filter(({ n }) => n > seen).reverse();
  seen = found.at(-1)?.n ?? seen;
  return found;
}

/** Made by the step before, for the path of the next. */
const made: Record<string, string> = {};
interface Step {
  readonly route: string;
  readonly path: string | (() => string);
  readonly body?: unknown | (() => unknown);
  readonly action: string;
  readonly others?: readonly string[];
  readonly keep?: (body: Record<string, unknown>) => void;
  readonly before?: () => Promise<unknown>;
}
const Q = '/api/v1/queues/[queue]';
const timing = { cron: '0 9 * * *' };
const preview = async (kind: string, q = 'queue:email') => {
  const { body } = await ask('POST', 'operations/preview', { kind, scope: { state: 'dead', q } });
  made.token = String(body.token);
  made.typed = JSON.stringify(body.typedCount ?? null);
};
const startBody = () => ({
  previewToken: made.token,
  ...because,
  ...(made.typed === 'null' ? {} : { typedCount: Number(made.typed) }),
});
const kill = (id: string) => () =>
  killAll(world.broker, 'email', [{ jobId: id, jobType: 'demo', payload: '{}' }]);
const later = (jobId: string) => () =>
  world.broker.enqueue('email', { jobId, jobType: 'demo', payload: '{}', delayMs: 3_600_000 });
const jobStep = (action: string, id: string, before?: () => Promise<unknown>): Step => ({
  route: `POST ${Q}/jobs/[id]/[action]`,
  path: `queues/email/jobs/${id}/${action}`,
  body: because,
  action: `job.${action}`,
  before,
});
const operationStep = (act: string, others: readonly string[] = []): Step => ({
  route: 'POST /api/v1/operations/[id]/[action]',
  path: () => `operations/${made.operation}/${act}`,
  body: because,
  action: `operation.${act}`,
  others,
});

const STEPS: readonly Step[] = [
  { route: `POST ${Q}/pause`, path: 'queues/email/pause', body: because, action: 'queue.pause' },
  { route: `POST ${Q}/resume`, path: 'queues/email/resume', body: because, action: 'queue.resume' },
  { route: `POST ${Q}/drain`, path: 'queues/email/drain', body: because, action: 'queue.drain' },
  {
    route: `POST ${Q}/drain`,
    path: 'queues/email/drain',
    body: { draining: false, ...because },
    action: 'queue.undrain',
  },
  {
    route: `PATCH ${Q}/config`,
    path: 'queues/email/config',
    body: { completedKeep: 5, ...because },
    action: 'queue.config',
  },
  {
    route: `PUT ${Q}/sharding`,
    path: 'queues/new/sharding',
    body: { count: 2 },
    action: 'queue.sharding',
    // Each shard has its part of the limits, on its own record.
    others: ['queue.config', 'queue.config'],
  },
  {
    route: `POST ${Q}/reclaim`,
    path: 'queues/sms/reclaim',
    action: 'queue.reclaim',
    before: async () => {
      const past = world.brokerAt(() => Date.now() - 3_600_000);
      await past.claim('sms', { worker: 'gone', count: 1, leaseMs: 1_000 });
    },
  },
  {
    route: `POST ${Q}/jobs`,
    path: 'queues/email/jobs',
    body: { jobs: [{ jobType: 'demo' }, { jobType: 'demo' }] },
    action: 'job.enqueue',
  },
  jobStep('redrive', 'd1', kill('d1')),
  jobStep('suppress', 'd2', kill('d2')),
  jobStep('restore', 'd2'),
  jobStep('purge', 'd2'),
  jobStep('remove', 'd2'),
  jobStep('cancel', 'waits', later('waits')),
  jobStep('promote', 'later', later('later')),
  {
    route: `POST ${Q}/jobs/[id]/unmask`,
    path: 'queues/email/jobs/later/unmask',
    body: because,
    action: 'job.unmask',
  },
  {
    route: 'POST /api/v1/operations',
    path: 'operations',
    body: startBody,
    action: 'operation.start',
    before: () => preview('export'),
    keep: (body) => {
      made.operation = String(body.id);
    },
  },
  {
    route: 'PATCH /api/v1/operations/[id]',
    path: () => `operations/${made.operation}`,
    body: { rate: { perSecond: 1 } },
    action: 'operation.change',
  },
  operationStep('pause'),
  operationStep('resume'),
  operationStep('cancel', ['operation.end']),
  {
    route: 'POST /api/v1/operations/[id]/undo',
    path: () => `operations/${made.operation}/undo`,
    body: because,
    action: 'operation.undo',
    before: async () => {
      await kill('d3')();
      await preview('suppress', 'id:d3');
      const { body } = await ask('POST', 'operations', startBody());
      made.operation = String(body.id);
      const { broker } = world;
      await until(async () => (await broker.operations.get(made.operation ?? '')).status === 'completed', {
        timeoutMs: 10_000,
        what: 'the operation to end',
      });
    },
    // The undoing itself may have ended by the time the log is read.
    others: ['operation.end?'],
  },
  {
    route: 'PATCH /api/v1/dead/groups/[group]',
    path: () => `dead/groups/${made.group}`,
    body: { note: 'known' },
    action: 'group.change',
    before: async () => {
      await kill('d4')();
      const { body } = await ask('GET', 'dead/groups');
      made.group = (body.groups as { group: string }[])[0]?.group ?? '';
    },
  },
  {
    route: 'POST /api/v1/searches',
    path: 'searches',
    body: { name: 'mine', q: 'type:a' },
    action: 'search.save',
    keep: (body) => {
      made.search = String(body.id);
    },
  },
  {
    route: 'DELETE /api/v1/searches/[id]',
    path: () => `searches/${made.search}`,
    body: {},
    action: 'search.remove',
  },
  {
    route: 'POST /api/v1/marks',
    path: 'marks',
    body: { kind: 'deploy', text: 'mailer', version: '2.3.1' },
    action: 'mark.add',
  },
  {
    route: 'POST /api/v1/schedules',
    path: 'schedules',
    body: { id: 'nightly', queue: 'email', timing, job: { jobType: 'a' } },
    action: 'schedule.create',
  },
  {
    route: 'PATCH /api/v1/schedules/[id]',
    path: 'schedules/nightly',
    body: { overlap: 'allow', missed: 'all' },
    action: 'schedule.change',
  },
  {
    route: 'POST /api/v1/schedules/[id]/pause',
    path: 'schedules/nightly/pause',
    body: {},
    action: 'schedule.pause',
  },
  {
    route: 'POST /api/v1/schedules/[id]/resume',
    path: 'schedules/nightly/resume',
    body: {},
    action: 'schedule.resume',
  },
  {
    route: 'POST /api/v1/schedules/[id]/run',
    path: 'schedules/nightly/run',
    body: {},
    action: 'schedule.run',
  },
  { route: 'DELETE /api/v1/schedules/[id]', path: 'schedules/nightly', body: {}, action: 'schedule.delete' },
  {
    route: 'POST /api/v1/workers/requests',
    path: 'workers/requests',
    body: { action: 'quiet', workers: ['w-1'], ...because },
    action: 'worker.quiet',
    before: () => world.broker.workers.report({ ...IDLE_REPORT, queues: { email: 1 } }),
  },
  { route: 'PUT /api/v1/lab', path: 'lab', body: LAB_DEFAULTS, action: 'lab.settings' },
  { route: 'POST /api/v1/lab/burst', path: 'lab/burst', body: { jobs: 50 }, action: 'lab.burst' },
  { route: 'POST /api/v1/lab/session', path: 'lab/session', body: {}, action: 'lab.reset' },
  {
    route: 'POST /api/v1/lab/drill',
    path: 'lab/drill',
    body: { action: 'start', drill: 'bad-deploy' },
    action: 'lab.drill',
  },
  {
    route: 'POST /api/v1/alerts/[id]/acknowledge',
    path: () => `alerts/${made.alert}/acknowledge`,
    body: {},
    action: 'alert.acknowledge',
    before: async () => {
      const finding = {
        code: 'DEEP',
        level: 'bad',
        sentence: 'x',
        queues: { total: 0, named: [] as string[] },
      } as const;
      const look = {
        at: await world.broker.now(),
        findings: [{ ...finding, evidence: null }],
        isComplete: true,
      };
      await world.broker.alerts.look(look, { forMs: () => 0, resolveAfterMs: 0 }, []);
      made.alert = (await world.broker.alerts.read()).live[0]?.id ?? '';
    },
  },
  {
    route: 'POST /api/v1/alerts/silences',
    path: 'alerts/silences',
    body: { code: 'DEEP', forMs: 60_000, ...because },
    action: 'alert.silence',
    keep: (body) => {
      made.silence = String(body.id);
    },
  },
  {
    route: 'DELETE /api/v1/alerts/silences/[id]',
    path: () => `alerts/silences/${made.silence}`,
    body: because,
    action: 'alert.unsilence',
  },
  {
    route: 'POST /api/v1/alerts/channels',
    path: 'alerts/channels',
    body: { channel: { name: 'chat', kind: 'slack', url: 'https://hooks.example.com/x' }, ...because },
    action: 'alert.channel-add',
  },
  {
    route: 'PATCH /api/v1/alerts/channels/[name]',
    path: 'alerts/channels/chat',
    body: { channel: { levels: ['bad'] }, ...because },
    action: 'alert.channel-change',
  },
  {
    route: 'DELETE /api/v1/alerts/channels/[name]',
    path: 'alerts/channels/chat',
    body: because,
    action: 'alert.channel-remove',
  },
  {
    route: 'POST /api/v1/alerts/channels/[name]/test',
    path: 'alerts/channels/night/test',
    body: because,
    action: 'alert.test',
  },
  {
    route: 'POST /api/v1/access/tokens',
    path: 'access/tokens',
    body: { name: 'a program', grants: [{ role: 'viewer' }] },
    action: 'token.create',
    keep: (body) => {
      made.tokenId = (body.view as { id: string }).id;
    },
  },
  {
    route: 'DELETE /api/v1/access/tokens/[id]',
    path: () => `access/tokens/${made.tokenId}`,
    body: {},
    action: 'token.revoke',
  },
  {
    route: 'PATCH /api/v1/access/users/[id]',
    path: 'access/users/local%3Abob',
    body: { grants: [{ role: 'viewer' }], ...because },
    action: 'access.change',
    before: () => signInAs(world, { name: 'bob', grants: grants('operator') }),
  },
  {
    route: 'DELETE /api/v1/access/sessions/[id]',
    path: () => `access/sessions/${made.session}`,
    body: {},
    action: 'session.end',
    before: async () => {
      made.session = (await signInAs(world, { name: 'bob', grants: grants('viewer') })).sessionId;
    },
  },
];
/** Change nothing, or are entered by their own tests: claims are the history of jobs, and whoever signs in has no session yet. */
const APART: ReadonlySet<string> = new Set([
  'POST /api/v1/operations/preview',
  'POST /api/v1/schedules/preview',
  'PUT /api/v1/me',
  // A person's own, and of no consequence to others.
  'PUT /api/v1/me/tables',
  `POST ${Q}/claim`,
  'POST /api/v1/session',
  'POST /api/v1/session/link',
  'POST /api/v1/session/reauthentication',
  'POST /api/v1/session/password',
  'DELETE /api/v1/session',
  'DELETE /api/v1/access/sessions',
  // As a queue's own reclaim, for each queue of the demo.
  'POST /api/v1/lab/reclaim',
]);

/** Bounded otherwise, or paid for when the operation began. */
const isUnpaid = ({ action }: AuditEventView): boolean =>
  /^session\.|^token\.revoke$|^operation\.(end|arrive)$/.test(action);

describe('S: every mutation leaves exactly one entry', () => {
  test('and this table has every route that changes something', async () => {
    const found: string[] = [];
    for (const { pattern, file } of routeFiles()) {
      if (!pattern.startsWith('/api/v1/')) continue;
      const module = (await import(/* @vite-ignore */ file)) as Record<string, unknown>;
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
        if (answersMethod(module, method)) found.push(`${method} ${pattern}`);
    }
    const here = new Set([...STEPS.map(({ route }) => route), ...APART]);
    expect(found.filter((route) => !here.has(route))).toEqual([]);
  });

  test.each(STEPS)('$route: $action', async ({ route, path, body, action, others = [], keep, before }) => {
    await before?.();
    await fresh();
    const sent = typeof body === 'function' ? body() : body;
    const where = typeof path === 'function' ? path() : path;
    const [method = ''] = route.split(' ');
    const [paid, unused] = [
      vi.spyOn(ChangePurse.prototype, 'before'),
      vi.spyOn(ChangePurse.prototype, 'unused'),
    ];
    const answer = await ask(method, where, sent);
    const paidFor = paid.mock.calls.length - unused.mock.calls.length;
    vi.restoreAllMocks();
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    keep?.(answer.body);
    const entered = (await fresh()).filter((entry) => !others.includes(`${entry.action}?`));
    expect(entered.map((entry) => entry.action).sort()).toEqual(
      [action, ...others.filter((one) => !one.endsWith('?'))].sort(),
    );
    expect(paidFor, 'events that the request has paid for').toBe(
      entered.filter((one) => !isUnpaid(one)).length,
    );
    const entry = entered.find((one) => one.action === action);
    expect(entry).toMatchObject({
      actor: 'root',
      actorId: 'local:root',
      method: 'local',
      via: admin.sessionId,
      address: expect.any(String),
      result: 'done',
      code: null,
      object: { kind: expect.any(String), id: expect.stringMatching(/./) },
      requestId: expect.stringMatching(/./),
    });
    const reason = typeof sent === 'object' && sent !== null && 'reason' in sent ? 'because' : null;
    if (reason) expect(entry?.reason).toBe(reason);
  });

  test('and the file of an export is entered when it is fetched', async () => {
    await preview('export');
    const { body } = await ask('POST', 'operations', startBody());
    await fresh();
    const file = await ask('GET', `operations/${String(body.id)}/file`);
    await file.text();
    await until(async () => (await world.broker.operations.get(String(body.id))).status === 'completed', {
      timeoutMs: 5_000,
      what: 'the file to be written',
    });
    const entered = await fresh();
    expect(entered.map(({ action }) => action).sort()).toEqual(['operation.download', 'operation.end']);
    expect(entered.find(({ action }) => action === 'operation.download')).toMatchObject({
      actor: 'root',
      object: { kind: 'operation', id: String(body.id) },
    });
  });

  test('and the chain holds', async () => {
    const { status, body } = await ask('GET', 'audit/check');
    expect(status).toBe(200);
    expect(body).toMatchObject({ ok: true, keyed: true, problems: [] });
  });
});

describe('a refused attempt is entered', () => {
  const refusedOf = async (action: string) =>
    (await fresh()).filter((entry) => entry.result === 'refused' && entry.action === action);
  /** Forgets what was counted, so that the next attempt is the first of its kind. */
  const begin = async () => {
    await (await server()).refusals.flush();
    await fresh();
  };

  test('when the permission is missing, with who and what', async () => {
    const { headers, sessionId } = await signInAs(world, { name: 'viewer', grants: grants('viewer') });
    await begin();
    expect((await ask('POST', 'queues/email/pause', because, headers)).status).toBe(403);
    await ask('POST', 'queues/email/pause', because, headers);
    await ask('POST', 'queues/email/pause', because, headers);
    const first = await refusedOf('queue.pause');
    expect(first).toMatchObject([
      {
        actor: 'viewer',
        actorId: 'local:viewer',
        via: sessionId,
        code: 'FORBIDDEN',
        object: { kind: 'queue', id: 'email' },
        queue: 'email',
        count: 1,
      },
    ]);
    await (await server()).refusals.flush();
    expect(await refusedOf('queue.pause')).toMatchObject([{ code: 'FORBIDDEN', count: 2 }]);
  });

  test('outside of somebody’s rights, though they are told that it does not exist', async () => {
    const { headers } = await signInAs(world, { name: 'elsewhere', grants: grants('admin', ['sms']) });
    await begin();
    expect((await ask('POST', 'queues/email/pause', because, headers)).body.code).toBe('QUEUE_NOT_FOUND');
    expect(await refusedOf('queue.pause')).toMatchObject([{ code: 'QUEUE_NOT_FOUND', queue: 'email' }]);
    expect((await ask('GET', 'queues/email/config', undefined, headers)).status).toBe(404);
    expect(await fresh()).toEqual([]);
  });

  test('without a proof, with a bad token, from another site', async () => {
    const { headers } = await signInAs(world, { name: 'unproved', grants: grants('admin'), proved: false });
    await begin();
    await ask('POST', 'queues/email/jobs/j000001/purge', because, headers);
    await ask('POST', 'queues/email/pause', because, { authorization: 'Bearer rdt_no-such-token' });
    await ask('POST', 'queues/email/drain', because, { ...admin.headers, 'sec-fetch-site': 'cross-site' });
    await ask('POST', 'queues/email/drain', because, {});
    expect((await fresh()).map(({ action, code, actor }) => [action, code, actor]).sort()).toEqual([
      ['job.purge', 'REAUTHENTICATION_REQUIRED', 'unproved'],
      ['queue.drain', 'CROSS_ORIGIN', 'anonymous'],
      ['queue.pause', 'UNAUTHENTICATED', 'anonymous'],
    ]);
  });

  test('when a signed-in person asks for what cannot be', async () => {
    await begin();
    await ask('POST', 'queues/email/jobs/j000001/restore', because);
    await ask('POST', 'operations', { previewToken: 'x'.repeat(22), ...because });
    await ask('PATCH', 'queues/email/config', { depthLimit: -1 });
    await ask('GET', 'dead?q=(((');
    const found = await fresh();
    expect(found.map(({ action, result }) => [action, result]).sort()).toEqual([
      ['job.restore', 'refused'],
      ['operation.start', 'refused'],
      ['queue.config', 'refused'],
    ]);
    expect(found.find(({ action }) => action === 'job.restore')).toMatchObject({
      code: 'WRONG_STATE',
      object: { kind: 'job', id: 'j000001' },
    });
  });

  test('of a token, under its own name', async () => {
    const token = await tokenFor(world, { userId: admin.userId, name: 'root' }, grants('viewer'));
    await begin();
    await ask('POST', 'queues/email/pause', because, token.headers);
    expect(await refusedOf('queue.pause')).toMatchObject([
      { actorId: `token:${token.id}`, method: 'token', code: 'FORBIDDEN' },
    ]);
  });
});

describe('who reads it', () => {
  test('without the permission sees what they did themselves, and no file, no check', async () => {
    const { headers } = await signInAs(world, { name: 'olga', grants: grants('operator') });
    expect((await entries('', headers)).map(({ action }) => action)).toEqual(['session.begin']);
    await ask('POST', 'queues/email/pause', because, headers);
    const own = await entries('', headers);
    expect(own.map(({ action, actorId }) => [action, actorId])).toEqual([
      ['queue.pause', 'local:olga'],
      ['session.begin', 'local:olga'],
    ]);
    expect((await ask('GET', 'audit/file', undefined, headers)).status).toBe(403);
    expect((await ask('GET', 'audit/check', undefined, headers)).status).toBe(403);
    const page = await ask('GET', 'audit', undefined, headers);
    expect(page.body).toMatchObject({ scanned: 4, of: 4, pending: 0 });
  });

  test('of some queues sees these, and nothing that belongs to none or to others', async () => {
    const { headers } = await signInAs(world, { name: 'sms-admin', grants: grants('admin', ['sms']) });
    const seenThere = await entries('', headers);
    expect(seenThere.length).toBeGreaterThan(0);
    for (const entry of seenThere) if (entry.actorId !== 'local:sms-admin') expect(entry.queue).toBe('sms');
    expect(await entries('&queue=email', headers)).toEqual([]);
    const { headers: tenantOnly } = await signInAs(world, {
      name: 'tenant',
      grants: grants('admin', ['sms'], ['acme']),
    });
    expect((await entries('', tenantOnly)).map(({ actorId }) => actorId)).toEqual(['local:tenant']);
    const file = await ask('GET', 'audit/file', undefined, headers);
    const text = await file.text();
    expect(text).not.toContain('"queue":"email"');
    expect(text).not.toContain('token.create');
  });

  test('finds by filter, and is refused a filter that is none', async () => {
    expect((await entries('&action=schedule')).every(({ action }) => action.startsWith('schedule.'))).toBe(
      true,
    );
    expect((await entries('&actor=olga&action=queue')).map(({ action }) => action)).toEqual(['queue.pause']);
    expect((await ask('GET', 'audit?limit=0')).status).toBe(400);
    expect((await ask('GET', 'audit?nonsense=1')).status).toBe(400);
    expect((await ask('GET', 'audit?cursor=x')).body.code).toBe('BAD_CURSOR');
  });

  test('takes a file along that can be verified, and is on record for it', async () => {
    await fresh();
    const file = await ask('GET', 'audit/file');
    expect(file.status).toBe(200);
    const lines = (await file.text()).trimEnd().split('\n');
    const verdict = await verifyFile([KEY], read(lines));
    expect(verdict).toMatchObject({ ok: true, problems: [], notes: [] });
    expect(verdict.checked).toBe(lines.length - 2);
    expect((await fresh()).map(({ action, actor }) => [action, actor])).toEqual([['audit.export', 'root']]);
    const tampered = lines.with(3, (lines[3] ?? '').replace('"actor":"root"', '"actor":"eve"'));
    expect((await verifyFile([KEY], read(tampered))).ok).toBe(tampered[3] === lines[3]);
    const shorter = lines.toSpliced(4, 1);
    expect((await verifyFile([KEY], read(shorter))).problems.map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(/^Entry 4 is missing/),
      expect.stringMatching(/^The last line says/),
    ]);
    const part = await ask('GET', 'audit/file?action=queue&queue=email');
    const partLines = (await part.text()).trimEnd().split('\n');
    expect(await verifyFile([KEY], read(partLines))).toMatchObject({
      ok: true,
      notes: ['The file holds a part of the log: entries are checked, not whether all are there.'],
    });
  });

  test('gets a CSV that no spreadsheet runs and no terminal obeys', async () => {
    await world.broker.audit.note(
      {
        action: 'test.note',
        object: { kind: 'queue', id: '=HYPERLINK("http://evil")' },
        after: '+1\u202Egnp.exe\r\n\u001b[2J',
      },
      { actor: '@SUM(A1)', actorId: 'local:mallory' },
    );
    const file = await ask('GET', 'audit/file?format=csv&action=test');
    const [head, row, rest] = (await file.text()).split('\r\n');
    expect(head).toMatch(/^n,at,actor,actorId,/);
    expect(rest).toBe('');
    expect(row).toContain("'@SUM(A1)");
    expect(row).toContain('"\'=HYPERLINK(""http://evil"")"');
    expect(row).toContain("'+1⟨U+202E⟩gnp.exe⟨U+000D⟩⟨U+000A⟩⟨U+001B⟩[2J");
    const excel = await ask('GET', 'audit/file?format=excel&action=test');
    // As text the file has lost its mark.
    expect((await excel.text()).split('\r\n')[0]).toBe(head);
  });
});

describe('a key that the caller chose', () => {
  test('is on record for changes of access as it is for all others: not as it was sent', async () => {
    const { status } = await ask('DELETE', 'access/sessions', because, {
      ...admin.headers,
      'idempotency-key': 'chosen-by-the-caller',
    });
    expect(status).toBe(200);
    const [entry] = await entries('&action=session.end-all');
    expect(entry?.requestId).toBeTruthy();
    expect(entry?.requestId).not.toContain('chosen');
  });
});

describe('what anybody may do, and is an entry each time', () => {
  test('goes through 60 times an hour', async () => {
    process.env.REDRIVE_RATE_FACTOR = '1';
    try {
      const eve = await signInAs(world, { name: 'eve-saves', grants: grants('viewer') });
      const answers = [];
      for (let i = 0; i < 62; i++)
        answers.push((await ask('POST', 'searches', { name: 'one', q: `queue:q${i}` }, eve.headers)).status);
      expect(answers.slice(0, 60).every((status) => status === 201)).toBe(true);
      expect(answers.slice(60)).toEqual([429, 429]);
      const reads = [];
      for (let i = 0; i < 30; i++) reads.push(ask('GET', 'audit', undefined, eve.headers));
      const statuses = (await Promise.all(reads)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(12);
      expect(statuses).toContain(429);
    } finally {
      process.env.REDRIVE_RATE_FACTOR = '1000';
    }
  });
});
