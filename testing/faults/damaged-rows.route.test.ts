/**
 * S19: rows in Redis under names that every object has. Written there past the broker, beside good rows and as copies of them: nothing
 * of the process changes by reading them, every route still answers, and good rows are still read.
 */
import type { Redis } from 'ioredis';
import { beforeAll, expect, test, vi } from 'vitest';
import { createKeys } from '@/lib/broker/redis/redis-keys';
import { JOB_STATES } from '@/lib/contract/jobs/job-states';
import { log } from '@/lib/server/console-log';
import { INVENTORY } from '@/testing/security/route-inventory';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';
import { signInAs, tokenFor } from '@/testing/worlds/users';
import { failure, killAll } from '@/testing/worlds/world';

const NAMES = ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'then', 'polluted'];
const NONSENSE = '{"polluted":true,"__proto__":{"polluted":true}}';

const world = await setUpConsole();
let redis: Redis;
let headers: Record<string, string>;
let planted = 0;
beforeAll(async () => {
  redis = world.redis.connect();
  process.env.REDRIVE_RATE_FACTOR = '1000';
  const me = await signInAs(world, {
    name: 'ann',
    grants: [{ role: 'admin', queues: ['*'], tenants: null }],
  });
  headers = me.headers;
  await tokenFor(world, me, [{ role: 'viewer', queues: ['*'], tenants: null }]);
  await killAll(world.broker, 'inside', [{ jobId: 'dead', jobType: 'a', payload: '{"a":1}' }], failure('X'));
  await world.broker.enqueue('inside', {
    jobId: 'job',
    jobType: 'a',
    payload: '{"a":1}',
    unique: { key: 'k' },
  });
  for (const jobId of ['job', 'done'])
    await world.broker.enqueue('copies', { jobId, jobType: 'a', payload: '{"a":1}' });
  for (const body of [
    ['POST', '/api/v1/queues/inside/pause', { reason: 'x', scope: 'tenant:other' }],
    ['PATCH', '/api/v1/queues/inside/config', { tenantConcurrency: { acme: 1 } }],
    [
      'POST',
      '/api/v1/schedules',
      { id: 'nightly', queue: 'inside', timing: { cron: '0 9 * * *' }, job: { jobType: 'a' } },
    ],
    ['POST', '/api/v1/searches', { name: 'mine', q: 'type:a' }],
  ] as const)
    await callApi(body[0], body[1], { headers, body: body[2] });
  await callApi('POST', '/api/v1/queues/copies/pause', {
    headers,
    body: { reason: 'x', scope: 'tenant:other' },
  });
  await callApi('POST', '/api/v1/queues/copies/resume', { headers, body: { scope: 'tenant:other' } });
  await redis.hset(createKeys('rd').column('copies', 'pauses'), 'polluted', '');
  await callApi('GET', '/api/v1/queues', { headers });
  // Each hash there is gets, under each name, a copy of a row of its own, and all but those of one queue get nonsense, too.
  for (const key of await redis.keys('*')) {
    if ((await redis.type(key)) !== 'hash') continue;
    const [copy] = Object.values((await redis.hgetall(key)) as Record<string, string>);
    for (const [i, name] of NAMES.entries()) {
      const copied = key.includes('{copies}') ? !key.endsWith(':pauses') : i % 2 === 0;
      await redis.hset(key, name, copied ? (copy ?? '') : NONSENSE);
      planted += 1;
    }
  }
});

const untouched = () => {
  expect('polluted' in {}).toBe(false);
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined();
  expect([].concat.name).toBe('concat');
};

test('there is something planted', () => expect(planted).toBeGreaterThan(100));

test('every route that reads still answers', async () => {
  const crash = vi.spyOn(log(), 'error');
  const names: Record<string, string> = { queue: 'inside', group: 'abcdefabcdef', rest: 'x' };
  const paths = Object.entries(INVENTORY)
    .filter(([key]) => key.startsWith('GET '))
    .map(([key, { query = '' }]) => {
      const pattern = key.split(' ')[1] ?? '';
      const id = pattern.includes('/schedules/') ? 'nightly' : 'job';
      return pattern.replace(/\[(?:\.\.\.)?(\w+)\]/g, (_, name: string) => names[name] ?? id) + query;
    });
  for (const state of JOB_STATES)
    paths.push(`/api/v1/queues/inside/jobs?state=${state}&q=${encodeURIComponent('a')}`);
  for (const name of ['constructor', 'toString', 'then'])
    paths.push(`/api/v1/queues/inside/jobs/${name}`, `/api/v1/queues/${name}`);
  for (const path of paths) {
    const { status, response, body } = await callApi('GET', path, { headers });
    await response.body?.cancel().catch(() => undefined);
    expect(status, `${path} ${JSON.stringify(body)}`).toBeLessThan(500);
    untouched();
  }
  expect(crash).not.toHaveBeenCalled();
});

test('good rows are read beside them, and what keeps queues in order goes on', async () => {
  for (const queue of ['inside', 'copies']) {
    const { body } = await callApi('GET', `/api/v1/queues/${queue}/jobs/job`, { headers });
    expect(body).toMatchObject({ state: 'ready', payload: '{"a":1}' });
  }
  // Among them rows of pauses that are none: they end no job's chance to be looked after.
  expect(await redis.hlen(createKeys('rd').column('copies', 'pauses'))).toBe(NAMES.length);
  for (let i = 0; i < 5; i++) await world.broker.maintain('copies');
  const { jobs } = await world.broker.claim('copies', { worker: 'w', count: 10 });
  expect(jobs.map(({ jobId }) => jobId)).toEqual(expect.arrayContaining(['job', 'done']));
  untouched();
});
