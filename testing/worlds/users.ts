/** People and tokens for route tests: real sessions and rows in the test's Redis, and users in the environment. */
import type { LocalUser } from '@/lib/contract/access/access-schemas';
import type { Grant } from '@/lib/contract/access/grant-scopes';
import { oidcIdOf } from '@/lib/server/authentication/identity-provider/oidc-user';
import { digestOf, newSecret, sessionCookieName } from '@/lib/server/authentication/session-cookie';
import { localUserOf } from '@/lib/server/authentication/users/local-users';
import { nameKey } from '@/lib/users/users-file';
import type { TestConsole } from './console-server';

const MINUTE_MS = 60_000;
/** Has the form of a hash, and is that of no password: these people come in by a session the test makes. */
const HASH = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;
const SETUP = { actor: 'the test', reason: 'set up' };
/** Opens what is made for a moment and is to be over when the test asks. */
const AGES_MS = 90 * 86_400_000;

export interface Who {
  /** `Ann Lee` is `local:ann-lee` or `oidc:<provider>:Ann Lee`. */
  name?: string;
  method?: 'local' | 'oidc' | 'link';
  grants: readonly Grant[];
  /** Of the identity provider. With `given: false` they say, together with OIDC_GRANTS, what the person may do. */
  groups?: readonly string[];
  /** False: their file or groups say what they may do, and nothing in the console does. */
  given?: boolean;
  /** They said who they are just now: nothing asks them again. */
  proved?: boolean;
  /** Their session ran out before the test asks. */
  expired?: boolean;
  idleMs?: number;
}
export interface SignedIn {
  headers: { cookie: string };
  userId: string;
  sessionId: string;
  digest: string;
}

/** Not random, so that tests can say it. */
const idIn = (name: string): string => nameKey(name).replaceAll(/[^a-z0-9]+/g, '-');

/** Signs somebody in, and sets the environment so that they could have come by themselves. */
export async function signInAs(world: TestConsole, who: Who): Promise<SignedIn> {
  const { name = 'ann', method = 'local', grants, groups = [], given = true, proved = true } = who;
  enableSignInMethod(method);
  const userId = method === 'link' ? 'link' : method === 'oidc' ? oidcIdOf(name) : `local:${idIn(name)}`;
  if (method === 'local') addUser({ id: idIn(name), name, hash: HASH, grants: [...grants] });
  if (given && method !== 'link') await world.broker.access.users.change(userId, { grants }, SETUP);
  const secret = newSecret();
  const digest = digestOf(secret);
  const broker = who.expired ? world.brokerAt(() => Date.now() - AGES_MS) : world.broker;
  const { id } = await broker.access.sessions.begin(
    {
      digest,
      replaces: null,
      person: { id: userId, name, method, groups },
      stamp: localUserOf(userId)?.stamp ?? null,
      address: '127.0.0.1',
      agent: 'the test',
      idleMs: who.idleMs ?? 60 * MINUTE_MS,
      maxMs: 12 * 60 * MINUTE_MS,
      proved,
    },
    SETUP,
  );
  return { headers: { cookie: `${sessionCookieName()}=${secret}` }, userId, sessionId: id, digest };
}

/** A token of somebody who signed in before, made without asking what they may do. */
export async function tokenFor(
  world: TestConsole,
  owner: { userId: string; name?: string; method?: 'local' | 'oidc' | 'link' | 'none' },
  grants: readonly Grant[],
  forMs = 60 * MINUTE_MS,
): Promise<{ headers: { authorization: string }; id: string; digest: string }> {
  const secret = `rdt_${newSecret()}`;
  const digest = digestOf(secret);
  const { userId, name = 'ann' } = owner;
  const method = owner.method ?? (userId.startsWith('oidc:') ? 'oidc' : 'local');
  const start = { digest, name: 'a program', hint: secret.slice(0, 8), grants, forMs };
  const { id } = await world.broker.access.tokens.create(
    { ...start, owner: { id: userId, name, method } },
    SETUP,
  );
  return { headers: { authorization: `Bearer ${secret}` }, id, digest };
}

/** Adds to AUTH what `none` is not: that stands alone. */
function enableSignInMethod(method: 'local' | 'oidc' | 'link'): void {
  const methods = new Set((process.env.AUTH ?? '').split(',').filter((one) => one !== '' && one !== 'none'));
  process.env.AUTH = [...methods.add(method)].join(',');
  if (method !== 'oidc') return;
  process.env.OIDC_ISSUER ??= 'https://id.example.com';
  process.env.OIDC_CLIENT_ID ??= 'redrive';
}

/** Again under the same name takes the place of what there was. */
function addUser(user: LocalUser): void {
  const { users = [] } = JSON.parse(process.env.REDRIVE_USERS ?? '{}') as { users?: LocalUser[] };
  const others = users.filter(({ name }) => nameKey(name) !== nameKey(user.name));
  // The file needs at least one grant; what counts is what the console gives.
  const grants: Grant[] =
    user.grants.length > 0 ? user.grants : [{ role: 'viewer', queues: ['nowhere'], tenants: null }];
  process.env.REDRIVE_USERS = JSON.stringify({ users: [...others, { ...user, grants }] });
}

/** As an administrator would: out of the file of users. */
export function removeUser(name: string): void {
  const { users = [] } = JSON.parse(process.env.REDRIVE_USERS ?? '{}') as { users?: LocalUser[] };
  process.env.REDRIVE_USERS = JSON.stringify({
    users: users.filter((user) => nameKey(user.name) !== nameKey(name)),
  });
}

/** As `npm run user -- passwd` would: another hash under the same name. */
export function changePassword(name: string): void {
  const { users = [] } = JSON.parse(process.env.REDRIVE_USERS ?? '{}') as { users?: LocalUser[] };
  const hash = `${HASH.slice(0, -1)}B`;
  process.env.REDRIVE_USERS = JSON.stringify({
    users: users.map((user) => (nameKey(user.name) === nameKey(name) ? { ...user, hash } : user)),
  });
}
