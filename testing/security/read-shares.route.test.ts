/** Reads have shares: what one user asks for at once keeps no other user waiting, and ends when its client leaves. */
import { beforeAll, describe, expect, it } from 'vitest';
import { SCRIPTS } from '@/lib/broker/lua.generated';
import { SCANS } from '@/lib/broker/redis/scripts/scan-turns';
import { FULL_SCOPE, type Grant } from '@/lib/contract/access/grant-scopes';
import { API } from '@/lib/contract/api';
import { getLargeReads, LARGE_READS } from '@/lib/server/routes/large-reads';
import { until } from '@/testing/poll';
import { setUpConsole } from '@/testing/worlds/console-server';
import { startMonitor } from '@/testing/worlds/monitor';
import { callApi, callRoute } from '@/testing/worlds/route-caller';
import { type SignedIn, signInAs, tokenFor } from '@/testing/worlds/users';
import { failure, jobs, killAll } from '@/testing/worlds/world';

const world = await setUpConsole();
const VIEWER: Grant[] = [{ role: 'admin', queues: ['*'], tenants: null }];
let greedy: SignedIn;
let other: SignedIn;
let group = '';
beforeAll(async () => {
  process.env.REDRIVE_RATE_FACTOR = '1000';
  for (let i = 0; i < 3_000; i += 500)
    await killAll(world.broker, 'big', jobs(500, i, { payload: '{"text":"lorem ipsum"}' }), failure('X'));
  await world.broker.enqueue('big', { jobId: 'job', jobType: 'a' });
  greedy = await signInAs(world, { name: 'greedy', grants: VIEWER });
  other = await signInAs(world, { name: 'other', grants: VIEWER });
  group = (await world.broker.inspect.groups({ q: '', within: FULL_SCOPE })).groups[0]?.group ?? '';
}, 120_000);

const READS = Object.values(API).filter(({ reads, method }) => reads !== undefined && method === 'GET');
const QUERIES: Record<string, string> = {
  '/api/v1/find': '?q=job',
  '/api/v1/find/stream': '?q=job',
  '/api/v1/operations/{id}/jobs': '?outcome=skipped',
  '/api/v1/suggest': '?q=type:&caret=5',
  '/api/v1/history': '?from=0&to=60000',
  '/api/v1/queues/{queue}/jobs': '?state=dead&q=lorem',
  '/api/v1/dead': '?q=lorem',
  '/api/v1/dead/facets': '?q=lorem',
  '/api/v1/dead/groups': '?q=lorem',
};
const addressOf = (path: string) =>
  path
    .replace('{queue}', 'big')
    .replace('{group}', group)
    .replace(/\{\w+\}/g, 'job') + (QUERIES[path] ?? '');
const ask = ({ headers }: { headers: Record<string, string> }, path: string) =>
  callApi('GET', addressOf(path), { headers });
const pathsThatRead = (kind: string) => READS.filter(({ reads }) => reads === kind).map(({ path }) => path);

/** Takes all places of a user, and their whole line. @returns lets go of them */
function fillShareOf({ userId }: SignedIn): () => Promise<void> {
  const reads = Array.from({ length: LARGE_READS.mostEach + LARGE_READS.waitingEach }, () => {
    const leave = new AbortController();
    const { signal } = leave;
    const over = new Promise((end) => signal.addEventListener('abort', end));
    const read = getLargeReads().run(userId, signal, () => over);
    return { leave, read: read.catch(() => undefined) };
  });
  return async () => {
    for (const { leave } of reads) leave.abort();
    await Promise.all(reads.map(({ read }) => read));
  };
}

describe('with the share of a user taken', () => {
  it.each(pathsThatRead('large'))('%s tells them how long to wait, and answers others', async (path) => {
    const release = fillShareOf(greedy);
    try {
      const refused = await ask(greedy, path);
      expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
      expect(Number(refused.response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect((await ask(other, path)).status).not.toBe(429);
    } finally {
      await release();
    }
    expect((await ask(greedy, path)).status).not.toBe(429);
  });

  it.each(pathsThatRead('small'))('%s answers them', async (path) => {
    const release = fillShareOf(greedy);
    try {
      expect((await ask(greedy, path)).status).not.toBe(429);
    } finally {
      await release();
    }
  });

  it('their tokens and previews share it, and their changes do not', async () => {
    const token = await tokenFor(world, greedy, VIEWER);
    const release = fillShareOf(greedy);
    try {
      expect((await ask(token, '/api/v1/dead')).status).toBe(429);
      const preview = { body: { kind: 'redrive', scope: { q: '' } }, headers: greedy.headers };
      expect((await callApi('POST', '/api/v1/operations/preview', preview)).status).toBe(429);
      const pause = { body: { reason: 'a test' }, headers: greedy.headers };
      expect((await callApi('POST', '/api/v1/queues/big/pause', pause)).status).toBe(200);
      expect((await callApi('POST', '/api/v1/queues/big/resume', pause)).status).toBe(200);
    } finally {
      await release();
    }
  });
});

/**
 * The scripts that scan, as Redis is asked for them.
 * @param onScan called at each, at once
 */
async function watchScans(onScan: () => void = () => undefined) {
  const names = new Map<string, string>([...SCANS].map((name) => [SCRIPTS[name].sha, name]));
  const monitor = await startMonitor(world.redis);
  const seen: string[] = [];
  let isOver = false;
  monitor.on('monitor', (_: string, [command = '', first = '']: string[], source: string) => {
    if (source === 'lua') return;
    if (first === 'the end') isOver = true;
    const name = /^evalsha?$/i.test(command) ? names.get(first) : undefined;
    if (!name) return;
    seen.push(name);
    onScan();
  });
  return {
    async stop() {
      await world.redis.connect().echo('the end');
      await until(() => isOver, { what: 'MONITOR to have told everything' });
      monitor.disconnect();
      return seen;
    },
  };
}

it.each(pathsThatRead('small'))('%s scans nothing: it would have to take turns', async (path) => {
  const watch = await watchScans();
  await ask(other, path);
  expect(await watch.stop()).toEqual([]);
});

const words = Array.from({ length: 60 }, (_, i) => `zz${i}q`).join(' OR ');
const search = (signal?: AbortSignal) =>
  callRoute(
    new Request(`http://127.0.0.1:3000/api/v1/dead?q=${encodeURIComponent(words)}`, {
      headers: { host: '127.0.0.1:3000', ...greedy.headers },
      ...(signal ? { signal } : {}),
    }),
  );

it('a search whose client leaves ends before its next scan, and takes no place in the line', async () => {
  expect((await search()).status).toBe(200);
  const whole = await watchScans();
  expect((await search()).status).toBe(200);
  const scans = (await whole.stop()).length;
  expect(scans).toBeGreaterThan(5);

  const leave = new AbortController();
  const watch = await watchScans(() => leave.abort());
  expect((await search(leave.signal)).status).toBe(499);
  expect(getLargeReads().running).toBe(0);
  const seen = (await watch.stop()).length;
  expect(seen).toBeGreaterThan(0);
  expect(seen).toBeLessThanOrEqual(1 + 4);

  const release = fillShareOf(greedy);
  const waiting = search(AbortSignal.abort());
  expect((await waiting).status).toBe(499);
  await release();
  expect(getLargeReads().waiting).toBe(0);
});
