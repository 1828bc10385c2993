/** Finding dead letters over HTTP: pages, streams, facets, groups and suggestions tell the same story. */
import { beforeAll, describe, expect, test } from 'vitest';
import { API } from '@/lib/contract/api';
import { jobPageSchema } from '@/lib/contract/jobs/job-schemas';
import {
  facetsSchema,
  groupSchema,
  groupsPageSchema,
  type SearchEvent,
  searchEventSchema,
  searchPageSchema,
  suggestionsSchema,
} from '@/lib/contract/search/search-schemas';
import { until } from '@/testing/poll';
import { readDescribedLines } from '@/testing/routes/openapi-answer';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';
import { failure, killAll } from '@/testing/worlds/world';

const world = await setUpConsole();
const BIG = '{"order":{"id":9007199254740993},"note":"ümlaut, \\"quoted\\"","list":[1,2]}';
beforeAll(async () => {
  const invoices = Array.from({ length: 60 }, (_, i) => ({
    jobId: `inv-${String(i).padStart(3, '0')}`,
    jobType: 'invoice.issue',
    tenantId: i % 3 === 0 ? 'acme' : 'globex',
    payload: i === 7 ? BIG : JSON.stringify({ order: { id: i }, note: `number ${i}` }),
  }));
  await killAll(world.broker, 'billing', invoices, failure('HTTP_400'));
  const mails = Array.from({ length: 10 }, (_, i) => ({
    jobId: `mail-${i}`,
    jobType: 'email.send',
    tenantId: 'acme',
    payload: '{"to":"a@example.com"}',
  }));
  await killAll(world.broker, 'mail', mails, failure('SMTP.4.2.1', 'malformed'));
  await world.broker.enqueueMany('mail', [
    { jobId: 'w-1', jobType: 'email.send', tenantId: 'acme', payload: '{"to":"b@example.com"}' },
    { jobId: 'w-2', jobType: 'email.digest', tenantId: 'globex', payload: '{"to":"c@example.com"}' },
  ]);
});

const q = encodeURIComponent;
const get = async (path: string) => {
  const answer = await callApi('GET', path);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};
const search = async (text: string, more = '') =>
  searchPageSchema.parse(await get(`/api/v1/dead?q=${q(text)}${more}`));
const idsOf = (page: { jobs: { jobId: string }[] }) => page.jobs.map(({ jobId }) => jobId);

describe('pages', () => {
  test('a query is matched, counted and paged, and no job is shown twice', async () => {
    const text = 'type:invoice.* tenant:globex';
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await search(text, `&limit=17${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(page.matching).toEqual({ count: 40, exact: true });
      expect(page.jobs.every(({ tenantId }) => tenantId === 'globex')).toBe(true);
      seen.push(...idsOf(page));
      cursor = page.nextCursor;
    }
    expect(new Set(seen).size).toBe(40);
    expect(seen).toHaveLength(40);
  });

  test('nothing asked is everything, newest first', async () => {
    const page = await search('', '&limit=500');
    expect(page.matching).toEqual({ count: 70, exact: true });
    const times = page.jobs.map(({ stateAt }) => stateAt ?? 0);
    expect(times).toEqual([...times].sort((a, b) => b - a));
  });

  test('a queue or a name nobody knows is no mistake: nothing matches', async () => {
    for (const text of ['queue:nope', 'type:nope.*', 'group:000000000000', 'operation:op-NOPE'])
      expect((await search(text)).matching).toEqual({ count: 0, exact: true });
  });

  test('payloads and free text are searched, and what a person types is never a pattern', async () => {
    expect(idsOf(await search('payload.order.id:9007199254740993'))).toEqual(['inv-007']);
    // One digit off is another number, though floating point thinks them the same.
    expect(idsOf(await search('payload.order.id:9007199254740992'))).toEqual([]);
    expect(idsOf(await search('"number 41"'))).toEqual(['inv-041']);
    expect(idsOf(await search('"failed with SMTP"'))).toHaveLength(10);
    for (const text of ['"number .*"', '"%d+"', '"number [0-9]"', '"(a+)+$"', '"\\\\u0000"'])
      expect(idsOf(await search(text))).toEqual([]);
  });
});

describe('streams', () => {
  const open = (text: string, more = '') => callApi('GET', `/api/v1/dead/stream?q=${q(text)}${more}`);
  const eventsOf = async (response: Response): Promise<SearchEvent[]> =>
    readDescribedLines(API.streamDead, await response.text()).map((line) => searchEventSchema.parse(line));
  const foundIn = (events: SearchEvent[]) => events.flatMap((event) => ('jobs' in event ? idsOf(event) : []));

  test('a stream brings what a page does, and ends with how it ended', async () => {
    const { response } = await open('tenant:acme', '&limit=500');
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const events = await eventsOf(response);
    expect(foundIn(events)).toEqual(idsOf(await search('tenant:acme', '&limit=500')));
    expect(events.at(-1)).toMatchObject({
      end: { nextCursor: null, matching: { count: 30, exact: true }, scan: { found: 30 } },
    });
  });

  test('a stream goes on from the cursor of the one before', async () => {
    const first = await eventsOf((await open('"number"', '&limit=25')).response);
    const end = first.at(-1);
    if (!end || !('end' in end) || end.end.nextCursor === null) throw new Error('it should go on');
    const second = await eventsOf(
      (await open('"number"', `&limit=500&cursor=${end.end.nextCursor}`)).response,
    );
    expect(foundIn(first)).toHaveLength(25);
    // All but the one with a payload of its own.
    expect(new Set([...foundIn(first), ...foundIn(second)]).size).toBe(59);
    expect(foundIn(second)).toHaveLength(34);
  });

  test('a stream ends at its budget, says how far it came, and goes on from there until all was looked at', async () => {
    const found: string[] = [];
    let [cursor, rounds, scanned] = ['', 0, 0];
    do {
      const events = await eventsOf((await open('"number"', `&limit=500&budget=20${cursor}`)).response);
      found.push(...foundIn(events));
      const last = events.at(-1);
      if (!last || !('end' in last)) throw new Error('it should say how it ended');
      const { nextCursor, scan } = last.end;
      expect(scan).toMatchObject({ found: found.length, of: 70 });
      expect(scan.scanned).toBeGreaterThan(scanned);
      scanned = scan.scanned;
      cursor = nextCursor === null ? '' : `&cursor=${nextCursor}`;
      rounds += 1;
    } while (cursor !== '');
    expect(rounds).toBeGreaterThan(2);
    expect(scanned).toBe(70);
    expect(new Set(found).size).toBe(59);
    expect(found).toHaveLength(59);
  });

  test('so many run at once and no more; one that is left is over', async () => {
    const { getSearchStreams, SEARCHES_AT_ONCE } = await import('@/lib/server/routes/search-stream');
    const held = await Promise.all(
      Array.from({ length: SEARCHES_AT_ONCE }, () => open('"number"', '&limit=1')),
    );
    const refused = await open('"number"');
    expect(refused.body).toMatchObject({ status: 429, code: 'TOO_MANY_STREAMS' });
    expect(refused.response.headers.get('retry-after')).not.toBeNull();
    for (const { response } of held) await response.body?.cancel();
    await until(() => getSearchStreams().size === 0, { what: 'the streams to be over' });
    expect((await open('"number"')).status).toBe(200);
  });

  test('HEAD opens nothing', async () => {
    const { getSearchStreams } = await import('@/lib/server/routes/search-stream');
    const route = await import('@/app/api/v1/dead/stream/route');
    await until(() => getSearchStreams().size <= 1, { what: 'the streams before to be over' });
    const before = getSearchStreams().size;
    const request = new Request('http://127.0.0.1:3000/api/v1/dead/stream', {
      method: 'HEAD',
      headers: { host: '127.0.0.1:3000' },
    });
    const answer = await route.GET(request, { params: Promise.resolve({}) });
    expect([answer.status, answer.body, getSearchStreams().size]).toEqual([200, null, before]);
  });
});

describe('facets and groups', () => {
  const counts = (values: { value: string; count: number }[]) =>
    Object.fromEntries(values.map(({ value, count }) => [value, count]));

  test('facets follow the query', async () => {
    const all = facetsSchema.parse(await get('/api/v1/dead/facets'));
    expect(all.sampled).toBeNull();
    expect(all.matching).toEqual({ count: 70, exact: true });
    expect(counts(all.facets.queue)).toEqual({ billing: 60, mail: 10 });
    expect(counts(all.facets.tenant)).toEqual({ acme: 30, globex: 40 });
    const acme = facetsSchema.parse(await get(`/api/v1/dead/facets?q=${q('tenant:acme')}`));
    expect(counts(acme.facets.type)).toEqual({ 'invoice.issue': 20, 'email.send': 10 });
    expect(counts(acme.facets.code)).toEqual({ HTTP_400: 20, 'SMTP.4.2.1': 10 });
  });

  test('groups say what is failing, and a link to a group finds its jobs', async () => {
    const page = groupsPageSchema.parse(await get('/api/v1/dead/groups'));
    expect(page.groups.map(({ code, count }) => [code, count])).toEqual([
      ['HTTP_400', 60],
      ['SMTP.4.2.1', 10],
    ]);
    expect(page.facets).toBeUndefined();
    const both = groupsPageSchema.parse(await get(`/api/v1/dead/groups?q=${q('tenant:acme')}&facets=1`));
    expect(both.facets?.matching).toEqual({ count: 30, exact: true });
    expect(counts(both.facets?.facets.type ?? [])).toEqual({ 'invoice.issue': 20, 'email.send': 10 });
    expect((await callApi('GET', '/api/v1/dead/groups?facets=0')).status).toBe(400);
    const [first] = page.groups;
    expect(first).toMatchObject({
      type: 'invoice.issue',
      class: 'permanent',
      status: 'open',
      tenantCount: 2,
    });
    expect((await search(`group:${first?.group}`)).matching.count).toBe(60);
    const acme = groupsPageSchema.parse(await get(`/api/v1/dead/groups?q=${q('tenant:acme')}`));
    expect(acme.groups.find(({ group }) => group === first?.group)?.count).toBe(20);
  });

  test('a group is named, annotated and resolved by a person, and opens again when it recurs', async () => {
    const [first] = groupsPageSchema.parse(await get('/api/v1/dead/groups')).groups;
    const path = `/api/v1/dead/groups/${first?.group}`;
    const headers = { cookie: 'redrive-name=Ada' };
    const changed = await callApi('PATCH', path, {
      body: { name: 'Bad addresses', note: 'fixed in 42', status: 'resolved' },
      headers,
    });
    expect(changed.status).toBe(200);
    expect(groupSchema.parse(changed.body)).toMatchObject({
      name: 'Bad addresses',
      note: 'fixed in 42',
      status: 'resolved',
      changedBy: 'Ada',
    });
    await callApi('PATCH', path, { body: { note: null } });
    expect(groupSchema.parse(await get(path))).toMatchObject({ name: 'Bad addresses', note: null });
    const resolvedAt = groupSchema.parse(await get(path)).changedAt ?? 0;
    await until(async () => (await world.broker.now()) > resolvedAt, { what: 'a later millisecond' });
    await killAll(
      world.broker,
      'billing',
      [{ jobId: 'again', jobType: 'invoice.issue', tenantId: 'late', payload: '{}' }],
      failure('HTTP_400'),
    );
    expect(groupSchema.parse(await get(path))).toMatchObject({ status: 'reopened', count: 61 });
  });
});

test('suggestions are made of what is there', async () => {
  const suggest = async (text: string, more = '') =>
    suggestionsSchema
      .parse(await get(`/api/v1/suggest?q=${q(text)}&caret=${text.length}${more}`))
      .suggestions.map(({ insert }) => insert);
  expect((await suggest('ten')).some((insert) => insert.startsWith('tenant:'))).toBe(true);
  expect((await suggest('type:inv')).join(' ')).toContain('invoice.issue');
  expect((await suggest('payload.or')).join(' ')).toContain('order');
  expect((await suggest('type:', '&state=ready&queue=mail')).join(' ')).toContain('email.digest');
  // Half a query is what there is while somebody types.
  expect(await suggest('type:a AND (')).toEqual(expect.any(Array));
});

test("a queue's list takes the same language, in every state", async () => {
  const list = async (state: string, text: string) =>
    jobPageSchema.parse(await get(`/api/v1/queues/mail/jobs?state=${state}&q=${q(text)}`));
  expect(idsOf(await list('ready', 'type:email.digest'))).toEqual(['w-2']);
  expect(idsOf(await list('ready', 'payload.to:b@*'))).toEqual(['w-1']);
  const dead = await list('dead', 'code:SMTP.*');
  expect([dead.total, dead.exact ?? true]).toEqual([10, true]);
  expect((await list('ready', '')).total).toBe(2);
});
