/** Alerts over HTTP: who sees which, who may acknowledge, silence and test. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AlertFinding } from '@/lib/broker/alerts';
import type { Grant, Role } from '@/lib/contract/access/grant-scopes';
import type { Alert, Alerts, Deliveries, EndedAlerts, Silence } from '@/lib/contract/alerts/alert-schemas';
import type { Overview } from '@/lib/contract/queues/queue-schemas';
import { until } from '@/testing/poll';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';
import { signInAs } from '@/testing/worlds/users';
import { BY, jobs } from '@/testing/worlds/world';

type Headers = Record<string, string>;
const world = await setUpConsole();
const users: Record<string, Headers> = {};
const received: { headers: Headers; body: string }[] = [];
const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (part) => {
    body += part;
  });
  request.on('end', () => {
    received.push({ headers: request.headers as Headers, body });
    response.writeHead(request.url === '/refuses' ? 400 : 204).end();
  });
});
const grants = (role: Role, queues: string[], tenants: string[] | null = null): Grant[] => [
  { role, queues, tenants },
];

beforeAll(async () => {
  process.env.REDRIVE_RATE_FACTOR = '1000';
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const webhook = { kind: 'webhook', secret: 'a secret of 16 characters' };
  process.env.REDRIVE_ALERTS = JSON.stringify({
    channels: [
      { ...webhook, name: 'night', url: `http://${host}/takes` },
      { ...webhook, name: 'broken', url: `http://${host}/refuses`, levels: ['bad'] },
    ],
    rules: { DEEP: { forSeconds: 60 }, OLD: { off: true } },
    allowedHosts: [host],
  });
  const sign = async (name: string, rights: Grant[]) => {
    users[name] = (await signInAs(world, { name, grants: rights })).headers;
  };
  await sign('admin', grants('admin', ['*']));
  await sign('viewer', grants('viewer', ['*']));
  await sign('mail', grants('operator', ['mail']));
  await sign('tenant', grants('operator', ['*'], ['acme']));
  await world.broker.enqueueMany('mail', jobs(1));
  await world.broker.enqueueMany('sms', jobs(1));
});
afterAll(() => {
  delete process.env.REDRIVE_ALERTS;
  receiver.close();
});
beforeEach(async () => {
  const client = world.redis.connect();
  const keys = await client.keys('rd:{.alerts}:*');
  if (keys.length > 0) await client.del(...keys);
  client.disconnect();
  received.length = 0;
});

const ask = (user: string, method: string, path: string, body?: unknown) =>
  callApi(method, `/api/v1/alerts${path}`, { headers: users[user], ...(body === undefined ? {} : { body }) });
const read = async (user: string) => (await ask(user, 'GET', '')).body as unknown as Alerts;
const codes = async (user: string) => (await read(user)).live.map(({ code }) => code);
const about = (code: string, named: string[], total = named.length): AlertFinding => ({
  code,
  level: 'bad',
  sentence: `${code} in ${named.join(', ')}.`,
  queues: { total, named },
  evidence: null,
});
const FINDINGS = [
  about('FAILING', ['mail']),
  about('DEEP', ['mail', 'sms']),
  about('NO_WORKERS', ['mail'], 2),
  about('WORKERS_GONE', ['mail']),
  about('REDIS', []),
];
/** All of them fire, or end. */
async function look(findings: readonly AlertFinding[], resolveAfterMs = 0): Promise<void> {
  const all = { name: 'night', takes: () => true };
  const look = { at: await world.broker.now(), findings, isComplete: true };
  await world.broker.alerts.look(look, { forMs: () => 0, resolveAfterMs }, [all]);
}
const idOf = async (code: string): Promise<string> =>
  (await world.broker.alerts.read()).live.find((alert) => alert.code === code)?.id ?? '';

describe('a user sees', () => {
  test('all alerts, with the right to see all queues, the worst first', async () => {
    await look(FINDINGS);
    expect((await codes('viewer')).sort()).toEqual([
      'DEEP',
      'FAILING',
      'NO_WORKERS',
      'REDIS',
      'WORKERS_GONE',
    ]);
    const { live, channels, rules, fresh } = await read('viewer');
    expect(fresh).toBe(true);
    expect(live[0]).not.toHaveProperty('told');
    expect(channels).toMatchObject([{ name: 'night', kind: 'webhook' }, { name: 'broken' }]);
    expect(JSON.stringify(channels)).not.toMatch(/secret of|takes|refuses/);
    expect(rules).toEqual(
      expect.arrayContaining([
        { code: 'DEEP', forMs: 60_000, forWarnMs: 60_000 },
        { code: 'OLD', forMs: null, forWarnMs: null },
        { code: 'FAILING', forMs: 30_000, forWarnMs: 300_000 },
      ]),
    );
  });

  test('else only alerts all of whose queues are named and visible as a whole, here and among the ended', async () => {
    await look(FINDINGS);
    expect(await codes('mail')).toEqual(['FAILING']);
    expect(await codes('tenant')).toEqual([]);
    expect(await read('mail')).toMatchObject({ channels: [], silences: [] });
    await look([]);
    await look([]);
    const ended = async (user: string) =>
      ((await ask(user, 'GET', '/ended')).body as unknown as EndedAlerts).alerts.map(({ code }) => code);
    expect(await ended('viewer')).toHaveLength(5);
    expect(await ended('mail')).toEqual(['FAILING']);
    const deliveries = async (user: string, query = '') =>
      ((await ask(user, 'GET', `/deliveries${query}`)).body as unknown as Deliveries).deliveries;
    expect(await deliveries('viewer')).toHaveLength(10);
    expect((await deliveries('mail')).map(({ event }) => event)).toEqual(['ended', 'fired']);
    expect(await deliveries('tenant')).toEqual([]);
    const [one] = await deliveries('mail');
    expect(await deliveries('viewer', `?alertId=${one?.alertId}`)).toHaveLength(2);
  });
});

test('an alert that shrinks to queues that a user sees names no others, while it stands and when it has ended', async () => {
  await look([about('DEEP', ['mail', 'sms'])]);
  await look([about('DEEP', ['mail'])]);
  const alert = (await read('mail')).live[0];
  expect(alert).toMatchObject({ code: 'DEEP', sentence: 'DEEP in mail.' });
  expect(JSON.stringify(alert)).not.toContain('sms');
  expect((await read('viewer')).live[0]?.firedSentence).toBe('DEEP in mail, sms.');
  expect((await read('viewer')).live[0]?.over).toBeNull();
  await look([], 60_000);
  const { over } = (await read('viewer')).live[0] ?? {};
  expect((over?.endsAt ?? 0) - (over?.at ?? 0)).toBe(60_000);
  await look([]);
  const ended = async (user: string) =>
    ((await ask(user, 'GET', '/ended')).body as unknown as EndedAlerts).alerts.map(
      ({ sentence }) => sentence,
    );
  expect([await ended('mail'), await ended('viewer')]).toEqual([[], ['DEEP in mail, sms.']]);
});

test('how many ask for a user comes with the numbers of queues, to those who may see them', async () => {
  const counts = async (user: string) =>
    ((await callApi('GET', '/api/v1/queues', { headers: users[user] })).body as unknown as Overview).alerts;
  const reach = (user: string, bad: number) =>
    until(async () => (await counts(user)).bad === bad, { what: `${user} to see ${bad} alerts` });
  await look(FINDINGS);
  await reach('viewer', FINDINGS.length);
  expect(await counts('viewer')).toEqual({ bad: FINDINGS.length, warn: 0 });
  expect(await counts('mail')).toEqual({ bad: 1, warn: 0 });
  expect(await counts('tenant')).toEqual({ bad: 0, warn: 0 });
  await ask('mail', 'POST', `/${await idOf('FAILING')}/acknowledge`, {});
  await reach('viewer', FINDINGS.length - 1);
  expect(await counts('mail')).toEqual({ bad: 0, warn: 0 });
});

describe('acknowledge', () => {
  test('takes operate for all its queues; an alert out of sight is not there', async () => {
    await look(FINDINGS);
    const acknowledge = async (user: string, code: string) =>
      ask(user, 'POST', `/${await idOf(code)}/acknowledge`, { note: 'on it' });
    expect((await acknowledge('viewer', 'FAILING')).status).toBe(403);
    expect((await acknowledge('mail', 'DEEP')).body.code).toBe('ALERT_NOT_FOUND');
    expect((await acknowledge('mail', 'REDIS')).body.code).toBe('ALERT_NOT_FOUND');
    expect((await acknowledge('mail', 'FAILING')).body).toMatchObject({
      acknowledged: { actor: 'mail', note: 'on it' },
    });
    expect((await acknowledge('admin', 'REDIS')).status).toBe(200);
  });
});

describe('a silence', () => {
  const silence = (user: string, body: object) =>
    ask(user, 'POST', '/silences', { reason: 'planned', forMs: 60_000, ...body });

  test('of a queue takes operate for it, of all queues operate everywhere', async () => {
    expect((await silence('viewer', { queue: 'mail' })).status).toBe(403);
    expect((await silence('mail', { queue: 'sms' })).body.code).toBe('QUEUE_NOT_FOUND');
    expect((await silence('mail', { code: 'DEEP' })).status).toBe(403);
    expect((await silence('tenant', { queue: 'mail' })).status).toBe(403);
    expect((await silence('mail', { queue: 'mail' })).status).toBe(201);
    expect((await silence('admin', { code: 'DEEP' })).status).toBe(201);
    expect((await silence('admin', { queue: 'nowhere' })).body.code).toBe('QUEUE_NOT_FOUND');
    expect((await read('mail')).silences).toMatchObject([
      { queue: 'mail', actor: 'mail', reason: 'planned' },
    ]);
    expect((await read('viewer')).silences).toHaveLength(2);
  });

  test('of everything, without an end, or for ever is refused with a sentence', async () => {
    for (const [body, field] of [
      [{}, 'code'],
      [{ queue: 'mail', forMs: 0 }, 'forMs'],
      [{ queue: 'mail', forMs: 31 * 86_400_000 }, 'forMs'],
      [{ queue: 'mail', reason: '' }, 'reason'],
    ] as const) {
      const { status, body: problem } = await silence('admin', body);
      expect(status).toBe(400);
      expect(JSON.stringify(problem)).toContain(field);
    }
  });

  test('sent again with its Idempotency-Key is the same, with another body it is refused', async () => {
    const send = (body: object) =>
      callApi('POST', '/api/v1/alerts/silences', {
        headers: { ...users.admin, 'idempotency-key': 'silence-1' },
        body: { queue: 'sms', code: 'DEEP', reason: 'planned', forMs: 60_000, ...body },
      });
    const first = await send({});
    expect(first.status).toBe(201);
    expect((await send({})).body).toEqual(first.body);
    for (const other of [{ code: 'FAILING' }, { queue: 'mail' }, { reason: 'x' }, { forMs: 120_000 }])
      expect((await send(other)).body).toMatchObject({
        code: 'ID_CONFLICT',
        errors: [{ field: 'Idempotency-Key' }],
      });
    expect((await ask('admin', 'DELETE', `/silences/${first.body.id}`, {})).status).toBe(200);
  });

  test('is ended by who may make it', async () => {
    const { id } = (await silence('admin', { queue: 'sms' })).body as unknown as Silence;
    expect((await ask('mail', 'DELETE', `/silences/${id}`, {})).status).toBe(404);
    expect((await ask('viewer', 'DELETE', `/silences/${id}`, {})).status).toBe(403);
    expect((await ask('admin', 'DELETE', `/silences/${id}`, {})).body).toEqual({ id, deleted: true });
    expect((await ask('admin', 'DELETE', `/silences/${id}`, {})).body.code).toBe('SILENCE_NOT_FOUND');
  });
});

describe('a test of a channel', () => {
  const run = (user: string, name: string) => ask(user, 'POST', `/channels/${name}/test`, { reason: 'new' });

  test('is sent at once, and is on record', async () => {
    expect((await run('admin', 'night')).body).toMatchObject({ event: 'test', state: 'sent', attempts: 1 });
    expect(received).toHaveLength(1);
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ event: 'test', alert: { code: 'TEST' } });
    expect((await read('viewer')).channels[0]?.latest).toMatchObject({ state: 'sent', error: null });
    const { deliveries } = (await ask('viewer', 'GET', '/deliveries')).body as unknown as Deliveries;
    expect(deliveries).toMatchObject([{ event: 'test', channel: 'night', state: 'sent' }]);
  });

  test('that the receiver refuses says so, and is not tried again', async () => {
    const { body } = await run('admin', 'broken');
    expect(body).toMatchObject({
      state: 'failed',
      attempts: 1,
      nextAt: null,
      error: expect.stringMatching(/400/),
    });
    expect((await world.broker.alerts.take(new Set(['broken']), 5)).taken).toEqual([]);
  });

  test('takes operate for all queues, and a channel that is there', async () => {
    expect((await run('mail', 'night')).status).toBe(403);
    expect((await run('viewer', 'night')).status).toBe(403);
    expect((await run('admin', 'nowhere')).body.code).toBe('CHANNEL_NOT_FOUND');
    expect(received).toEqual([]);
  });
});

test('an alert that a user acknowledged over HTTP is told to its channel', async () => {
  await look([about('FAILING', ['mail'])]);
  const id = await idOf('FAILING');
  const { body } = await ask('mail', 'POST', `/${id}/acknowledge`, {});
  expect((body as unknown as Alert).acknowledged?.note).toBeNull();
  const { deliveries } = await world.broker.alerts.deliveries({ limit: 10 });
  expect(deliveries.map(({ event }) => event).sort()).toEqual(['acknowledged', 'fired']);
  await world.broker.alerts.acknowledge(id, 'again', BY);
  expect((await world.broker.alerts.deliveries({ limit: 10 })).deliveries).toHaveLength(2);
});
