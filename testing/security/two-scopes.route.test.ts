/**
 * S8: secondary endpoints that told what the first ones hid. Whoever has one queue, or one tenant of it, asks everything there is: of
 * what is outside not a byte comes back, by no count, list, suggestion, frame, file or error; and what they name themselves is answered
 * as if it did not exist.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API } from '@/lib/contract/api';
import { JOB_STATES } from '@/lib/contract/jobs/job-states';
import { readDescribedLines } from '@/testing/routes/openapi-answer';
import { INVENTORY } from '@/testing/security/route-inventory';
import {
  act,
  alert,
  CONFIGURED,
  fill,
  fillReady,
  type Headers,
  OTHER_QUEUE,
  OTHER_TENANT,
  type People,
  signInAll,
  work,
} from '@/testing/security/two-scopes';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';

const world = await setUpConsole();
let people: People;
const operations: Record<string, string> = {};
/** Of the jobs of acme. */
let group = '';
const MARK = /zzqueue|zztenant|zzconfig/i;

beforeAll(async () => {
  process.env.REDRIVE_RATE_FACTOR = '1000';
  people = await signInAll(world);
  const { broker } = world;
  const sides = [
    { queue: 'alpha', tenant: 'acme', mark: 'own', by: people.ofTenant },
    { queue: 'alpha', tenant: OTHER_TENANT, mark: OTHER_TENANT, by: people.ofOtherTenant },
    { queue: OTHER_QUEUE, tenant: 'acme', mark: OTHER_QUEUE, by: people.ofOtherQueue },
  ];
  for (const side of sides) await fill(broker, side);
  for (const side of sides) await fillReady(broker, side);
  await work(broker);
  await alert(broker);
  for (const { by, ...side } of sides) operations[side.mark] = (await act(side, by)).operation;
  // What goes over all of it is nobody's who does not see all of it.
  const headers = people.admin;
  const looked = await callApi('POST', '/api/v1/operations/preview', {
    body: {
      kind: 'suppress',
      scope: { q: `id:(own-dead2 OR ${OTHER_QUEUE}-dead2 OR ${OTHER_TENANT}-dead2)` },
    },
    headers,
  });
  const started = await callApi('POST', '/api/v1/operations', {
    body: { previewToken: looked.body.token, reason: 'over all' },
    headers,
  });
  operations.admin = String(started.body.id);
  for (let moved = 0; moved === 0; )
    moved = Number((await broker.operations.runSlice(operations.admin, 'the test')).operation.moved);
  const { body } = await callApi('GET', '/api/v1/dead/groups', { headers: people.ofTenant });
  group = (body.groups as { group: string }[])[0]?.group ?? '';
});

afterAll(() => {
  delete process.env.REDRIVE_ALERTS;
});

/** What came back, and what is packed into it: cursors tell where they stand. */
function unpacked(text: string): string {
  const packed = text.match(/[A-Za-z0-9_-]{24,}/g) ?? [];
  return [text, ...packed.map((part) => Buffer.from(part, 'base64url').toString('latin1'))].join('\n');
}

async function told(method: string, path: string, headers: Headers, body?: unknown): Promise<string> {
  const answer = await callApi(method, path, { headers, ...(body === undefined ? {} : { body }) });
  if (method === 'GET') expect(answer.status, path).not.toBe(400);
  const type = answer.response.headers.get('content-type') ?? '';
  const headerText = JSON.stringify([...answer.response.headers]);
  if (!type.startsWith('text/event-stream')) return `${headerText}${await answer.response.text()}`;
  const reader = answer.response.body?.getReader();
  let text = '';
  while (!/event: frame[\s\S]*\n\n/.test(text))
    text += new TextDecoder().decode((await reader?.read())?.value);
  await reader?.cancel();
  return text;
}

const q = encodeURIComponent;
const QUERIES = [
  '',
  'age:<1d',
  '-type:none',
  'payload.n:1',
  'went',
  '"too"',
  'attempts:>=0',
  'NOT tenant:acme',
  '-queue:alpha',
  'group:*',
];
const TYPED = [
  'queue:',
  'type:',
  'tenant:',
  'code:',
  'class:',
  'group:',
  'id:',
  'key:',
  'correlation:',
  'trace:',
  'operation:',
  'version:',
  'attempts:',
  'payload.',
  'payload.same:',
];

/** Every read there is, by somebody who names nothing that is not theirs. */
function reads(): string[] {
  const list = [
    '/api/v1/me',
    '/api/v1/queues',
    '/api/v1/queues/alpha',
    '/api/v1/queues/alpha/config',
    '/api/v1/queues/alpha/changes',
    '/api/v1/queues/alpha/breakdown',
    '/api/v1/queues/alpha/memory',
    '/api/v1/queues/alpha/jobs/own-dead',
    '/api/v1/queues/alpha/jobs/own-dead2',
    '/api/v1/minutes?queues=alpha',
    '/api/v1/history?from=0&to=60000',
    '/api/v1/history?from=0&to=60000&queue=alpha',
    '/api/v1/workers',
    '/api/v1/workers/shared-worker/jobs',
    '/api/v1/alerts',
    '/api/v1/alerts/ended',
    '/api/v1/alerts/deliveries',
    '/api/v1/redis',
    '/api/v1/stream',
    '/api/v1/lab',
    '/api/v1/lab/events',
    '/api/v1/lab/samples',
    '/api/v1/searches',
    '/api/v1/operations',
    '/api/v1/operations?limit=1',
    '/api/v1/operations?status=running',
    '/api/v1/schedules',
    '/api/v1/schedules?limit=1',
    '/api/v1/schedules?q=nightly',
    '/api/v1/operations?q=e',
    '/api/v1/schedules/own-nightly',
    '/api/v1/dead/stream?limit=500',
    `/api/v1/dead/groups/${group}`,
    '/api/v1/openapi.json',
    '/api/v1/find?q=own-dead',
    '/api/v1/find?q=own-unique',
    '/api/v1/find/stream?q=own-correlation',
    '/api/v1/audit',
    '/api/v1/audit/file?format=ndjson',
    '/api/v1/audit/check',
    '/api/v1/access/users',
    '/api/v1/access/sessions',
    '/api/v1/access/sessions?all=1',
    '/api/v1/access/tokens',
    '/metrics',
    '/stats',
    '/readyz',
    '/api/nothing/here',
  ];
  for (const state of JOB_STATES)
    for (const query of QUERIES) {
      list.push(`/api/v1/queues/alpha/jobs?state=${state}&q=${q(query)}`);
      list.push(`/api/v1/queues/alpha/jobs?state=${state}&q=${q(query)}&limit=1`);
    }
  for (const query of QUERIES)
    for (const path of ['dead', 'dead/facets', 'dead/groups', 'dead/stream'])
      list.push(`/api/v1/${path}?q=${q(query)}`);
  for (const query of QUERIES) list.push(`/api/v1/dead?q=${q(query)}&limit=1`);
  for (const typed of TYPED)
    for (const where of ['', '&queue=alpha', '&state=ready', '&state=in-flight&queue=alpha'])
      list.push(`/api/v1/suggest?q=${q(typed)}&caret=${typed.length}${where}`);
  const op = operations.own ?? '';
  list.push(`/api/v1/operations/${op}`, `/api/v1/operations/${op}/file`);
  for (const outcome of ['completed', 'running', 'waiting', 'died-again', 'skipped', 'undoable'])
    list.push(`/api/v1/operations/${op}/jobs?outcome=${outcome}`);
  return list;
}

/** They answer strangers, so the sign-in page may need what they tell. */
const isOpen = (key: string) => INVENTORY[key]?.needs === 'open';
test('every route that reads is among those that are asked', () => {
  const asked = reads().map((path) => path.replace(/\?.*$/, ''));
  const missing = Object.keys(INVENTORY).filter((key) => {
    const [method, pattern = ''] = key.split(' ');
    if (method !== 'GET' || isOpen(key)) return false;
    const path = new RegExp(`^${pattern.replace(/\[\.\.\.\w+\]/g, '.+').replace(/\[\w+\]/g, '[^/]+')}$`);
    return !asked.some((one) => path.test(one));
  });
  expect(missing).toEqual([]);
});

const SIDES = [
  ['somebody of the queue', 'ofQueue', new RegExp(`${OTHER_QUEUE}|${CONFIGURED}`, 'i')],
  ['somebody of the tenant', 'ofTenant', MARK],
] as const;

describe.each(SIDES)('%s', (_, who, mark) => {
  const as = () => people[who];

  test('finds nothing of the other side in anything they can ask for', async () => {
    for (const path of reads()) {
      const answer = unpacked(await told('GET', path, as()));
      expect(answer.match(new RegExp(`.{0,80}${mark.source}.{0,80}`, 'i'))?.[0], path).toBeUndefined();
    }
  });

  test('follows every page, and finds their own jobs, each once', async () => {
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const page = JSON.parse(
        (await told('GET', `/api/v1/dead?limit=1${cursor}`, as())).replace(/^\[\[.*?\]\]/, ''),
      ) as { jobs: { jobId: string }[]; nextCursor: string | null };
      expect(unpacked(JSON.stringify(page))).not.toMatch(mark);
      seen.push(...page.jobs.map(({ jobId }) => jobId));
      if (page.nextCursor === null) break;
      cursor = `&cursor=${q(page.nextCursor)}`;
    }
    const wanted = who === 'ofTenant' ? ['own-dead'] : ['own-dead', `${OTHER_TENANT}-dead`];
    expect(seen.sort()).toEqual(wanted.sort());
  });

  test('counts what is theirs', async () => {
    const get = async (path: string) => (await callApi('GET', path, { headers: as() })).body;
    const own = who === 'ofTenant' ? 1 : 2;
    expect(await get('/api/v1/dead')).toMatchObject({ matching: { count: own, exact: true } });
    const facets = (await get('/api/v1/dead/facets')) as { facets: Record<string, { count: number }[]> };
    for (const [name, values] of Object.entries(facets.facets))
      expect([name, values.reduce((sum, { count }) => sum + count, 0)]).toEqual([name, own]);
    expect(await get('/api/v1/dead/groups')).toMatchObject({ total: own, matching: { count: own } });
    const overview = (await get('/api/v1/queues')) as { queues: { queue: string }[] };
    expect(overview.queues.map(({ queue }) => queue)).toEqual(who === 'ofTenant' ? [] : ['alpha']);
    const schedules = await get('/api/v1/schedules');
    expect(schedules).toMatchObject({ total: own });
    for (const state of JOB_STATES)
      expect(await get(`/api/v1/queues/alpha/jobs?state=${state}`)).toMatchObject({
        total: (state === 'suppressed' ? 2 : 1) * own - (state === 'held' ? own : 0),
      });
  });

  test('finds their own jobs of every state by what they are called', async () => {
    const found = async (path: string) =>
      (await told('GET', path, as()))
        .match(/"jobId":"own-[^"]*"/g)
        ?.map((text) => text.slice(13, -1))
        .sort();
    expect(await found('/api/v1/find?q=own-completed')).toEqual(['completed']);
    expect(await found('/api/v1/find?q=own-unique')).toEqual(['ready']);
    expect(await found('/api/v1/find/stream?q=own-key-flying')).toEqual(['flying']);
    const names = [
      'completed',
      'dead',
      'dead2',
      'flying',
      'ready',
      'retry',
      'scheduled',
      'suppressed',
      'trashed',
    ];
    expect(await found('/api/v1/find/stream?q=own-correlation')).toEqual(names);
    const { response } = await callApi('GET', '/api/v1/find/stream?q=own-correlation', { headers: as() });
    expect(readDescribedLines(API.streamFind, await response.text()).length).toBeGreaterThan(1);
  });

  test('is told of what they name as of what does not exist', async () => {
    const id = operations[OTHER_QUEUE] ?? '';
    const pairs: [string, string, string, unknown?][] = [];
    const of = (method: string, path: (name: string) => string, theirs: string, body?: unknown) =>
      pairs.push([method, path(theirs), path('nowhere'), body]);
    const reason = 'x';
    for (const path of ['', '/config', '/changes', '/breakdown', '/memory', '/jobs', '/jobs/own-dead'])
      of('GET', (name) => `/api/v1/queues/${name}${path}`, OTHER_QUEUE);
    of('POST', (name) => `/api/v1/queues/${name}/pause`, OTHER_QUEUE, { reason });
    of('POST', (name) => `/api/v1/queues/${name}/resume`, OTHER_QUEUE, {});
    of('POST', (name) => `/api/v1/queues/${name}/drain`, OTHER_QUEUE, { reason });
    of('POST', (name) => `/api/v1/queues/${name}/reclaim`, OTHER_QUEUE);
    of('POST', (name) => `/api/v1/queues/${name}/claim`, OTHER_QUEUE, { worker: 'w' });
    of('POST', (name) => `/api/v1/queues/${name}/jobs`, OTHER_QUEUE, { jobType: 'a' });
    of('PATCH', (name) => `/api/v1/queues/${name}/config`, OTHER_QUEUE, { concurrency: 1 });
    of('PUT', (name) => `/api/v1/queues/${name}/sharding`, OTHER_QUEUE, { count: 2 });
    of('POST', (name) => `/api/v1/queues/${name}/jobs/own-dead/redrive`, OTHER_QUEUE, {});
    of('GET', (name) => `/api/v1/suggest?q=type:&caret=5&queue=${name}`, OTHER_QUEUE);
    of('GET', (name) => `/api/v1/dead?q=queue:${name}`, OTHER_QUEUE);
    of('GET', (name) => `/api/v1/dead?q=id:${name}`, `${OTHER_QUEUE}-dead`);
    for (const name of ['dead', 'unique', 'completed'])
      of('GET', (theirs) => `/api/v1/find?q=${theirs}`, `${OTHER_QUEUE}-${name}`);
    for (const name of ['correlation', 'trace', 'key-ready'])
      of('GET', (theirs) => `/api/v1/find/stream?q=${theirs}`, `${OTHER_QUEUE}-${name}`);
    of('GET', (name) => `/api/v1/dead/facets?q=${name}`, OTHER_QUEUE);
    of('GET', (name) => `/api/v1/dead/groups?q=code:${name}*`, OTHER_QUEUE);
    of('GET', (name) => `/api/v1/suggest?q=queue:${name}&caret=9`, OTHER_QUEUE.slice(0, 3));
    of('GET', (name) => `/api/v1/operations/${name}`, id);
    of('GET', (name) => `/api/v1/operations/${name}`, operations.admin ?? '');
    of('GET', (name) => `/api/v1/operations/${name}/jobs?outcome=skipped`, id);
    of('GET', (name) => `/api/v1/operations/${name}/file`, id);
    of('POST', (name) => `/api/v1/operations/${name}/cancel`, id, {});
    of('POST', (name) => `/api/v1/operations/${name}/undo`, id, { reason });
    of('PATCH', (name) => `/api/v1/operations/${name}`, id, { rate: { perSecond: 1 } });
    const nightly = `${OTHER_QUEUE}-nightly`;
    of('GET', (name) => `/api/v1/schedules/${name}`, nightly);
    of('PATCH', (name) => `/api/v1/schedules/${name}`, nightly, { paused: true });
    of('DELETE', (name) => `/api/v1/schedules/${name}`, nightly, {});
    of('POST', (name) => `/api/v1/schedules/${name}/run`, nightly, {});
    if (who === 'ofTenant') {
      for (const action of ['redrive', 'purge', 'remove', 'cancel'])
        of('POST', (name) => `/api/v1/queues/alpha/jobs/${name}/${action}`, `${OTHER_TENANT}-dead`, {});
      of('GET', (name) => `/api/v1/queues/alpha/jobs/${name}`, `${OTHER_TENANT}-dead`);
      of('GET', (name) => `/api/v1/schedules/${name}`, `${OTHER_TENANT}-nightly`);
      of('GET', (name) => `/api/v1/dead?q=tenant:${name}`, OTHER_TENANT);
      of('GET', (name) => `/api/v1/find?q=${name}`, `${OTHER_TENANT}-completed`);
      of('GET', (name) => `/api/v1/find?q=${name}`, `${OTHER_TENANT}-unique`);
      of('GET', (name) => `/api/v1/find/stream?q=${name}`, `${OTHER_TENANT}-correlation`);
    }
    for (const [method, theirs, nowhere, body] of pairs) {
      const plain = (text: string, path: string) => {
        const name =
          path.split(/[/?=&:]/).find((part) => !nowhere.split(/[/?=&:]/).includes(part)) ?? 'nowhere';
        return (
          text
            .replaceAll(name, 'nowhere')
            .replace(/"(requestId|x-request-id)"[:,]"[^"]*"/g, '')
            .replace(/"at":\d+/g, '')
            // How often a search reports depends on the machine.
            .replace(/\{"progress":\{[^}]*\}\}\n?/g, '')
        );
      };
      const [one, other] = [await told(method, theirs, as(), body), await told(method, nowhere, as(), body)];
      expect(plain(one, theirs), `${method} ${theirs}`).toBe(plain(other, nowhere));
    }
  });
});

test('somebody of the tenant is refused what is of the whole queue, and told nothing of it', async () => {
  const headers = people.ofTenant;
  for (const path of ['', '/config', '/changes', '/breakdown', '/memory']) {
    const { body } = await callApi('GET', `/api/v1/queues/alpha${path}`, { headers });
    expect(body).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  }
  for (const [path, body] of [
    ['pause', { reason: 'x' }],
    ['pause', { scope: 'type:own.work', reason: 'x' }],
    ['pause', { scope: `tenant:${OTHER_TENANT}`, reason: 'x' }],
    ['resume', {}],
    ['drain', { reason: 'x' }],
    ['claim', { worker: 'w' }],
  ] as const)
    expect((await callApi('POST', `/api/v1/queues/alpha/${path}`, { body, headers })).body).toMatchObject({
      status: 403,
      code: 'FORBIDDEN',
    });
  const own = await callApi('POST', '/api/v1/queues/alpha/pause', {
    body: { scope: 'tenant:acme', reason: 'mine' },
    headers,
  });
  expect(own.body.pauses).toMatchObject([{ scope: 'tenant:acme' }]);
});

test('a uniqueness key of somebody else is taken, whoever has it', async () => {
  const job = { jobType: 'a', tenantId: 'acme', unique: { key: `${OTHER_TENANT}-unique` } };
  const headers = people.ofTenant;
  const alone = await callApi('POST', '/api/v1/queues/alpha/jobs', { body: job, headers });
  expect(alone.body).toMatchObject({ status: 409, code: 'NOT_UNIQUE' });
  expect(JSON.stringify(alone.body)).not.toMatch(MARK);
  const many = await callApi('POST', '/api/v1/queues/alpha/jobs', { body: { jobs: [job] }, headers });
  expect(many.body.results).toEqual([{ jobId: expect.any(String), outcome: 'not-unique' }]);
});
