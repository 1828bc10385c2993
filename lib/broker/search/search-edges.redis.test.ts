/** What a search meets in the field: hostile words, strange payloads, jobs that come and go, a shard that is away, a reader who leaves. */
import { describe, expect, it } from 'vitest';
import { physicalName } from '@/lib/broker/shards/shard-layout';
import { QUERY_MAX_CHARS } from '@/lib/contract/search/query';
import { watchScripts } from '@/testing/model/watch-scripts';
import { shardedQueue } from '@/testing/worlds/sharded-queues';
import { BY, claimAll, enqueueAll, failure, ids, jobs, killAll, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

const search = (queue: string, q: string, options = {}) =>
  world.broker.inspect.search({ state: 'dead', q, queue }, { limit: 500, ...options });
const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;

describe('a word of a query', () => {
  const WORDS = [
    '%',
    '%d+',
    '^$().[]*+-?',
    '.*',
    '%b()',
    '\\',
    '"',
    '[a-z]',
    '}',
    '|',
    'é',
    '\u{1f600}',
    'größe',
    '\u0001',
  ];

  it.each(WORDS)('is only a word: %j', async (word) => {
    const queue = world.freshQueue();
    await killAll(
      world.broker,
      queue,
      [word, `x${word}y`, 'aaa (b) 123 [c]', ''].map((payload, i) => ({
        jobId: `w${i}`,
        jobType: 'demo',
        payload,
      })),
    );
    expect(ids((await search(queue, quoted(word))).jobs).sort()).toEqual(['w0', 'w1']);
    expect(ids((await search(queue, `NOT ${quoted(word)}`)).jobs).sort()).toEqual(['w2', 'w3']);
  });

  it(`may be as long as a query may be (${QUERY_MAX_CHARS} characters)`, async () => {
    const queue = world.freshQueue();
    const word = '%'.repeat(QUERY_MAX_CHARS - 2);
    await killAll(world.broker, queue, [
      { jobId: 'long', jobType: 'demo', payload: `a${word}b` },
      { jobId: 'short', jobType: 'demo', payload: word.slice(1) },
    ]);
    expect(ids((await search(queue, `"${word}"`)).jobs)).toEqual(['long']);
    await expect(search(queue, `"${word}%"`)).rejects.toMatchObject({ code: 'VALIDATION' });
    await expect(search(queue, 'tpye:demo')).rejects.toMatchObject({ code: 'BAD_QUERY' });
  });

  it('is found in messages and codes, whatever the case of its letters, and not in stacks', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(2));
    const taken = await claimAll(world.broker, queue);
    await world.broker.fail(
      queue,
      taken.map((job, i) => ({
        ...job,
        failure: {
          ...failure('HTTP_503'),
          message: i === 0 ? 'Said "No such\tuser" to \\me' : 'x","stack":"No such',
          stack: 'Error: elsewhere\n at NO SUCH place',
        },
      })),
    );
    expect(ids((await search(queue, quoted('no such\tUSER" to \\me'))).jobs)).toEqual(['j000000']);
    expect(ids((await search(queue, quoted('X","STACK":"no'))).jobs)).toEqual(['j000001']);
    expect(ids((await search(queue, '"such place"')).jobs)).toEqual([]);
    expect(ids((await search(queue, 'http_503')).jobs)).toHaveLength(2);
  });
});

describe('paging', () => {
  it('skips and repeats nothing that stayed while others come and go', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(600, 0, { tenantId: 'a' }));
    world.clock.now += 1;
    await killAll(world.broker, queue, jobs(600, 1_000, { tenantId: 'b' }));
    const stay = [...jobs(600), ...jobs(600, 1_000)]
      .map((job) => job.jobId ?? '')
      .filter((_, i) => i % 3 !== 0);
    const go = [...jobs(600), ...jobs(600, 1_000)]
      .map((job) => job.jobId ?? '')
      .filter((_, i) => i % 3 === 0);
    const seen: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; ; page++) {
      const found = await search(queue, 'tenant:a OR tenant:b OR "nothing else"', { limit: 50, cursor });
      seen.push(...ids(found.jobs));
      cursor = found.nextCursor ?? undefined;
      if (!cursor) break;
      await world.broker.remove(queue, go.splice(0, 20));
      await killAll(world.broker, queue, jobs(5, 5_000 + page * 5, { tenantId: 'a' }));
    }
    expect(new Set(seen).size).toBe(seen.length);
    const found = new Set(seen);
    expect(stay.filter((id) => !found.has(id))).toEqual([]);
  });

  it('refuses a cursor it did not make', async () => {
    for (const cursor of ['', 'x', Buffer.from('{"score":"1"}').toString('base64url')])
      await expect(search('q', '', { cursor })).rejects.toMatchObject({ code: 'BAD_CURSOR' });
  });

  it('ends a page at its budget, and says how far it came', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, [...jobs(1, 9_000, { payload: '"needle"' }), ...jobs(1_499)]);
    const first = await search(queue, 'needle', { budget: 250 });
    expect(first.jobs.length).toBeLessThanOrEqual(1);
    expect(first.nextCursor).not.toBeNull();
    expect(first.matching.exact).toBe(false);
    expect(first.scan.of).toBe(1_500);
    expect(first.scan.scanned).toBeGreaterThanOrEqual(250);
    expect(first.scan.scanned).toBeLessThan(1_500);
    let cursor: string | undefined = first.nextCursor ?? undefined;
    let last = first;
    while (cursor) {
      last = await search(queue, 'needle', { budget: 250, cursor });
      cursor = last.nextCursor ?? undefined;
    }
    expect(last.scan).toEqual({ found: 1, scanned: 1_500, of: 1_500 });
    expect(last.matching).toEqual({ count: 1, exact: true });
  });
});

describe('a list of another state', () => {
  it('takes a query', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(30, 0, { tenantId: 'a' }));
    await enqueueAll(world.broker, queue, jobs(30, 100, { tenantId: 'b', priority: 5 }));
    const page = await world.broker.inspect.list(queue, { state: 'ready', q: 'tenant:a', limit: 20 });
    expect(ids(page.jobs)).toEqual(ids(jobs(20) as { jobId: string }[]));
    expect(page).toMatchObject({ total: 30, exact: true, scan: { found: 20 } });
    const rest = await world.broker.inspect.list(queue, {
      state: 'ready',
      q: 'tenant:a',
      limit: 20,
      cursor: page.nextCursor ?? '',
    });
    expect(ids(rest.jobs)).toEqual(ids(jobs(10, 20) as { jobId: string }[]));
    expect(rest.nextCursor).toBeNull();
  });
});

describe('a stream', () => {
  it('that nobody reads any more asks Redis nothing more', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(3_000));
    const reader = new AbortController();
    const events = world.broker.inspect.searchStream(
      { state: 'dead', q: '"00"', queue },
      { limit: 100_000, signal: reader.signal },
    );
    const first = await events.next();
    expect(first.done).toBe(false);
    reader.abort();
    const watch = await watchScripts(world);
    const rest = [];
    for await (const event of events) rest.push(event);
    const asked = await watch.stop();
    expect(rest).toEqual([]);
    expect([...asked.keys()].filter((name) => name.startsWith('search') || name === 'read-rows')).toEqual([]);
  });

  it('tells how far it is when there is nothing to show', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(500));
    const kinds = [];
    for await (const event of world.broker.inspect.searchStream({ state: 'dead', q: 'no-such-word', queue }))
      kinds.push(event);
    expect(kinds.at(-1)).toMatchObject({
      end: {
        nextCursor: null,
        scan: { found: 0, scanned: 500, of: 500 },
        matching: { count: 0, exact: true },
      },
    });
  });
});

describe('a script', () => {
  it('reads few rows when they are large', async () => {
    const queue = world.freshQueue();
    const big = JSON.stringify({ pad: 'x'.repeat(63_000), n: 1 });
    await killAll(world.broker, queue, jobs(100, 0, { payload: big }));
    await killAll(world.broker, queue, jobs(1_000, 1_000, { payload: '"small"' }));
    const watch = await watchScripts(world);
    expect((await search(queue, 'payload.n:1')).jobs).toHaveLength(100);
    expect((await search(queue, 'xxx -small')).jobs).toHaveLength(100);
    const work = await watch.stop();
    const looked = work.get('search');
    // So many entries of an index, or some rows.
    expect(looked?.jobs).toBeLessThanOrEqual(300);
    expect(work.get('search-rows')?.jobs).toBeLessThanOrEqual(8);
    // The hundred large ones alone took at least twenty calls of each.
    expect(looked?.calls).toBeGreaterThan(40);
  });
});

describe('with a shard away', () => {
  it('the others are found, and the answer says that it is not all', async () => {
    const { queue, layout } = await shardedQueue(world);
    await killAll(world.broker, queue, jobs(90));
    for (const column of ['dead', 'deadBy', 'jobs', 'deaths'] as const) {
      const away = world.column(physicalName(queue, 1), column);
      await world.redis.rename(away, `${away}.away`);
      await world.redis.set(away, 'another type');
    }
    const missing = [{ queue, shard: 1 }];
    const page = await search(queue, 'type:demo -tenant:x');
    expect(page.jobs.length).toBeGreaterThan(30);
    expect(page.jobs.length).toBeLessThan(90);
    expect(page.unavailable).toEqual(missing);
    expect(page.matching).toEqual({ count: page.jobs.length, exact: false });
    expect(page.nextCursor).toBeNull();
    const events = [];
    for await (const event of world.broker.inspect.searchStream({ state: 'dead', q: '"1"', queue }))
      events.push(event);
    expect(events.at(-1)).toMatchObject({ end: { unavailable: missing } });
    expect(await world.broker.inspect.facets({ q: '', queue })).toMatchObject({
      unavailable: missing,
      matching: { count: page.jobs.length, exact: false },
    });
    const pages = world.broker.inspect.matching(
      { state: 'dead', q: '', queue },
      { at: 0, cutoff: null, limit: 1_000 },
    );
    await expect(
      (async () => {
        for await (const match of pages) expect(match.payload.text).not.toBe('');
      })(),
    ).rejects.toThrow();
    for (const name of layout.names.filter((_, shard) => shard !== 1))
      await world.redis.del(world.column(name, 'dead'));
    await expect(search(physicalName(queue, 1), '')).rejects.toMatchObject({ code: 'VALIDATION' });
  });
});

describe('an export', () => {
  it('has every match once, with its payload, and the ticked jobs only when some are ticked', async () => {
    const queue = world.freshQueue();
    const odd = Buffer.from([0xff, 0x00, 0x0a]);
    await killAll(world.broker, queue, [...jobs(250), { jobId: 'odd', jobType: 'demo', payload: odd }]);
    const read = async (scope: object, limit = 10_000) => {
      const found = [];
      const all = world.broker.inspect.matching(
        { state: 'dead', ...scope },
        { at: world.clock.now, cutoff: null, limit },
      );
      for await (const match of all) found.push(match);
      return found;
    };
    const all = await read({ q: '', queue });
    expect(all).toHaveLength(251);
    expect(all.find(({ summary }) => summary.jobId === 'odd')?.payload).toMatchObject({
      text: odd.toString('base64'),
      isText: false,
    });
    expect(
      all.every(
        ({ summary, payload }) =>
          summary.jobId === 'odd' || Number(payload.text) === Number(summary.jobId.slice(1)),
      ),
    ).toBe(true);
    expect(await read({ q: '', queue }, 7)).toHaveLength(7);
    const ticked = jobs(150, 50).map((job) => ({ queue, jobId: job.jobId ?? '' }));
    const some = await read({ jobs: [...ticked, { queue, jobId: 'gone' }] });
    expect(some.map(({ summary }) => summary.jobId).sort()).toEqual(ticked.map((job) => job.jobId).sort());
  });
});

describe('a failure group', () => {
  it('B11: tells of the last hour by five minutes up to now, and then only of the day', async () => {
    const queue = world.freshQueue();
    const why = failure('LATELY');
    const read = async () => {
      const [group] = (await world.broker.inspect.groups({ q: `queue:${queue}` })).groups;
      if (!group) throw new Error('there is no group');
      return group;
    };
    await killAll(world.broker, queue, jobs(3), why);
    world.clock.now += 22 * 60_000;
    await killAll(world.broker, queue, jobs(2, 10), why);
    world.clock.now += 60_000;
    expect((await read()).lastHour).toEqual([0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 2]);
    world.clock.now += 38 * 60_000;
    expect((await read()).lastHour).toEqual([0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]);
    world.clock.now += 30 * 60_000;
    const later = await read();
    expect([later.lastHour, later.trend.reduce((sum, count) => sum + count, 0)]).toEqual([null, 5]);
  });

  it('is named, resolved, and open again when it happens again', async () => {
    const queue = world.freshQueue();
    const why = failure('GROUPED');
    await killAll(world.broker, queue, jobs(3), why);
    const [group] = (await world.broker.inspect.groups({ q: `queue:${queue}` })).groups;
    if (!group) throw new Error('there is no group');
    expect(group).toMatchObject({
      count: 3,
      status: 'open',
      name: null,
      message: why.message,
      code: 'GROUPED',
    });
    expect(group.trend.reduce((sum, count) => sum + count, 0)).toBe(3);
    world.clock.now += 1_000;
    const changed = await world.broker.groups.change(
      group.group,
      { name: 'The known one', status: 'resolved' },
      BY,
    );
    expect(changed).toMatchObject({ name: 'The known one', status: 'resolved', changedBy: BY.actor });
    expect(await world.broker.inspect.group(group.group)).toMatchObject({ status: 'resolved', count: 3 });
    world.clock.now += 1_000;
    await killAll(world.broker, queue, jobs(1, 10), why);
    expect(await world.broker.inspect.group(group.group)).toMatchObject({ status: 'reopened', count: 4 });
    // A note does not resolve it anew.
    world.clock.now += 1_000;
    await world.broker.groups.change(group.group, { note: 'see the runbook' }, BY);
    expect(await world.broker.inspect.group(group.group)).toMatchObject({
      status: 'reopened',
      note: 'see the runbook',
      name: 'The known one',
    });
    await world.broker.groups.change(group.group, { status: 'muted' }, BY);
    await world.broker.remove(queue, ids([...jobs(3), ...jobs(1, 10)] as { jobId: string }[]));
    expect(await world.broker.inspect.group(group.group)).toMatchObject({
      status: 'muted',
      count: 0,
      sample: null,
    });
    await world.broker.groups.change(group.group, { status: 'open', name: null, note: null }, BY);
    await expect(world.broker.inspect.group(group.group)).rejects.toMatchObject({ code: 'GROUP_NOT_FOUND' });
    await expect(world.broker.inspect.group('nonsense')).rejects.toMatchObject({ code: 'VALIDATION' });
    await expect(world.broker.groups.change('0123456789ab', { name: 'x' }, BY)).rejects.toMatchObject({
      code: 'GROUP_NOT_FOUND',
    });
  });
});

describe('suggestions', () => {
  it('are fields, and values and payload paths that are there', async () => {
    const queue = world.freshQueue();
    await killAll(
      world.broker,
      queue,
      jobs(3, 0, { jobType: 'mail.send', payload: '{"order":{"id":42,"odd key":[{"sku":"A1"}]}}' }),
    );
    await killAll(world.broker, queue, jobs(1, 10, { jobType: 'mail' }));
    const offered = async (q: string, caret = q.length) =>
      (await world.broker.inspect.suggest({ q, caret, queue })).map(({ insert, count }) => [insert, count]);
    expect(await offered('ty')).toEqual([['type:', null]]);
    expect(await offered('type:ma')).toEqual([
      ['mail.send', 3],
      ['mail', 1],
    ]);
    expect(await offered('type:mail.send tenant:')).toEqual([['default', 3]]);
    expect(await offered('payload.')).toEqual([['order', 3]]);
    expect(await offered('payload.order.')).toEqual([
      ['id', 3],
      ['"odd key"', 3],
    ]);
    expect(await offered('payload.order.id:')).toEqual([['42', 3]]);
    expect(await offered('payload.order."odd key".sku:')).toEqual([['A1', 3]]);
    expect(await offered('id:j00001')).toEqual([['j000010', 1]]);
    expect(await offered('(((')).toContainEqual(['type:', null]);
    expect(await offered('"in quotes')).toEqual([]);
  });
});
