/**
 * S5, S6: an API that skipped the sign-in of its pages. Every route × method there is, asked by everybody: without a session, with one
 * that ran out or was ended, by somebody who may do everything elsewhere, and by each role. See testing/security/route-inventory.ts.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { type Grant, ROLES, type Role } from '@/lib/contract/access/grant-scopes';
import { API } from '@/lib/contract/api';
import { credentialsOf, type RouteDescription } from '@/lib/contract/api/describe-route';
import { jobActionRoute, jobActionRoutes } from '@/lib/contract/api/job-action-routes';
import {
  ASKERS,
  type Asker,
  type Entry,
  INVENTORY,
  JOB_ROUTE_ACTIONS,
} from '@/testing/security/route-inventory';
import { setUpConsole } from '@/testing/worlds/console-server';
import { answersMethod, callApi, routeFiles } from '@/testing/worlds/route-caller';
import { signInAs, tokenFor } from '@/testing/worlds/users';
import { failure, killAll } from '@/testing/worlds/world';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** What each may do, inside. Tokens never decide about access. */
const ROLE_OF: Partial<Record<Asker, Role>> = {
  viewer: 'viewer',
  operator: 'operator',
  token: 'operator',
  admin: 'admin',
};

const world = await setUpConsole();
let names: Record<string, string> = {};
const askers = new Map<Asker | 'unproved' | 'full token', Record<string, string>>([['none', {}]]);
const grantsOf = (role: Role, queue = '*'): Grant[] => [{ role, queues: [queue], tenants: null }];

beforeAll(async () => {
  process.env.REDRIVE_RATE_FACTOR = '1000';
  const { broker } = world;
  const by = { actor: 'the test', reason: 'set up' };
  for (const queue of ['inside', 'elsewhere'])
    await killAll(broker, queue, [{ jobId: 'dead', jobType: 'a', payload: '{}' }], failure(queue));
  await broker.enqueue('inside', { jobId: 'job', jobType: 'a', payload: '{"a":1}' });
  const sign = (name: string, grants: Grant[], more: object = {}) =>
    signInAs(world, { name, grants, ...more });
  for (const role of ['viewer', 'operator', 'admin'] as const)
    askers.set(role, (await sign(role, grantsOf(role))).headers);
  askers.set('out', (await sign('outsider', grantsOf('admin', 'elsewhere'))).headers);
  askers.set('expired', (await sign('late', grantsOf('admin'), { expired: true })).headers);
  askers.set('unproved', (await sign('unproved', grantsOf('admin'), { proved: false })).headers);
  const gone = await sign('gone', grantsOf('admin'));
  await broker.access.sessions.end({ digest: gone.digest }, by);
  askers.set('revoked', gone.headers);
  const owner = await sign('owner', grantsOf('admin'));
  const token = await tokenFor(world, owner, grantsOf('operator'));
  askers.set('token', token.headers);
  askers.set('full token', (await tokenFor(world, owner, grantsOf('admin'))).headers);
  const ended = await tokenFor(world, owner, grantsOf('admin'));
  await broker.access.tokens.revoke(ended.id, {}, by);
  askers.set('ended token', ended.headers);
  await sign('nobody-yet', grantsOf('viewer'));
  for (const id of ['nightly', 'to-delete']) await schedule(id);
  names = { queue: 'inside', id: 'job', rest: 'nothing/here', action: 'pause', ...(await madeHere()) };
  // Whoever comes for the first time leaves a mark: that they were here.
  for (const headers of askers.values()) await callApi('GET', '/api/v1/me', { headers });
  // That a token was used is noted once a minute; this is, for the next fifty.
  await world.brokerAt(() => Date.now() + 3_000_000).access.tokens.look(token.digest, { touch: true });
});

async function schedule(id: string): Promise<void> {
  const body = { id, queue: 'inside', timing: { cron: '0 9 * * *' }, job: { jobType: 'a' } };
  const made = await callApi('POST', '/api/v1/schedules', { body, headers: askers.get('admin') });
  expect(made.status).toBe(201);
}

/** A failure group, and an operation over everything that waits for somebody to fetch its file. */
async function madeHere(): Promise<Record<string, string>> {
  const headers = askers.get('admin');
  const { body } = await callApi('GET', '/api/v1/dead/groups?q=queue:inside', { headers });
  const [found] = body.groups as { group: string }[];
  const looked = await callApi('POST', '/api/v1/operations/preview', {
    body: { kind: 'export', scope: { q: '' } },
    headers,
  });
  const started = await callApi('POST', '/api/v1/operations', {
    body: { previewToken: looked.body.token, reason: 'x' },
    headers,
  });
  expect(started.status).toBe(202);
  return { group: found?.group ?? '', operation: String(started.body.id) };
}

function pathOf(key: string, entry: Entry): string {
  const pattern = key.split(' ')[1] ?? '';
  const usual: Record<string, string> = {
    ...names,
    ...(pattern.includes('/operations/[id]') ? { id: names.operation ?? '' } : {}),
    ...(pattern.includes('/schedules/[id]') ? { id: 'nightly' } : {}),
    ...entry.params,
  };
  const path = pattern.replace(/\[(?:\.\.\.)?(\w+)\]/g, (_, name: string) => usual[name] ?? 'missing');
  return path + (entry.query ?? '');
}

/** Everything stored, but for who was here and what was written down of refusals. */
async function stored(): Promise<string> {
  const lines = (await world.fingerprint()).split('\n');
  return lines
    .filter((line) => !/^[^=]*(\{\.access\}:(sessions|users|(network-|user-)?attempts)|audit)/.test(line))
    .join('\n');
}

function expected(asker: Asker, entry: Entry): readonly number[] {
  if (entry.needs === 'open') return entry.ok;
  const role = ROLE_OF[asker];
  if (!role && asker !== 'out') return [401];
  if (entry.but?.[asker]) return entry.but[asker];
  if (!role) return entry.out === undefined ? entry.ok : [entry.out];
  if (entry.needs === 'signed-in') return entry.ok;
  return (ROLES[role] as readonly string[]).includes(entry.needs) ? entry.ok : [403];
}

test('every route and method there is, is in the inventory, and nothing else', async () => {
  const found: string[] = [];
  for (const { pattern, file } of routeFiles()) {
    const module = (await import(/* @vite-ignore */ file)) as Record<string, unknown>;
    for (const method of METHODS) if (answersMethod(module, method)) found.push(`${method} ${pattern}`);
  }
  const listed = new Set(Object.keys(INVENTORY).map((key) => key.split(' ').slice(0, 2).join(' ')));
  expect([...listed].sort()).toEqual(found.sort());
});

test('every route of the API is in its table, which names nothing else', async () => {
  // Pages of the sign-in, the answer for unknown addresses, and a probe that must not depend on anything.
  const outside = /^\/(sign-in\/|healthz$|api\/\[\.\.\.rest\])/;
  const served = new Set<unknown>();
  for (const { pattern, file } of routeFiles().filter((route) => !outside.test(route.pattern))) {
    const module = (await import(/* @vite-ignore */ file)) as Record<
      string,
      { description?: RouteDescription }
    >;
    for (const method of METHODS.filter((name) => answersMethod(module, name))) {
      const description = module[method]?.description;
      expect(`${description?.method} ${description?.path}`, file).toBe(
        `${method} ${pattern.replaceAll(/\[(\w+)\]/g, '{$1}')}`,
      );
      const meant = description === jobActionRoute ? Object.values(jobActionRoutes) : [description];
      for (const one of meant) served.add(one);
    }
  }
  expect(served).toEqual(new Set(Object.values(API)));
  const keys = Object.values(API).map(({ method, path }) => `${method} ${path}`);
  expect(new Set(keys).size).toBe(keys.length);
  expect(Object.keys(jobActionRoutes)).toHaveLength(Object.keys(JOB_ROUTE_ACTIONS).length);
});

test('F5c: a method that an address of the API does not answer is a problem document that names those it does', async () => {
  let refused = 0;
  for (const { pattern, file } of routeFiles().filter((route) => route.pattern.startsWith('/api/'))) {
    const module = (await import(/* @vite-ignore */ file)) as Record<string, unknown>;
    const answered = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) =>
      answersMethod(module, method),
    );
    const allow = answered.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
    const path = pattern.replace(/\[(?:\.\.\.)?(\w+)\]/g, 'x');
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      if (answered.includes(method)) continue;
      const { status, body, response } = await callApi(method, path);
      expect([status, response.headers.get('allow')], `${method} ${path}`).toEqual([405, allow]);
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      expect(body).toMatchObject({
        status: 405,
        code: 'METHOD_NOT_ALLOWED',
        detail: `${method} is not supported at ${path}. Use ${allow}.`,
        requestId: response.headers.get('x-request-id'),
      });
      refused += 1;
    }
  }
  expect(refused).toBeGreaterThan(100);
});

describe.each(Object.entries(INVENTORY))('%s', (key, entry) => {
  const [method = ''] = key.split(' ');
  const alone = key === 'DELETE /api/v1/session';
  test.each(alone ? (['none'] as const) : ASKERS)('asked by: %s', async (asker) => {
    const headers = askers.get(asker);
    const allowed = expected(asker, entry);
    const before = await stored();
    const answer = await callApi(method, pathOf(key, entry), {
      headers,
      ...(method === 'GET' || method === 'HEAD' ? {} : { body: entry.body }),
    });
    await answer.response.body?.cancel();
    expect(allowed, JSON.stringify(answer.body)).toContain(answer.status);
    if (answer.status < 400) return;
    expect(await stored()).toBe(before);
    if (!/^application\/problem/.test(answer.response.headers.get('content-type') ?? '')) return;
    expect(answer.body).toMatchObject({ status: answer.status, code: expect.any(String) });
    if (asker === 'none' || asker === 'expired' || asker === 'revoked')
      expect(answer.response.headers.has('www-authenticate')).toBe(false);
    if (asker === 'ended token' && answer.body.code === 'UNAUTHENTICATED')
      expect(answer.response.headers.get('www-authenticate')).toBe('Bearer');
  });
});

describe('the credentials that the description of a route names', () => {
  const keyOf = ({ method, path }: RouteDescription): string => {
    const key = `${method} ${path.replaceAll(/\{(\w+)\}/g, '[$1]')}`;
    return key.replace(/^(POST .*\/jobs\/\[id\]\/)(\w+)$/, (whole, before, action) =>
      whole in INVENTORY ? whole : `${before}[action] ${action}`,
    );
  };
  const routes = Object.entries(API as Record<string, RouteDescription>).filter(
    // Refused for its wrong password, whoever asks.
    ([name, { permission }]) => permission !== 'public' && name !== 'changePassword',
  );

  test.each(routes)('%s', async (_, route) => {
    const key = keyOf(route);
    const entry = INVENTORY[key];
    if (!entry) throw new Error(`${key} is not in the inventory`);
    for (const [credential, asker] of [
      ['token', 'full token'],
      ['session', 'admin'],
    ] as const) {
      const { status, body, response } = await callApi(route.method, pathOf(key, entry), {
        headers: askers.get(asker),
        ...(route.method === 'GET' ? {} : { body: entry.body }),
      });
      await response.body?.cancel();
      expect(status === 403, `${credential}: ${status} ${body.detail}`).toBe(
        !credentialsOf(route).includes(credential),
      );
    }
  });
});

describe('whoever has not said lately who they are', () => {
  const asking = Object.entries(INVENTORY).filter(
    ([key, { needs }]) => (needs === 'destroy' || needs === 'access') && !key.startsWith('GET'),
  );
  test.each(asking)('%s asks for it', async (key, entry) => {
    const before = await stored();
    const { body } = await callApi(key.split(' ')[0] ?? '', pathOf(key, entry), {
      headers: askers.get('unproved'),
      body: entry.body,
    });
    expect(body).toMatchObject({ status: 403, code: 'REAUTHENTICATION_REQUIRED' });
    expect(await stored()).toBe(before);
  });
});
