/** Settings, draining, shards and refusals over HTTP: what is set holds at once, and every change says who made it and why. */
import { describe, expect, test } from 'vitest';
import { claimReplySchema } from '@/lib/contract/jobs/claim-requests';
import { type ConfigReply, configReplySchema, queueChangesSchema } from '@/lib/contract/queues/queue-config';
import { QUEUE_CONFIG_DEFAULT } from '@/lib/contract/queues/queue-config-default';
import { overviewSchema, queueNumbersSchema } from '@/lib/contract/queues/queue-schemas';
import { until } from '@/testing/poll';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';

const world = await setUpConsole();

const at = (queue: string, rest: string) => `/api/v1/queues/${queue}/${rest}`;
const enqueue = (queue: string, body: unknown, headers: Record<string, string> = {}) =>
  callApi('POST', at(queue, 'jobs'), { body, headers });
const one = (queue: string, body: Record<string, unknown> = {}) => enqueue(queue, { jobType: 'a', ...body });
const settings = async (queue: string): Promise<ConfigReply> =>
  configReplySchema.parse((await callApi('GET', at(queue, 'config'))).body);
const change = (queue: string, body: unknown) => callApi('PATCH', at(queue, 'config'), { body });
const claim = async (queue: string, body: object = {}, headers: Record<string, string> = {}) =>
  claimReplySchema.parse(
    (await callApi('POST', at(queue, 'claim'), { body: { worker: 'w', count: 100, ...body }, headers })).body,
  );
const outcomes = (body: Record<string, unknown>) =>
  (body.results as { outcome: string }[]).map(({ outcome }) => outcome);

describe('settings', () => {
  test('a queue starts with the defaults, at revision 0', async () => {
    await one('fresh');
    expect(await settings('fresh')).toEqual({
      config: QUEUE_CONFIG_DEFAULT,
      revision: 0,
      draining: null,
      shards: { count: 1, by: 'id' },
    });
  });

  test('a change touches what it names, leaves the rest, and is entered with who and why', async () => {
    await one('named');
    await change('named', { tenantLimits: { acme: { concurrency: 1 } }, reason: 'acme is slow' });
    const second = await change('named', { concurrency: 3, deadKeepMs: 86_400_000, reason: 'fewer at once' });
    expect(second.status).toBe(200);
    expect(configReplySchema.parse(second.body)).toMatchObject({
      revision: 2,
      config: {
        concurrency: 3,
        deadKeepMs: 86_400_000,
        tenantLimits: { acme: { concurrency: 1, rate: null } },
      },
    });
    expect((await settings('named')).config.maxDeliveries).toBe(5);
    const { changes } = queueChangesSchema.parse((await callApi('GET', at('named', 'changes'))).body);
    expect(changes).toMatchObject([
      {
        what: 'config',
        actor: 'local operator',
        reason: 'fewer at once',
        // What decides about deletion comes first, so that no long value can push it out.
        before: '{"deadKeepMs":null,"concurrency":null}',
        after: '{"deadKeepMs":86400000,"concurrency":3}',
      },
      { what: 'config', reason: 'acme is slow' },
    ]);
    expect(changes[0]?.requestId).toBe(second.response.headers.get('x-request-id'));
    expect((await callApi('GET', at('named', 'changes?limit=1'))).body.changes).toHaveLength(1);
  });

  test('null and an empty list of exceptions clear a setting', async () => {
    await one('cleared');
    await change('cleared', { concurrency: 1, tenantLimits: { acme: { concurrency: 1 } } });
    await change('cleared', { concurrency: null, tenantLimits: {} });
    expect((await settings('cleared')).config).toEqual(QUEUE_CONFIG_DEFAULT);
  });

  test('of two changes over the same settings the second is refused, and nothing of it holds', async () => {
    await one('rivals');
    expect((await change('rivals', { concurrency: 2, ifRevision: 0 })).status).toBe(200);
    const late = await change('rivals', { concurrency: 9, ifRevision: 0 });
    expect(late.body).toMatchObject({
      status: 409,
      code: 'CONFIG_CHANGED',
      errors: [{ field: 'ifRevision' }],
    });
    expect(await settings('rivals')).toMatchObject({ revision: 1, config: { concurrency: 2 } });
  });

  test('a concurrency limit holds for the next claim', async () => {
    await enqueue('narrow', { jobs: Array.from({ length: 10 }, () => ({ jobType: 'a' })) });
    await change('narrow', { concurrency: 2 });
    const first = await claim('narrow');
    expect(first.jobs).toHaveLength(2);
    expect((await claim('narrow')).jobs).toHaveLength(0);
    const [job] = first.jobs;
    await callApi('POST', at('narrow', `jobs/${job?.envelope.jobId}/ack`), { body: { token: job?.token } });
    expect((await claim('narrow')).jobs).toHaveLength(1);
  });

  test('a tenant at its limit steps aside, and the snapshot says so', async () => {
    await enqueue('shared', {
      jobs: Array.from({ length: 6 }, (_, i) => ({ jobType: 'a', tenantId: i < 4 ? 'acme' : 'globex' })),
    });
    await change('shared', { tenantLimit: { concurrency: 1 } });
    const { jobs } = await claim('shared');
    expect(jobs.map((job) => job.envelope.tenantId).sort()).toEqual(['acme', 'globex']);
    const held = await until(
      async () => {
        const { queue } = queueNumbersSchema.parse((await callApi('GET', '/api/v1/queues/shared')).body);
        return queue.throttledTenants === 2 ? queue : null;
      },
      { what: 'the snapshot to show the throttled tenants' },
    );
    expect(held.counts.held).toBe(4);
    // Waiting its turn is no fault.
    const { verdict } = overviewSchema.parse((await callApi('GET', '/api/v1/queues')).body);
    expect(verdict.findings.filter((finding) => finding.queue === 'shared')).toEqual([]);
  });
});

describe('a job that may not come in', () => {
  test('a full queue answers 429, says how full and when to try again; a batch answers job by job', async () => {
    await one('full');
    await change('full', { depthLimit: 3 });
    const batch = await enqueue('full', { jobs: Array.from({ length: 4 }, () => ({ jobType: 'a' })) });
    expect(batch.status).toBe(201);
    expect(outcomes(batch.body)).toEqual(['ready', 'ready', 'queue-full', 'queue-full']);
    const refused = await one('full');
    expect(refused.body).toMatchObject({ status: 429, code: 'QUEUE_FULL' });
    expect(refused.body.detail).toContain('3 jobs and takes at most 3');
    expect(Number(refused.response.headers.get('retry-after'))).toBeGreaterThan(0);
    // Nothing of this batch came in, so nothing was created.
    const none = await enqueue('full', { jobs: [{ jobType: 'a' }] });
    expect([none.status, outcomes(none.body)]).toEqual([200, ['queue-full']]);
  });

  test('what is not critical is shed first', async () => {
    await one('shed');
    await one('shed');
    await change('shed', { depthLimit: 4, shedAtPercent: 50 });
    expect((await one('shed', { critical: false })).body).toMatchObject({ status: 429, code: 'QUEUE_FULL' });
    expect((await one('shed')).status).toBe(201);
  });

  test('a uniqueness key that is taken answers 409 and names who has it', async () => {
    const unique = { key: 'invoice-7' };
    const first = await one('unique', { jobId: 'first', unique });
    expect(first.status).toBe(201);
    const second = await one('unique', { unique });
    expect(second.body).toMatchObject({ status: 409, code: 'NOT_UNIQUE', errors: [{ field: 'unique.key' }] });
    expect(second.body.detail).toContain('first');
    const batch = await enqueue('unique', { jobs: [{ jobType: 'a', unique }, { jobType: 'a' }] });
    expect(batch.body.results).toMatchObject([
      { outcome: 'not-unique', ownerId: 'first' },
      { outcome: 'ready' },
    ]);
  });

  test('a taken id is an error alone and an outcome in a batch', async () => {
    await one('taken', { jobId: 'mine', payload: 1 });
    expect((await one('taken', { jobId: 'mine', payload: 2 })).body).toMatchObject({ code: 'ID_CONFLICT' });
    const batch = await enqueue('taken', { jobs: [{ jobType: 'a', jobId: 'mine', payload: 2 }] });
    expect([batch.status, outcomes(batch.body)]).toEqual([200, ['conflict']]);
  });
});

test('draining refuses new jobs, hands out old ones, says who and why everywhere, and ends', async () => {
  await one('drains');
  const started = await callApi('POST', at('drains', 'drain'), { body: { reason: 'moving house' } });
  expect(configReplySchema.parse(started.body).draining).toMatchObject({
    actor: 'local operator',
    reason: 'moving house',
  });
  expect((await one('drains')).body).toMatchObject({ status: 409, code: 'QUEUE_DRAINING' });
  expect((await claim('drains')).jobs).toHaveLength(1);
  const overview = await until(
    async () => {
      const read = overviewSchema.parse((await callApi('GET', '/api/v1/queues')).body);
      return read.queues.find((queue) => queue.queue === 'drains')?.draining ? read : null;
    },
    { what: 'the snapshot to show that the queue drains' },
  );
  expect(overview.verdict.findings).toContainEqual(
    expect.objectContaining({ level: 'warn', queue: 'drains', code: 'DRAINING' }),
  );
  expect(await (await callApi('GET', '/metrics')).response.text()).toContain(
    'redis_job_draining{queue="drains"} 1',
  );
  const ended = await callApi('POST', at('drains', 'drain'), {
    body: { draining: false, reason: 'moved' },
  });
  expect(configReplySchema.parse(ended.body).draining).toBeNull();
  expect((await one('drains')).status).toBe(201);
  const { changes } = queueChangesSchema.parse((await callApi('GET', at('drains', 'changes'))).body);
  expect(changes.map(({ what, reason }) => `${what}: ${reason}`)).toEqual([
    'undrain: moved',
    'drain: moving house',
  ]);
});

test('pausing and resuming are in the record too, with their reasons', async () => {
  await one('record');
  await callApi('POST', at('record', 'pause'), { body: { scope: 'tenant:acme', reason: 'refunds' } });
  await callApi('POST', at('record', 'resume'), { body: { scope: 'tenant:acme', reason: 'refunded' } });
  const { changes } = queueChangesSchema.parse((await callApi('GET', at('record', 'changes'))).body);
  expect(changes).toMatchObject([
    { what: 'resume', before: 'tenant:acme', reason: 'refunded', actor: 'local operator' },
    { what: 'pause', before: 'tenant:acme', reason: 'refunds', actor: 'local operator' },
  ]);
});

describe('shards', () => {
  test('are chosen before the first job, and show in the settings and the snapshot', async () => {
    const set = await callApi('PUT', at('spread', 'sharding'), { body: { count: 3, by: 'tenant' } });
    expect(configReplySchema.parse(set.body).shards).toEqual({ count: 3, by: 'tenant' });
    await enqueue('spread', {
      jobs: Array.from({ length: 12 }, (_, i) => ({ jobType: 'a', tenantId: `t${i}` })),
    });
    const queue = await until(
      async () =>
        overviewSchema
          .parse((await callApi('GET', '/api/v1/queues')).body)
          .queues.find((found) => found.queue === 'spread' && found.counts.ready === 12),
      { what: 'the snapshot to show the jobs of all shards' },
    );
    expect(queue.shards).toEqual({ count: 3, unavailable: [] });
    const metrics = await (await callApi('GET', '/metrics')).response.text();
    expect(metrics).toContain('redis_job_shards{queue="spread"} 3');
    expect(metrics).toContain('redis_job_shards_unavailable{queue="spread"} 0');
  });

  test('cannot change under jobs', async () => {
    await one('settled');
    const refused = await callApi('PUT', at('settled', 'sharding'), { body: { count: 2 } });
    expect(refused.body).toMatchObject({
      status: 409,
      code: 'WRONG_STATE',
      errors: [{ field: 'sharding' }],
    });
    expect((await settings('settled')).shards.count).toBe(1);
    expect((await one('settled')).status).toBe(201);
  });

  test('a shard that cannot be read makes the numbers partial, not zero', async () => {
    await callApi('PUT', at('broken', 'sharding'), { body: { count: 3 } });
    await enqueue('broken', { jobs: Array.from({ length: 30 }, () => ({ jobType: 'a' })) });
    const client = world.redis.connect();
    await client.del('rd:{broken#1}:completed');
    await client.set('rd:{broken#1}:completed', 'not ours');
    const partial = await until(
      async () => {
        const read = overviewSchema.parse((await callApi('GET', '/api/v1/queues')).body);
        const queue = read.queues.find((found) => found.queue === 'broken');
        return queue?.shards.unavailable.length ? { read, queue } : null;
      },
      { what: 'the snapshot to be partial' },
    );
    expect(partial.queue.shards).toEqual({ count: 3, unavailable: [1] });
    expect(partial.queue.counts.ready).toBeGreaterThan(0);
    expect(partial.queue.counts.ready).toBeLessThan(30);
    expect(partial.queue.ledger.difference).toBe(0);
    expect(partial.read.verdict.findings).toContainEqual(
      expect.objectContaining({ level: 'bad', queue: 'broken', code: 'SHARDS' }),
    );
    await client.del('rd:{broken#1}:completed');
  });
});

test('metrics leave out what has no value', async () => {
  await one('limited');
  // Both are there before the limit is: whatever sample shows that has them.
  await one('unlimited');
  await change('limited', { depthLimit: 50 });
  await until(
    async () =>
      (await (await callApi('GET', '/metrics')).response.text()).includes(
        'redis_job_depth_limit{queue="limited"} 50',
      ),
    { what: 'the metrics to show the limit' },
  );
  const text = await (await callApi('GET', '/metrics')).response.text();
  expect(text).toContain('redis_job_depth{queue="limited"} 1');
  expect(text).toContain('redis_job_depth{queue="unlimited"}');
  expect(text).not.toContain('redis_job_depth_limit{queue="unlimited"}');
  expect(text).not.toContain('redis_job_dead_expire_ms{queue="limited"}');
  expect(text).not.toMatch(/(null|NaN|undefined)$/m);
});

describe('a claim whose reply was lost', () => {
  test('is sent again with its key: the jobs come once more, without a burnt attempt, and old tokens are stale', async () => {
    await enqueue('lost', { jobs: [{ jobType: 'a' }, { jobType: 'a' }, { jobType: 'a' }] });
    const key = { 'idempotency-key': 'call-1' };
    const unheard = await claim('lost', { count: 2 }, key);
    const heard = await claim('lost', { count: 2 }, key);
    const ids = (answer: typeof heard) => answer.jobs.map((job) => job.envelope.jobId).sort();
    expect(ids(heard)).toEqual(ids(unheard));
    expect(heard.jobs.every((job) => job.attempt === 1 && job.delivery === 2)).toBe(true);
    const [old, fresh] = [unheard.jobs[0], heard.jobs[0]];
    const ack = (job: typeof old) =>
      callApi('POST', at('lost', `jobs/${job?.envelope.jobId}/ack`), { body: { token: job?.token } });
    expect((await ack(old)).body).toMatchObject({ code: 'STALE_CLAIM' });
    expect((await ack(fresh)).body).toEqual({ outcome: 'completed' });
  });

  test('another key, or the same key of another worker, gives nothing back', async () => {
    await enqueue('apart', { jobs: [{ jobType: 'a' }, { jobType: 'a' }, { jobType: 'a' }] });
    const mine = await claim('apart', { worker: 'w1', count: 1 }, { 'idempotency-key': 'call-1' });
    await claim('apart', { worker: 'w1', count: 1 }, { 'idempotency-key': 'call-2' });
    await claim('apart', { worker: 'w2', count: 1 }, { 'idempotency-key': 'call-1' });
    const [job] = mine.jobs;
    expect(
      (await callApi('POST', at('apart', `jobs/${job?.envelope.jobId}/ack`), { body: { token: job?.token } }))
        .body,
    ).toEqual({ outcome: 'completed' });
  });

  test('works in a sharded queue', async () => {
    await callApi('PUT', at('wide', 'sharding'), { body: { count: 3 } });
    await enqueue('wide', { jobs: Array.from({ length: 9 }, () => ({ jobType: 'a' })) });
    const key = { 'idempotency-key': 'call-1' };
    expect((await claim('wide', {}, key)).jobs).toHaveLength(9);
    expect((await claim('wide', {}, key)).jobs).toHaveLength(9);
    expect((await claim('wide')).jobs).toHaveLength(0);
  });
});
