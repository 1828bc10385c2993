/** Getting in by password and by the one-time link, proving who one is, and getting out: through the API, on a real Redis. */
import { hash } from '@node-rs/argon2';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { PASSWORD_HASH } from '@/lib/contract/access/access-limits';
import { meSchema, signedInSchema, signInOptionsSchema } from '@/lib/contract/access/access-schemas';
import { getRefusalLog } from '@/lib/server/audit/audit-refusals';
import { digestOf, newSecret } from '@/lib/server/authentication/session-cookie';
import { LinkPrinter } from '@/lib/server/authentication/sign-in-link';
import { getLiveHub } from '@/lib/server/live/live-hub';
import { until } from '@/testing/poll';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';

/** Every check of a password, as it is really made. */
const checks = vi.hoisted(() => ({ hashes: [] as string[] }));
vi.mock('@node-rs/argon2', async (load) => {
  const real = await load<typeof import('@node-rs/argon2')>();
  const verify: typeof real.verify = (hashed, ...rest) => {
    checks.hashes.push(String(hashed));
    return real.verify(hashed, ...rest);
  };
  return { ...real, verify };
});

const SESSION = '/api/v1/session';
const PASSWORDS = { Ann: 'violet kettle harbor nineteen', Bob: 'marble tractor onion seventeen' };
const world = await setUpConsole();
let users: string;

beforeAll(async () => {
  const made = Object.entries(PASSWORDS).map(async ([name, password]) => ({
    id: name.toLowerCase(),
    name,
    hash: await hash(password, PASSWORD_HASH),
    grants: [{ role: name === 'Ann' ? 'admin' : 'viewer' }],
  }));
  users = JSON.stringify({ users: await Promise.all(made) });
  await world.broker.enqueue('default', { jobType: 'a', jobId: 'one' });
});
beforeEach(async () => {
  Object.assign(process.env, { AUTH: 'local', REDRIVE_USERS: users, REDRIVE_RATE_FACTOR: '100' });
  process.env.REDRIVE_REAUTHENTICATION_MINUTES = '10';
  // What the test before was refused is not counted with what this one is.
  await getRefusalLog().flush();
  const client = world.redis.connect();
  await client.del('rd:{.access}:attempts', 'rd:{.access}:audit');
  client.disconnect();
  checks.hashes.length = 0;
});

const from = (address: string, more: Record<string, string> = {}) => ({
  'x-redrive-address': address,
  ...more,
});
const signIn = (name: string, password: string, headers: Record<string, string> = from('10.0.0.1')) =>
  callApi('POST', SESSION, { body: { name, password }, headers });
const cookieOf = (response: Response) => response.headers.get('set-cookie')?.split(';')[0] ?? '';
const me = (cookie: string) => callApi('GET', '/api/v1/me', { headers: { cookie } });

async function signedIn(name: keyof typeof PASSWORDS, more: Record<string, string> = {}) {
  const { status, body, response } = await signIn(name, PASSWORDS[name], from('10.0.0.1', more));
  expect(status).toBe(200);
  return { cookie: cookieOf(response), body: signedInSchema.parse(body) };
}

/** What is in the log of attempts and sign-ins, field by field. */
async function audited(): Promise<Record<string, string>[]> {
  const client = world.redis.connect();
  const entries = await client.xrange('rd:{.access}:audit', '-', '+');
  client.disconnect();
  return entries.map(([, fields]) =>
    Object.fromEntries(fields.flatMap((field, i) => (i % 2 === 0 ? [[field, fields[i + 1] ?? '']] : []))),
  );
}

test('the page may know which ways there are, and nothing else', async () => {
  const { status, body } = await callApi('GET', `${SESSION}/options`);
  expect(status).toBe(200);
  expect(signInOptionsSchema.strict().parse(body)).toEqual({ methods: ['local'], oidcName: null });
});

test('the right password: a new session with the person’s rights, in a cookie no script sees', async () => {
  const { status, body, response } = await signIn(' aNN', PASSWORDS.Ann);
  expect(status).toBe(200);
  expect(signedInSchema.parse(body)).toMatchObject({ id: 'local:ann', name: 'Ann' });
  expect(response.headers.get('set-cookie')).toMatch(
    /^redrive=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
  );
  expect(JSON.stringify(body)).not.toContain(cookieOf(response).slice('redrive='.length));
  const person = meSchema.parse((await me(cookieOf(response))).body);
  expect(person).toMatchObject({
    id: 'local:ann',
    name: 'Ann',
    method: 'local',
    reauthentication: 'password',
  });
  expect(person.reauthenticatedUntil).toBeGreaterThan(Date.now());
  expect(await audited()).toMatchObject([{ action: 'session.begin' }]);
});

test('S: a wrong password and a name nobody has: the same answer for the same work', async () => {
  const answers = [await signIn('Ann', 'wrong'), await signIn('nobody', 'wrong')];
  const [wrong, unknown] = answers.map(({ status, body: { requestId, ...body }, response }) => ({
    status,
    body,
    headers: [...response.headers.keys()],
    requestId: typeof requestId,
  }));
  expect(wrong).toEqual(unknown);
  expect(wrong).toMatchObject({ status: 401, body: { code: 'SIGN_IN_FAILED' } });
  expect(wrong?.headers).not.toContain('set-cookie');
  const costs = checks.hashes.map((text) => text.split('$').slice(1, 4).join('$'));
  expect(costs).toHaveLength(2);
  expect(costs[0]).toBe(costs[1]);
});

test('a refused sign-in is on record, without what was typed', async () => {
  await signIn('Ann', 'a wrong password 1');
  await signIn('a password in the wrong field', 'x');
  const entries = await audited();
  expect(entries).toHaveLength(2);
  expect(JSON.stringify(entries)).not.toMatch(/wrong/);
  expect(entries[0]).toMatchObject({ action: 'session.begin', result: 'refused', code: 'SIGN_IN_FAILED' });
  expect(JSON.stringify(entries[0])).toContain('local:ann');
});

test.each([
  ['nothing', {}],
  ['a name alone', { name: 'Ann' }],
  ['an empty password', { name: 'Ann', password: '' }],
  ['lists and objects', { name: ['Ann'], password: { $ne: '' } }],
  ['a password longer than any', { name: 'Ann', password: 'x'.repeat(257) }],
  ['more than was asked', { name: 'Ann', password: 'x', admin: true }],
])('%s is no sign-in', async (_, body) => {
  expect((await callApi('POST', SESSION, { body })).body.code).toBe('VALIDATION');
  expect(checks.hashes).toEqual([]);
});

test('S3: not from another site, not as a form, and nothing is looked at then', async () => {
  const body = { name: 'Ann', password: PASSWORDS.Ann };
  for (const headers of [
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ] as Record<string, string>[])
    expect((await callApi('POST', SESSION, { body, headers })).body.code).toBe('CROSS_ORIGIN');
  const headers = { 'content-type': 'text/plain' };
  expect((await callApi('POST', SESSION, { raw: JSON.stringify(body), headers })).status).toBe(415);
  expect(checks.hashes).toEqual([]);
});

test('five failures of one name from one place in a quarter of an hour, and no password is looked at after', async () => {
  for (const [name, place] of [
    ['Ann', '10.1.0.1'],
    ['nobody', '10.1.0.2'],
  ] as const) {
    checks.hashes.length = 0;
    for (let i = 0; i < 5; i += 1) expect((await signIn(name, 'wrong', from(place))).status).toBe(401);
    const { status, body, response } = await signIn(name.toUpperCase(), PASSWORDS.Ann, from(place));
    expect([status, body.code]).toEqual([429, 'TOO_MANY_ATTEMPTS']);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(800);
    expect(checks.hashes).toHaveLength(5);
  }
  expect((await signIn('Bob', PASSWORDS.Bob)).status).toBe(200);
});

test('nobody locks somebody else out: not at the door, and not at the proof', async () => {
  const { cookie } = await signedIn('Ann');
  for (let i = 0; i < 25; i += 1) await signIn('Ann', 'wrong', from('10.6.0.1'));
  expect((await signIn('Ann', PASSWORDS.Ann, from('10.6.0.1'))).status).toBe(429);
  expect((await signIn('Ann', PASSWORDS.Ann, from('10.6.0.2'))).status).toBe(200);
  // From wherever the session is used, also where the other one is.
  const headers = { cookie, ...from('10.6.0.1') };
  const body = { password: PASSWORDS.Ann };
  expect((await callApi('POST', `${SESSION}/reauthentication`, { body, headers })).status).toBe(200);
});

test('who guesses from many places gets fifty guesses of one name, and successes give none back', async () => {
  for (const name of ['Ann', 'nobody']) {
    checks.hashes.length = 0;
    for (let i = 0; i < 25; i += 1) await signIn(name, 'wrong', from(`10.7.0.${i}`));
    if (name === 'Ann') expect((await signIn(name, PASSWORDS.Ann, from('10.7.1.1'))).status).toBe(200);
    const before = checks.hashes.length;
    for (let i = 0; i < 30; i += 1)
      expect((await signIn(name, 'wrong', from(`10.7.2.${i}`))).status).toBe(i < 27 ? 401 : 429);
    expect(checks.hashes).toHaveLength(before + 27);
    for (let i = 0; i < 4; i += 1)
      expect((await signIn(name, 'wrong', from(`10.8.2.${i}`))).status).toBe(i < 2 ? 401 : 429);
  }
}, 90_000);

test('H1: a crowd that guesses one name from a whole network does not keep its person out elsewhere', async () => {
  for (let i = 0; i < 60; i += 1) await signIn('Ann', 'wrong', from(`2001:db8:${i.toString(16)}::1`));
  expect((await signIn('Ann', PASSWORDS.Ann, from('2001:db8:ffff::1'))).status).toBe(429);
  for (let i = 0; i < 5; i += 1)
    expect((await signIn('Ann', PASSWORDS.Ann, from('203.0.113.7'))).status).toBe(200);
}, 90_000);

test('a success forgets the failures of its name at its place', async () => {
  for (let round = 0; round < 3; round += 1) {
    for (let i = 0; i < 4; i += 1) expect((await signIn('Ann', 'wrong', from('10.2.0.1'))).status).toBe(401);
    expect((await signIn('Ann', PASSWORDS.Ann, from('10.2.0.1'))).status).toBe(200);
  }
});

test('twenty failures from one address, whatever the names; successes count for nothing, and take none away', async () => {
  for (let i = 0; i < 20; i += 1) {
    expect((await signIn(`guess ${i}`, 'wrong', from('10.3.0.1'))).status).toBe(401);
    if (i % 5 === 0) expect((await signIn('Bob', PASSWORDS.Bob, from('10.3.0.1'))).status).toBe(200);
  }
  expect((await signIn('Bob', PASSWORDS.Bob, from('10.3.0.1'))).status).toBe(429);
  expect((await signIn('Bob', PASSWORDS.Bob, from('10.3.0.2'))).status).toBe(200);
});

test('one place has a whole network of IPv6 addresses, and counts once', async () => {
  for (let i = 0; i < 20; i += 1) await signIn(`guess ${i}`, 'wrong', from(`2001:db8:1:2::${i + 1}`));
  expect((await signIn('Bob', PASSWORDS.Bob, from('2001:db8:1:2:ffff::1'))).status).toBe(429);
  expect((await signIn('Bob', PASSWORDS.Bob, from('2001:db8:1:3::1'))).status).toBe(200);
});

test('thirty guesses at once are no more than five', async () => {
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => signIn('Ann', 'wrong', from('10.4.0.1'))),
  );
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(25);
  expect(checks.hashes).toHaveLength(5);
});

test('a session that a browser brought along is never taken up, and its own ends', async () => {
  const planted = newSecret();
  const { cookie } = await signedIn('Ann', { cookie: `redrive=${planted}` });
  expect(cookie).not.toContain(planted);
  expect((await me(`redrive=${planted}`)).status).toBe(401);
  const next = await signedIn('Ann', { cookie });
  expect(next.cookie).not.toBe(cookie);
  expect((await me(cookie)).status).toBe(401);
  expect((await me(next.cookie)).status).toBe(200);
});

test('signed out is out, for every copy of the cookie', async () => {
  const { cookie } = await signedIn('Ann');
  const { status, body, response } = await callApi('DELETE', SESSION, { headers: { cookie } });
  expect([status, body]).toEqual([200, { ended: 1, continueAt: null }]);
  expect(response.headers.get('set-cookie')).toBe('redrive=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict');
  expect((await me(cookie)).status).toBe(401);
  expect((await callApi('DELETE', SESSION, { headers: { cookie } })).body).toEqual({
    ended: 0,
    continueAt: null,
  });
  const told = vi.spyOn(getLiveHub(), 'rightsChanged');
  expect((await callApi('DELETE', SESSION)).status).toBe(200);
  expect(told, 'who ends nothing sends nobody to be looked at again').not.toHaveBeenCalled();
  told.mockRestore();
  const other = await signedIn('Ann');
  const headers = { cookie: other.cookie, 'sec-fetch-site': 'cross-site' };
  expect((await callApi('DELETE', SESSION, { headers })).body.code).toBe('CROSS_ORIGIN');
  expect((await me(other.cookie)).status).toBe(200);
});

test('a user who is removed, or has another password, is out with the next request', async () => {
  const { cookie } = await signedIn('Ann');
  const { users: all } = JSON.parse(users) as { users: { name: string; hash: string }[] };
  process.env.REDRIVE_USERS = JSON.stringify({ users: all.filter(({ name }) => name !== 'Ann') });
  expect((await me(cookie)).status).toBe(401);
  expect((await signIn('Ann', PASSWORDS.Ann)).body.code).toBe('SIGN_IN_FAILED');
  process.env.REDRIVE_USERS = users;
  const again = await signedIn('Ann');
  const other = await hash(PASSWORDS.Ann, PASSWORD_HASH);
  process.env.REDRIVE_USERS = JSON.stringify({
    users: all.map((user) => (user.name === 'Ann' ? { ...user, hash: other } : user)),
  });
  expect((await me(again.cookie)).status).toBe(401);
});

test('who is disabled learns so only with the right password', async () => {
  const by = { actor: 'the test', reason: 'left the company' };
  await world.broker.access.users.change('local:bob', { disabled: true }, by);
  const right = await signIn('Bob', PASSWORDS.Bob);
  expect(right).toMatchObject({ status: 401, body: { code: 'SIGN_IN_FAILED' } });
  expect(right.body.detail).toContain('Bob may not sign in at present');
  expect((await signIn('Bob', 'wrong')).body.detail).toBe('Wrong name or password.');
  await world.broker.access.users.change('local:bob', { disabled: false }, by);
  expect((await signIn('Bob', PASSWORDS.Bob)).status).toBe(200);
});

test('something destructive asks for a proof once the last one is old', async () => {
  let { cookie } = await signedIn('Ann');
  // 600 ms: too little for any slow machine to be sure of, so that it is waited for below.
  process.env.REDRIVE_REAUTHENTICATION_MINUTES = '0.01';
  const reauthenticatedUntil = async () => Number((await me(cookie)).body.reauthenticatedUntil);
  await until(async () => (await reauthenticatedUntil()) < Date.now(), { what: 'the proof to be old' });
  const cancel = () =>
    callApi('POST', '/api/v1/queues/default/jobs/one/cancel', { body: { reason: 'x' }, headers: { cookie } });
  const state = async () => (await world.broker.inspect.job('default', 'one'))?.state;
  expect(await cancel()).toMatchObject({ status: 403, body: { code: 'REAUTHENTICATION_REQUIRED' } });
  expect(await state()).toBe('ready');

  process.env.REDRIVE_REAUTHENTICATION_MINUTES = '10';
  const prove = (password: string, headers: Record<string, string> = { cookie }) =>
    callApi('POST', `${SESSION}/reauthentication`, {
      body: { password },
      headers: { ...from('10.5.0.1'), ...headers },
    });
  expect(await prove('wrong')).toMatchObject({ status: 401, body: { code: 'SIGN_IN_FAILED' } });
  expect((await prove(PASSWORDS.Bob)).status).toBe(401);
  const proved = await prove(PASSWORDS.Ann);
  expect(proved.status).toBe(200);
  expect(Number(proved.body.reauthenticatedUntil)).toBeGreaterThan(Date.now() + 500_000);
  expect((await cancel()).body.code).toBe('UNAUTHENTICATED');
  cookie = cookieOf(proved.response);
  expect((await cancel()).status).toBe(200);
  expect(await state()).toBe('dead');
  expect((await prove(PASSWORDS.Ann, {})).status).toBe(401);
  for (let i = 0; i < 5; i += 1) await prove('wrong');
  expect((await prove(PASSWORDS.Ann)).status).toBe(429);
});

test('session id: a proof changes it, the old cookie is worth nothing, and the new one ends no later', async () => {
  const { cookie, body } = await signedIn('Ann');
  const sessionId = async (of: string) => (await me(of)).body.sessionId;
  const before = await sessionId(cookie);
  const proved = await callApi('POST', `${SESSION}/reauthentication`, {
    body: { password: PASSWORDS.Ann },
    headers: from('10.6.0.1', { cookie }),
  });
  expect(proved.status).toBe(200);
  const line = proved.response.headers.get('set-cookie') ?? '';
  expect(line).toMatch(/^redrive=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/);
  const maxAgeMs = Number(/Max-Age=(\d+)/.exec(line)?.[1]) * 1_000;
  expect(Date.now() + maxAgeMs).toBeLessThanOrEqual(Number(body.expiresAt) + 12 * 3_600_000);
  const next = cookieOf(proved.response);
  expect((await me(cookie)).status).toBe(401);
  expect((await me(next)).body).toMatchObject({ id: 'local:ann' });
  expect(await sessionId(next)).not.toBe(before);
  const record = (await audited()).find(({ action }) => action === 'session.reauthenticate');
  expect(record).toMatchObject({ before: JSON.stringify({ session: before }) });
  // A wrong password changes nothing.
  const wrong = await callApi('POST', `${SESSION}/reauthentication`, {
    body: { password: 'wrong' },
    headers: from('10.6.0.1', { cookie: next }),
  });
  expect(wrong.response.headers.get('set-cookie')).toBeNull();
  expect((await me(next)).status).toBe(200);
});

test('the one-time link lets one in, once, and the console prints the next', async () => {
  process.env.AUTH = 'link';
  const lines: string[] = [];
  const printer = new LinkPrinter((line) => lines.push(line));
  printer.start();
  const printed = (n: number) => until(() => lines[n], { what: 'the link' });
  expect(await printed(0)).toMatch(/^Sign in: http:\/\/127\.0\.0\.1:3000\/sign-in#code=[\w-]{43}$/);
  const code = lines[0]?.split('#code=')[1] ?? '';
  const use = (text: string) =>
    callApi('POST', `${SESSION}/link`, { body: { code: text }, headers: from('::1') });
  const answers = await Promise.all(Array.from({ length: 15 }, () => use(code)));
  const [first, ...others] = answers.sort((a, b) => a.status - b.status);
  expect(first).toMatchObject({ status: 200, body: { id: 'link' } });
  for (const answer of others)
    expect(answer).toMatchObject({ status: 401, body: { code: 'SIGN_IN_FAILED' } });
  const { body } = await me(cookieOf(first?.response ?? new Response()));
  expect(body).toMatchObject({
    method: 'link',
    reauthentication: 'none',
    reauthenticatedUntil: null,
    grants: [{ role: 'admin' }],
  });
  expect(
    (
      await callApi('POST', `${SESSION}/reauthentication`, {
        body: { password: 'x' },
        headers: { cookie: cookieOf(first?.response ?? new Response()) },
      })
    ).body.code,
  ).toBe('FORBIDDEN');

  printer.used();
  await printed(1);
  expect(lines[1]).not.toBe(lines[0]);
  // Codes that are none hold nobody up: this machine is one address, and its owner comes from it, too.
  for (let i = 0; i < 40; i += 1) expect((await use(newSecret())).status).toBe(401);
  expect((await use(lines[1]?.split('#code=')[1] ?? '')).status).toBe(200);
  printer.stop();
  expect(await everythingStored()).not.toContain(code);
});

test('no link where it is not a way in, whoever put one there', async () => {
  const code = newSecret();
  await world.broker.access.codes.put(digestOf(code), 60_000);
  const { body } = await callApi('POST', `${SESSION}/link`, { body: { code } });
  expect(body.code).toBe('SIGN_IN_FAILED');
  process.env.AUTH = 'link';
  expect((await signIn('Ann', PASSWORDS.Ann)).body.code).toBe('SIGN_IN_FAILED');
  expect(checks.hashes).toEqual([]);
});

test('nothing of a password or a cookie is stored', async () => {
  const { cookie } = await signedIn('Ann');
  await signIn('Ann', 'a wrong password 2');
  const stored = await everythingStored();
  expect(stored).toContain('local:ann');
  for (const secret of [cookie.slice('redrive='.length), PASSWORDS.Ann, 'a wrong password 2'])
    expect(stored).not.toContain(secret);
});

/** Read out row by row: a dump would be compressed. */
async function everythingStored(): Promise<string> {
  const client = world.redis.connect();
  const rows = (await client.keys('rd:{.access}:*')).map(async (key) => {
    const type = await client.type(key);
    if (type === 'hash') return Object.entries(await client.hgetall(key));
    return type === 'stream' ? client.xrange(key, '-', '+') : client.zrange(key, '0', '-1');
  });
  const stored = JSON.stringify(await Promise.all(rows));
  client.disconnect();
  return stored;
}

test('while Redis is away nobody gets in, and nobody is told why in detail', async () => {
  await world.redis.kill();
  const { status, body } = await signIn('Ann', PASSWORDS.Ann);
  expect(status).toBe(503);
  expect(JSON.stringify(body)).not.toContain(world.redis.path);
  expect(checks.hashes).toEqual([]);
  await world.redis.restart();
  await until(async () => (await signIn('Ann', PASSWORDS.Ann)).status === 200, {
    what: 'sign-in to work again',
  });
});
