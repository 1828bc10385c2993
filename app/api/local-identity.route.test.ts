/** A local user is an id, not a name: whoever gets the name of somebody who left gets nothing else of theirs. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { peoplePageSchema, tokensPageSchema } from '@/lib/contract/access';
import { paths } from '@/lib/contract/api';
import { callApi } from '@/testing/api';
import { startTestConsole, type TestConsole } from '@/testing/console';

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
let world: TestConsole;
let dir: string;
let hashes: Record<keyof typeof PASSWORDS, string>;
beforeAll(async () => {
  world = await startTestConsole();
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
  await world.stop();
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
async function signIn(name: string, password: keyof typeof PASSWORDS): Promise<Headers> {
  const body = { name, password: PASSWORDS[password] };
  const { status, response } = await callApi('POST', paths.session(), { body });
  expect(status).toBe(200);
  return { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' };
}
const me = (headers: Headers) => callApi('GET', paths.me(), { headers });
const people = async (headers: Headers) =>
  peoplePageSchema.parse((await callApi('GET', paths.people(), { headers })).body).people;

/** Bob, with a token and more rights than his file says. */
async function bobIn(): Promise<{ ann: Headers; bob: Headers; token: Headers; id: string }> {
  const [ann, bob] = [await signIn('ann', 'ann'), await signIn('bob', 'bob')];
  const id = String((await me(bob)).body.id);
  const given = await callApi('PATCH', paths.accessPerson(id), {
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
  expect((await callApi('PATCH', paths.accessPerson(id), change)).body).toMatchObject({ code: 'VALIDATION' });
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
  await callApi('PATCH', paths.accessPerson('local:b7'), { headers: ann, body: { disabled: true, reason } });
  const { body } = await callApi('GET', `${paths.audit()}?action=access&limit=1`, { headers: ann });
  expect(body.entries).toMatchObject([
    {
      actor: 'ann',
      object: { kind: 'person', id: 'local:b7' },
      before: expect.stringContaining('"name":"bob"'),
      after: expect.stringContaining('"name":"bob"'),
    },
  ]);
});
