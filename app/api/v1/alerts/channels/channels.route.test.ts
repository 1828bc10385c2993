/** Channels that administrators make in the console: whole lives over HTTP, and what nobody can read or reach by them. */
import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createKeys } from '@/lib/broker/redis/redis-keys';
import type { Role } from '@/lib/contract/access/grant-scopes';
import { CHANNELS_MAX } from '@/lib/contract/alerts/alert-limits';
import { type Channel, channelSchema, deliverySchema } from '@/lib/contract/alerts/alert-schemas';
import { getMadeChannels } from '@/lib/server/alerts/made-channels';
import { messageChannels } from '@/lib/server/alerts/send-messages';
import { startAlertReceiver } from '@/testing/alerts/alert-receiver';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';
import { signInAs } from '@/testing/worlds/users';

const SECRET = 'a signing secret of many letters';
const world = await setUpConsole();
const receiver = await startAlertReceiver();
const users: Record<string, Record<string, string>> = {};

beforeAll(async () => {
  process.env.REDRIVE_RATE_FACTOR = '1000';
  for (const role of ['admin', 'operator', 'viewer'] satisfies Role[])
    users[role] = (
      await signInAs(world, { name: role, grants: [{ role, queues: ['*'], tenants: null }] })
    ).headers;
  users.part = (
    await signInAs(world, { name: 'part', grants: [{ role: 'admin', queues: ['mail'], tenants: null }] })
  ).headers;
});
const configure = (more: object = {}) => {
  process.env.REDRIVE_ALERTS = JSON.stringify({
    channels: [{ name: 'configured', kind: 'slack', url: 'https://hooks.example.com/x' }],
    allowedHosts: [receiver.host],
    ...more,
  });
};
beforeEach(() => configure());
afterEach(async () => {
  delete process.env.REDRIVE_AUDIT_KEY;
  for (const { name } of await world.broker.alerts.made())
    await world.broker.alerts.removeChannel(name, { actor: 'test' });
});
afterAll(async () => {
  delete process.env.REDRIVE_ALERTS;
  await receiver.stop();
});

const ask = (
  method: string,
  path: string,
  body?: unknown,
  user = 'admin',
  more: Record<string, string> = {},
) => callApi(method, `/api/v1/alerts${path}`, { body, headers: { ...users[user], ...more } });
const webhook = (over: object = {}) => ({
  name: 'on-call',
  kind: 'webhook',
  url: `${receiver.url}/hook`,
  secret: SECRET,
  ...over,
});
const add = (over: object = {}, user = 'admin', more = {}) =>
  ask('POST', '/channels', { channel: webhook(over), reason: 'on call' }, user, more);
const listed = async (user = 'admin'): Promise<Channel[]> =>
  ((await ask('GET', '', undefined, user)).body as { channels: Channel[] }).channels;
const fieldsOf = ({ body }: { body: unknown }) =>
  (body as { errors?: { field: string; message: string }[] }).errors ?? [];

it('is made, tested with its signature, changed without giving its secret again, and removed', async () => {
  const made = await add({ codes: ['FAILING'] });
  expect(made.status).toBe(201);
  expect(channelSchema.parse(made.body)).toEqual({
    name: 'on-call',
    kind: 'webhook',
    target: receiver.host,
    levels: ['warn', 'bad'],
    codes: ['FAILING'],
    queues: null,
    from: null,
    to: null,
    everySeconds: null,
    source: 'console',
    problem: null,
    latest: null,
  });
  const test = async () => {
    const before = receiver.received.length;
    expect(deliverySchema.parse((await ask('POST', '/channels/on-call/test', {})).body).state).toBe('sent');
    return receiver.received[before];
  };
  const signed = (message: Awaited<ReturnType<typeof test>>, secret: string) =>
    message?.headers['redrive-signature'] ===
    `v1=${createHmac('sha256', secret).update(`${message?.headers['redrive-timestamp']}.${message?.body}`).digest('hex')}`;
  expect(signed(await test(), SECRET)).toBe(true);

  const change = (channel: object) => ask('PATCH', '/channels/on-call', { channel });
  expect((await change({ levels: ['bad'], codes: null, queues: ['mail'] })).body).toMatchObject({
    levels: ['bad'],
    codes: null,
    queues: ['mail'],
    latest: { state: 'sent' },
  });
  expect(signed(await test(), SECRET)).toBe(true);
  expect((await change({ secret: 'another secret of many letters' })).status).toBe(200);
  const rotated = await test();
  expect(signed(rotated, 'another secret of many letters')).toBe(true);
  expect(rotated?.path).toBe('/hook');

  expect((await ask('DELETE', '/channels/on-call', { reason: 'over' })).body).toEqual({
    id: 'on-call',
    deleted: true,
  });
  expect((await listed()).map(({ name }) => name)).toEqual(['configured']);
  expect((await ask('POST', '/channels/on-call/test', {})).status).toBe(404);
  expect(messageChannels().map(({ name }) => name)).toEqual(['configured']);
  // A new one of that name has no past.
  await add();
  expect((await listed()).at(-1)?.latest).toBeNull();
});

it('is given back by no answer and stands in no record: neither its address nor its secret', async () => {
  await add();
  await ask('PATCH', '/channels/on-call', { channel: { secret: 'another secret of many letters' } });
  await add({ name: 'wrong', secret: 'short secret' });
  const redis = world.redis.connect();
  const said = [
    await listed(),
    (await ask('GET', '/deliveries')).body,
    (await callApi('GET', '/api/v1/audit?limit=100', { headers: users.admin })).body,
    await redis.xrange('rd:{.alerts}:audit', '-', '+'),
  ];
  expect(JSON.stringify(said)).not.toMatch(/secret of many|short secret|\/hook/);
  expect(JSON.stringify(said[3])).toContain('changed');
});

it('is encrypted where the consoles have a key; with another key it is not used until its secrets are given again', async () => {
  const stored = async () => (await world.redis.connect().hgetall('rd:{.alerts}:made'))['on-call'] ?? '';
  await add();
  expect(await stored()).toContain(SECRET);
  process.env.REDRIVE_AUDIT_KEY = 'k'.repeat(32);
  await ask('PATCH', '/channels/on-call', { channel: webhookSecrets() });
  expect(await stored()).not.toMatch(/secret of many|\/hook/);
  expect((await ask('POST', '/channels/on-call/test', {})).body).toMatchObject({ state: 'sent' });
  process.env.REDRIVE_AUDIT_KEY = 'l'.repeat(32);
  expect((await listed()).at(-1)).toMatchObject({
    name: 'on-call',
    problem: expect.stringMatching(/REDRIVE_AUDIT_KEY/),
  });
  expect(messageChannels().map(({ name }) => name)).toEqual(['configured']);
  expect((await ask('PATCH', '/channels/on-call', { channel: webhookSecrets() })).body).toMatchObject({
    problem: null,
  });
});

it('is encrypted by a console that has the key since, once, whatever other consoles and users do meanwhile', async () => {
  const stored = async (name: string) =>
    (await world.redis.connect().hgetall('rd:{.alerts}:made'))[name] ?? '';
  await add();
  await add({ name: 'changed' });
  await getMadeChannels().encrypt();
  expect(await stored('on-call')).toContain(SECRET);
  const [plain] = await world.broker.alerts.made();
  if (!plain) throw new Error('no channel');

  process.env.REDRIVE_AUDIT_KEY = 'k'.repeat(32);
  const before = (await world.broker.alerts.read()).version;
  await Promise.all([getMadeChannels().encrypt(), getMadeChannels().encrypt()]);
  for (const name of ['on-call', 'changed']) expect(await stored(name)).not.toMatch(/secret of many|\/hook/);
  const after = await world.broker.alerts.read();
  expect(await world.broker.alerts.replaceSecrets(plain, 'x.stale', { actor: 'another console' })).toBe(
    false,
  );
  await getMadeChannels().encrypt();
  const events = await world.redis.connect().xrange('rd:{.alerts}:audit', '-', '+');
  expect(events.filter(([, fields]) => fields.join(' ').includes('"encrypted"'))).toHaveLength(2);
  // Each console that was second wrote nothing.
  expect(Number(after.version) - Number(before)).toBeLessThanOrEqual(4);
  expect((await ask('POST', '/channels/on-call/test', {})).body).toMatchObject({ state: 'sent' });
  expect((await listed()).map(({ problem }) => problem)).toEqual([null, null, null]);
});
const webhookSecrets = () => ({ url: `${receiver.url}/hook`, secret: SECRET });

it.each([
  ['a code that no finding has', { codes: ['NOBODY'] }, 'channel.codes.0', /must be the code of a finding: /],
  ['an address without TLS', { url: 'http://hooks.example.com/' }, 'channel.url', /must begin with https/],
  ['a private address', { url: 'https://169.254.169.254/' }, 'channel.url', /not public/],
  ['a field of another kind', { routingKey: 'a'.repeat(32) }, 'channel.routingKey', /is not a field here/],
])('is refused by the rules of the environment: %s', async (_, over, field, message) => {
  const refused = await add(over);
  expect(refused.status).toBe(400);
  expect(fieldsOf(refused)).toContainEqual({ field, message: expect.stringMatching(message) });
  await add();
  const { kind: __, name: ___, ...patch } = over as Record<string, unknown>;
  expect(fieldsOf(await ask('PATCH', '/channels/on-call', { channel: patch }))[0]?.message).toMatch(message);
});

it('sends an integration key to no new address without the key', async () => {
  const key = 'a'.repeat(32);
  await ask('POST', '/channels', { channel: { name: 'pages', kind: 'pagerduty', routingKey: key } });
  const change = (channel: object) => ask('PATCH', '/channels/pages', { channel });
  expect(fieldsOf(await change({ url: 'https://evil.example.com/' }))).toEqual([
    { field: 'channel.routingKey', message: expect.stringMatching(/give it again/) },
  ]);
  expect((await change({ url: 'https://events.eu.pagerduty.com/v2/enqueue', routingKey: key })).status).toBe(
    200,
  );
});

it('a host that is no longer allowed is not sent to', async () => {
  await add();
  configure({ allowedHosts: [] });
  expect((await listed()).at(-1)?.problem).toMatch(/must begin with https/);
  expect(messageChannels().map(({ name }) => name)).toEqual(['configured']);
});

it('a channel of the environment stays as it is, and keeps its name', async () => {
  expect((await listed())[0]).toMatchObject({ name: 'configured', source: 'environment' });
  expect((await add({ name: 'configured' })).status).toBe(409);
  for (const [method, body] of [
    ['PATCH', { channel: { levels: ['bad'] } }],
    ['DELETE', {}],
  ] as const) {
    const refused = await ask(method, '/channels/configured', body);
    expect(fieldsOf(refused)).toEqual([{ field: 'name', message: 'is a channel of the environment' }]);
  }
});

it('a name is taken once, by one key once, and there are twenty at most', async () => {
  const first = await add({}, 'admin', { 'idempotency-key': 'channel-one' });
  expect((await add({}, 'admin', { 'idempotency-key': 'channel-one' })).body).toEqual(first.body);
  // Another body under the key: also where only what is never read back differs.
  for (const over of [{ levels: ['bad'] }, { secret: 'another secret of many letters' }, { name: 'two' }]) {
    const reused = await add(over, 'admin', { 'idempotency-key': 'channel-one' });
    expect(reused).toMatchObject({ status: 409, body: { code: 'ID_CONFLICT' } });
    expect(fieldsOf(reused)).toEqual([{ field: 'Idempotency-Key', message: 'belongs to another channel' }]);
  }
  expect(await add()).toMatchObject({ status: 409, body: { code: 'CHANNEL_EXISTS' } });
  for (let i = 1; i < CHANNELS_MAX; i++) expect((await add({ name: `c-${i}` })).status).toBe(201);
  expect(await add({ name: 'more' })).toMatchObject({ status: 409, body: { code: 'LIMIT_REACHED' } });
  await ask('DELETE', '/channels/c-1', {});
  expect((await add({ name: 'more' })).status).toBe(201);
});

it('is for administrators of everything only; viewers of all queues see it, others do not', async () => {
  await add();
  for (const user of ['operator', 'viewer', 'part']) {
    expect((await add({ name: 'mine' }, user)).status).toBe(403);
    expect((await ask('PATCH', '/channels/on-call', { channel: { levels: ['bad'] } }, user)).status).toBe(
      403,
    );
    expect((await ask('DELETE', '/channels/on-call', {}, user)).status).toBe(403);
  }
  expect(await listed('viewer')).toHaveLength(2);
  expect(await listed('part')).toEqual([]);
});

it('is known to a console that did not make it, and stays known while Redis is away', async () => {
  await add();
  getMadeChannels().know([]);
  expect(messageChannels()).toHaveLength(1);
  await getMadeChannels().refresh();
  expect(messageChannels().map(({ name }) => name)).toEqual(['configured', 'on-call']);
});

it('stays usable while the audit key changes, and a channel that cannot be opened keeps no message from others', async () => {
  const one = 'a-first-key-of-more-than-32-characters';
  const other = 'a-second-key-of-more-than-32-characters';
  process.env.REDRIVE_AUDIT_KEY = one;
  await add();
  process.env.REDRIVE_AUDIT_KEY = `${other}\n${one}`;
  expect((await listed()).at(-1)?.problem).toBeNull();
  await ask('PATCH', '/channels/on-call', { channel: { secret: SECRET } });
  process.env.REDRIVE_AUDIT_KEY = other;
  expect((await listed()).at(-1)?.problem).toBeNull();

  await add({ name: 'second' });
  const rows = await world.broker.alerts.made();
  const redis = world.redis.connect();
  const key = createKeys('rd').global('alertsMade');
  const put = (name: string, secrets: string) =>
    redis.hset(key, name, JSON.stringify({ ...rows.find((row) => row.name === name), secrets }));
  // Another channel's secrets, and no JSON.
  await put('second', rows.find(({ name }) => name === 'on-call')?.secrets ?? '');
  expect((await listed()).at(-1)).toMatchObject({ name: 'second', problem: expect.any(String) });
  await put('second', '{not json');
  const channels = await listed();
  expect(channels.map(({ name, problem }) => [name, problem === null])).toEqual([
    ['configured', true],
    ['on-call', true],
    ['second', false],
  ]);
  expect((await ask('POST', '/channels/on-call/test', {})).status).toBe(200);

  process.env.REDRIVE_AUDIT_KEY_FILE = '/nowhere/key';
  delete process.env.REDRIVE_AUDIT_KEY;
  expect((await listed()).map(({ problem }) => problem === null)).toEqual([true, false, false]);
  delete process.env.REDRIVE_AUDIT_KEY_FILE;
});
