/** A local user is an id, not a name: whoever gets the name of somebody who left gets nothing else of theirs. And they change their own passwords. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { localUsersSchema, tokensPageSchema, usersPageSchema } from '@/lib/contract/access/access-schemas';
import { paths } from '@/lib/contract/api-paths';
import { getRefusalLog } from '@/lib/server/audit/audit-refusals';
import { until } from '@/testing/poll';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';

const CHEAP = { memoryCost: 4_096, timeCost: 1, parallelism: 1, outputLen: 32 };
const PASSWORDS = {
  ann: 'a ladder behind the mill',
  bob: 'cold soup on the balcony',
  other: 'eleven maps of one river',
};
const OPERATOR = [{ role: 'operator', queues: ['*'], tenants: null }];
const reason = 'a test';

interface Row {
  id?: string;
  name: string;
  hash: string;
  grants: { role: string }[];
  tokenGeneration?: number;
}
const world = await setUpConsole();
let dir: string;
let hashes: Record<keyof typeof PASSWORDS, string>;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'redrive-identity-'));
  const made = Object.entries(PASSWORDS).map(async ([name, text]) => [name, await hash(text, CHEAP)]);
  hashes = Object.fromEntries(await Promise.all(made)) as typeof hashes;
  Object.assign(process.env, {
    AUTH: 'local',
    REDRIVE_USERS_FILE: join(dir, 'users.json'),
    REDRIVE_RATE_FACTOR: '100',
  });
});
afterAll(async () => {
  rmSync(dir, { recursive: true });
});
beforeEach(() => world.redis.connect().flushall());

/** With an administrator besides. */
function write(...rows: Row[]): void {
  const users = [{ name: 'ann', hash: hashes.ann, grants: [{ role: 'admin' }] }, ...rows];
  writeFileSync(join(dir, 'users.json'), JSON.stringify({ users }));
  chmodSync(join(dir, 'users.json'), 0o600);
}
const bobWith = (password: 'bob' | 'other', more: Partial<Row> = {}): Row => ({
  name: 'bob',
  hash: hashes[password],
  grants: [{ role: 'viewer' }],
  ...more,
});

type Headers = Record<string, string>;
async function signIn(name: string, password: keyof typeof PASSWORDS | { text: string }): Promise<Headers> {
  const body = { name, password: typeof password === 'string' ? PASSWORDS[password] : password.text };
  const { status, response } = await callApi('POST', paths.session(), { body });
  expect(status).toBe(200);
  return { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' };
}
const me = (headers: Headers) => callApi('GET', paths.me(), { headers });
const people = async (headers: Headers) =>
  usersPageSchema.parse((await callApi('GET', paths.users(), { headers })).body).users;

/** Bob, with a token and more rights than his file says. */
async function bobIn(): Promise<{ ann: Headers; bob: Headers; token: Headers; id: string }> {
  const [ann, bob] = [await signIn('ann', 'ann'), await signIn('bob', 'bob')];
  const id = String((await me(bob)).body.id);
  const given = await callApi('PATCH', paths.accessUser(id), {
    headers: ann,
    body: { grants: OPERATOR, reason },
  });
  expect(given.status).toBe(200);
  const made = await callApi('POST', paths.tokens(), {
    headers: bob,
    body: { name: 'nightly', grants: OPERATOR, expiresInDays: 30 },
  });
  expect(made.status).toBe(201);
  const token = { authorization: `Bearer ${String(made.body.token)}` };
  expect((await me(token)).status).toBe(200);
  return { ann, bob, token, id };
}

test('L2: a removed user’s tokens, grants and sessions end, and a newcomer of that name gets none of them', async () => {
  write(bobWith('bob'));
  const { ann, bob, token, id } = await bobIn();
  write();
  expect([(await me(token)).status, (await me(bob)).status]).toEqual([401, 401]);
  write(bobWith('other'));
  expect([(await me(token)).status, (await me(bob)).status]).toEqual([401, 401]);
  const newcomer = await signIn('bob', 'other');
  const { body } = await me(newcomer);
  expect(body.id).not.toBe(id);
  expect(body).toMatchObject({ name: 'bob', permissions: ['view'] });
  // Both are listed under the name, and told apart.
  const bobs = (await people(ann)).filter(({ name }) => name === 'bob');
  expect(bobs).toHaveLength(2);
  expect(bobs.find((one) => one.id === id)).toMatchObject({ removed: true });
  expect(bobs.find((one) => one.id === body.id)).toMatchObject({ removed: false, grantsFrom: 'file' });
  const change = { headers: ann, body: { grants: OPERATOR, reason } };
  expect((await callApi('PATCH', paths.accessUser(id), change)).body).toMatchObject({ code: 'VALIDATION' });
});

test('L2: a name may change, and the user stays who they are', async () => {
  write(bobWith('bob', { id: 'b7' }));
  const { ann, bob, token } = await bobIn();
  write(bobWith('bob', { id: 'b7', name: 'Robert' }));
  expect((await me(bob)).body).toMatchObject({ id: 'local:b7', name: 'Robert' });
  expect((await me(token)).status).toBe(200);
  // Somebody else may now be called bob.
  write(bobWith('bob', { id: 'b7', name: 'Robert' }), bobWith('other', { id: 'c1' }));
  expect((await me(await signIn('bob', 'other'))).body).toMatchObject({
    id: 'local:c1',
    permissions: ['view'],
  });
  expect((await people(ann)).find(({ id }) => id === 'local:b7')).toMatchObject({ name: 'Robert' });
});

test('L2: another password ends sessions, and tokens where it says so', async () => {
  write(bobWith('bob', { id: 'b7' }));
  const { bob, token, ann } = await bobIn();
  write(bobWith('other', { id: 'b7' }));
  expect([(await me(bob)).status, (await me(token)).status]).toEqual([401, 200]);
  write(bobWith('other', { id: 'b7', tokenGeneration: 2 }));
  expect((await me(token)).status).toBe(401);
  const again = await signIn('bob', 'other');
  const listed = async (headers: Headers, all = '') =>
    tokensPageSchema.parse((await callApi('GET', `${paths.tokens()}${all}`, { headers })).body).tokens;
  expect(await listed(ann, '?all=1')).toMatchObject([{ name: 'nightly', endedBy: 'password-changed' }]);
  const made = await callApi('POST', paths.tokens(), {
    headers: again,
    body: { name: 'new', grants: OPERATOR, expiresInDays: 30 },
  });
  expect((await me({ authorization: `Bearer ${String(made.body.token)}` })).status).toBe(200);
  // What ended leaves its place.
  expect(await listed(again)).toMatchObject([{ name: 'new', endedBy: null }]);
});

test('L2: the record of a change names the person besides their id', async () => {
  write(bobWith('bob', { id: 'b7' }));
  const { ann } = await bobIn();
  await callApi('PATCH', paths.accessUser('local:b7'), { headers: ann, body: { disabled: true, reason } });
  const { body } = await callApi('GET', `${paths.audit()}?action=access&limit=1`, { headers: ann });
  expect(body.events).toMatchObject([
    {
      actor: 'ann',
      object: { kind: 'user', id: 'local:b7' },
      before: expect.stringContaining('"name":"bob"'),
      after: expect.stringContaining('"name":"bob"'),
    },
  ]);
});

describe('a user changes their own password', () => {
  const NEW = 'violet kettle harbor nineteen';
  const file = () => join(dir, 'users.json');
  const bobInFile = () =>
    localUsersSchema.parse(JSON.parse(readFileSync(file(), 'utf8'))).users.find(({ name }) => name === 'bob');
  const change = (headers: Headers, more: object = {}) =>
    callApi('POST', paths.sessionPassword(), {
      headers,
      body: { password: PASSWORDS.bob, newPassword: NEW, tokens: 'keep', ...more },
    });
  const refusals = async (headers: Headers) => {
    const query = '?action=session&result=refused&limit=20';
    const { body } = await callApi('GET', `${paths.audit()}${query}`, { headers });
    return body.events as { code: string; actor: string }[];
  };

  test('password change: this session goes on, all others end, the id stays, and the file keeps its mode', async () => {
    write(bobWith('bob'));
    const { ann, bob, token, id } = await bobIn();
    expect((await me(bob)).body).toMatchObject({ passwordChange: 'here' });
    const elsewhere = await signIn('bob', 'bob');
    const { status, body, response } = await change(bob);
    expect({ status, body }).toEqual({ status: 200, body: { ended: { sessions: 1, tokens: 0 } } });
    const here = { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' };
    expect((await me(here)).body).toMatchObject({ id, name: 'bob' });
    expect([(await me(bob)).status, (await me(elsewhere)).status, (await me(token)).status]).toEqual([
      401, 401, 200,
    ]);
    expect(bobInFile()).toMatchObject({ id: id.slice('local:'.length), grants: [{ role: 'viewer' }] });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(await bobInFile()?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(readFileSync(file(), 'utf8')).not.toContain('kettle');
    expect(
      (await callApi('POST', paths.session(), { body: { name: 'bob', password: PASSWORDS.bob } })).status,
    ).toBe(401);
    await signIn('bob', { text: NEW });
    // Ann, who changed nothing, is still in.
    const { body: log } = await callApi('GET', `${paths.audit()}?action=user&limit=5`, { headers: ann });
    expect(log.events).toMatchObject([
      { action: 'user.password', result: 'done', actor: 'bob', actorId: id, after: '{"tokens":"keep"}' },
    ]);
  });

  test('password change: API tokens end with the old one where the person says so', async () => {
    write(bobWith('bob', { id: 'b7' }));
    const { bob, token } = await bobIn();
    const { body } = await change(bob, { tokens: 'end' });
    expect(body).toEqual({ ended: { sessions: 0, tokens: 1 } });
    expect((await me(token)).status).toBe(401);
    expect(bobInFile()).toMatchObject({ id: 'b7', tokenGeneration: 2 });
  });

  test.each([
    ['a wrong current one', { password: 'not the password' }, 401, 'The current password is wrong'],
    ['a new one that is guessed easily', { newPassword: 'passwordpassword' }, 400, 'too easy to guess'],
    ['a new one that is too short', { newPassword: 'violet kettle' }, 400, 'at least 15 characters'],
    [
      'a new one with the name in it',
      { newPassword: 'the bob of nineteen kettles' },
      400,
      'name of its user',
    ],
    ['the same one again', { newPassword: PASSWORDS.bob }, 400, 'is the current one'],
    ['no word about tokens', { tokens: undefined }, 400, 'tokens'],
  ])('password change: %s is refused, and nothing changes', async (_, more, status, sentence) => {
    write(bobWith('bob', { id: 'b7' }));
    const { bob, token } = await bobIn();
    const before = readFileSync(file(), 'utf8');
    const answer = await change(bob, more);
    expect(answer.status).toBe(status);
    expect(String(answer.body.detail)).toContain(sentence);
    expect(answer.response.headers.get('set-cookie')).toBeNull();
    expect(readFileSync(file(), 'utf8')).toBe(before);
    expect([(await me(bob)).status, (await me(token)).status]).toEqual([200, 200]);
  });

  test('password change: after five wrong ones no password is looked at, and that is on record', async () => {
    write(bobWith('bob', { id: 'b7' }));
    const { ann, bob } = await bobIn();
    for (let i = 0; i < 5; i += 1) expect((await change(bob, { password: `wrong ${i}` })).status).toBe(401);
    expect(await change(bob)).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } });
    // What is refused again within the minute is entered together.
    await getRefusalLog().flush();
    const isOnRecord = async () =>
      (await refusals(ann)).some(({ code, actor }) => code === 'SIGN_IN_FAILED' && actor === 'bob');
    await until(isOnRecord, { what: 'the refusals to be on record' });
  });

  test('password change: while somebody else writes the file nothing changes, and the answer says so', async () => {
    write(bobWith('bob', { id: 'b7' }));
    const { bob } = await bobIn();
    writeFileSync(`${file()}.new`, '');
    try {
      const { status, body } = await change(bob);
      expect({ status, detail: body.detail }).toEqual({
        status: 500,
        detail: expect.stringContaining('The users file is being changed. Your password was not changed'),
      });
      expect(JSON.stringify(body)).not.toContain(dir);
      expect((await me(bob)).status).toBe(200);
    } finally {
      rmSync(`${file()}.new`);
    }
    expect((await change(bob)).status).toBe(200);
  });

  test('password change: where the users are in the environment it is done by command, and the answer says which', async () => {
    const { REDRIVE_USERS_FILE = '' } = process.env;
    delete process.env.REDRIVE_USERS_FILE;
    process.env.REDRIVE_USERS = JSON.stringify({ users: [bobWith('bob', { id: 'b7' })] });
    try {
      const bob = await signIn('bob', 'bob');
      expect((await me(bob)).body).toMatchObject({ passwordChange: 'command' });
      const { status, body } = await change(bob);
      expect(status).toBe(403);
      expect(body.detail).toContain('npm run user -- passwd "bob"');
      expect((await me(bob)).status).toBe(200);
    } finally {
      delete process.env.REDRIVE_USERS;
      process.env.REDRIVE_USERS_FILE = REDRIVE_USERS_FILE;
    }
  });

  test('password change: a token changes no password', async () => {
    write(bobWith('bob', { id: 'b7' }));
    const { token } = await bobIn();
    expect(await change(token)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });
});
