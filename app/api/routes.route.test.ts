/** What the API does when it is asked well: from a request to Redis and back. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimResponseSchema } from '@/lib/contract/claims';
import { deadPageSchema } from '@/lib/contract/dead';
import { jobDetailSchema, jobPageSchema } from '@/lib/contract/job';
import { LAB_DEFAULTS, labStateSchema } from '@/lib/contract/lab';
import { frameSchema } from '@/lib/contract/live';
import { operationSchema } from '@/lib/contract/operations';
import { overviewSchema } from '@/lib/contract/queue';
import { callApi } from '@/testing/api';
import { startTestConsole, type TestConsole } from '@/testing/console';
import { until } from '@/testing/poll';

let world: TestConsole;
beforeAll(async () => {
  world = await startTestConsole();
});
afterAll(() => world.stop());

const jobs = (queue: string) => `/api/v1/queues/${queue}/jobs`;

/** Jobs that died at once, each of another tenant and code. */
async function bury(queue: string, count: number): Promise<void> {
  await world.broker.enqueueMany(
    queue,
    Array.from({ length: count }, (_, i) => ({
      jobType: 'invoice.issue',
      jobId: `${queue}-${i}`,
      tenantId: i % 2 ? 'acme' : 'globex',
      payload: '{}',
    })),
  );
  const { jobs: claimed } = await world.broker.claim(queue, { worker: 'w', count });
  await world.broker.fail(
    queue,
    claimed.map((job, i) => ({
      ...job,
      failure: {
        errorClass: 'permanent' as const,
        errorCode: i % 2 ? 'HTTP_400' : 'DENIED',
        message: `failure ${i}`,
      },
    })),
  );
}

test('enqueue, look, claim, complete, look again', async () => {
  const made = await callApi('POST', jobs('life'), {
    body: { jobType: 'email.send', payload: { to: 'a@example.com' } },
  });
  expect(made.status).toBe(201);
  const jobId = (made.body.results as { jobId: string }[])[0]?.jobId ?? '';
  const page = jobPageSchema.parse((await callApi('GET', `${jobs('life')}?state=ready`)).body);
  expect(page).toMatchObject({
    total: 1,
    nextCursor: null,
    jobs: [{ jobId, state: 'ready', jobType: 'email.send' }],
  });
  const claim = await callApi('POST', '/api/v1/queues/life/claim', {
    body: { worker: 'curl', leaseMs: 5_000 },
  });
  const [claimed] = claimResponseSchema.parse(claim.body).jobs;
  expect(claimed?.payload).toBe('{"to":"a@example.com"}');
  expect(
    (
      await callApi('POST', `${jobs('life')}/${jobId}/ack`, {
        body: { token: claimed?.token, result: 'sent' },
      })
    ).body,
  ).toEqual({ outcome: 'completed' });
  const detail = jobDetailSchema.parse((await callApi('GET', `${jobs('life')}/${jobId}`)).body);
  expect(detail).toMatchObject({
    state: 'completed',
    result: { worker: 'curl', result: 'sent' },
    deliveries: 1,
  });
});

test('an Idempotency-Key makes a resent enqueue the same job', async () => {
  const send = () =>
    callApi('POST', jobs('idem'), {
      body: { jobs: [{ jobType: 'a' }, { jobType: 'b' }] },
      headers: { 'idempotency-key': 'order-7' },
    });
  const first = (await send()).body.results as { jobId: string; outcome: string }[];
  const second = (await send()).body.results as { jobId: string; outcome: string }[];
  expect(second.map((r) => r.jobId)).toEqual(first.map((r) => r.jobId));
  expect(second.map((r) => r.outcome)).toEqual(['duplicate', 'duplicate']);
});

test('payloadText is stored byte for byte', async () => {
  const text = '{"big":9007199254740993,"empty":[],"one":1.0}';
  await callApi('POST', jobs('bytes'), { body: { jobType: 'a', jobId: 'exact', payloadText: text } });
  expect((await callApi('GET', `${jobs('bytes')}/exact`)).body.payload).toBe(text);
});

test('pause admits nothing, says who and why, and resume lets go', async () => {
  await callApi('POST', jobs('stop'), { body: { jobType: 'a' } });
  const paused = await callApi('POST', '/api/v1/queues/stop/pause', {
    body: { reason: 'payments are down', forMs: 60_000 },
  });
  expect(paused.body.pauses).toMatchObject([
    { scope: 'queue', reason: 'payments are down', actor: 'local operator' },
  ]);
  expect((await callApi('POST', '/api/v1/queues/stop/claim', { body: { worker: 'w' } })).body).toMatchObject({
    paused: true,
    jobs: [],
  });
  expect((await callApi('POST', '/api/v1/queues/stop/resume', { body: {} })).body).toEqual({ pauses: [] });
  expect(
    (await callApi('POST', '/api/v1/queues/stop/claim', { body: { worker: 'w' } })).body.jobs,
  ).toHaveLength(1);
});

test('dead letters are filtered, paged and counted; a re-drive by filter touches exactly those', async () => {
  await bury('dead', 10);
  const page = deadPageSchema.parse(
    (await callApi('GET', '/api/v1/dead?queue=dead&tenant=acme&limit=2')).body,
  );
  expect(page.matching).toEqual({ count: 5, exact: true });
  expect(page.jobs.every((job) => job.tenantId === 'acme')).toBe(true);
  const next = deadPageSchema.parse(
    (await callApi('GET', `/api/v1/dead?queue=dead&tenant=acme&limit=2&cursor=${page.nextCursor}`)).body,
  );
  expect(new Set([...page.jobs, ...next.jobs].map((job) => job.jobId)).size).toBe(4);

  const body = {
    kind: 'redrive',
    filter: { queue: 'dead', tenant: 'acme' },
    cutoff: page.at,
    reason: 'fixed',
  };
  const started = await callApi('POST', '/api/v1/operations', {
    body,
    headers: { 'idempotency-key': 'one-click' },
  });
  expect(started.status).toBe(202);
  const twice = await callApi('POST', '/api/v1/operations', {
    body,
    headers: { 'idempotency-key': 'one-click' },
  });
  expect(twice.body.id).toBe(started.body.id);
  const ended = await until(
    async () => {
      const operation = operationSchema.parse(
        (await callApi('GET', `/api/v1/operations/${started.body.id}`)).body,
      );
      return operation.status === 'completed' ? operation : null;
    },
    { what: 'the re-drive to end' },
  );
  expect(ended).toMatchObject({
    moved: 5,
    skipped: 0,
    expected: 5,
    actor: 'local operator',
    reason: 'fixed',
  });
  expect((await callApi('GET', `${jobs('dead')}?state=ready`)).body.total).toBe(5);
  expect((await callApi('GET', '/api/v1/dead?queue=dead')).body.matching).toEqual({ count: 5, exact: true });
});

test('ticked jobs are purged, and come back when restored', async () => {
  await bury('bin', 2);
  const body = {
    kind: 'purge',
    jobs: [
      { queue: 'bin', jobId: 'bin-0' },
      { queue: 'bin', jobId: 'gone' },
    ],
    reason: 'test data',
  };
  const operation = operationSchema.parse((await callApi('POST', '/api/v1/operations', { body })).body);
  expect(operation).toMatchObject({ status: 'completed', moved: 1, skipped: 1, selected: 2 });
  expect((await callApi('GET', `${jobs('bin')}/bin-0`)).body.state).toBe('trashed');
  expect(
    (await callApi('POST', `${jobs('bin')}/bin-0/restore`, { body: { reason: 'mistake' } })).status,
  ).toBe(200);
  expect((await callApi('GET', `${jobs('bin')}/bin-0`)).body.state).toBe('dead');
});

test('an Idempotency-Key belongs to one operation', async () => {
  await bury('keyed', 2);
  const send = (kind: string) =>
    callApi('POST', '/api/v1/operations', {
      body: { kind, filter: { queue: 'keyed' }, reason: 'once' },
      headers: { 'idempotency-key': 'mine' },
    });
  expect((await send('redrive')).status).toBe(202);
  expect((await send('purge')).body).toMatchObject({ status: 409, code: 'ID_CONFLICT' });
});

test('a ticked job that died again after the cut-off is not the one that was looked at, and stays', async () => {
  await bury('again', 2);
  const seen = deadPageSchema.parse((await callApi('GET', '/api/v1/dead?queue=again')).body);
  await world.broker.redrive('again', ['again-0'], { actor: 'test' });
  await until(async () => (await world.broker.now()) > seen.at, { what: 'a later millisecond' });
  const { jobs: claimed } = await world.broker.claim('again', { worker: 'w' });
  await world.broker.fail(
    'again',
    claimed.map((job) => ({
      ...job,
      failure: { errorClass: 'permanent' as const, errorCode: 'AGAIN', message: 'again' },
    })),
  );
  const body = {
    kind: 'purge',
    jobs: ['again-0', 'again-1'].map((jobId) => ({ queue: 'again', jobId })),
    cutoff: seen.at,
    reason: 'looked at',
  };
  expect((await callApi('POST', '/api/v1/operations', { body })).body).toMatchObject({
    moved: 1,
    skipped: 1,
  });
  expect(seen.jobs).toHaveLength(2);
  expect((await callApi('GET', `${jobs('again')}/again-0`)).body.state).toBe('dead');
  expect((await callApi('GET', `${jobs('again')}/again-1`)).body.state).toBe('trashed');
});

test('lab settings are saved and read back whole', async () => {
  const saved = await callApi('PUT', '/api/v1/lab', { body: { ...LAB_DEFAULTS, crashPercent: 30 } });
  expect(labStateSchema.parse(saved.body).settings.crashPercent).toBe(30);
});

test('the overview, a queue, the metrics and the stats say the same', async () => {
  await callApi('POST', jobs('same'), {
    body: { jobs: [{ jobType: 'a' }, { jobType: 'a' }, { jobType: 'a', delayMs: 60_000 }] },
  });
  const overview = await until(
    async () => {
      const read = overviewSchema.parse((await callApi('GET', '/api/v1/queues')).body);
      return read.queues.find((q) => q.queue === 'same')?.counts.scheduled === 1 ? read : null;
    },
    { what: 'the snapshot to show the jobs' },
  );
  expect(overview.queues.every((q) => q.ledger.difference === 0)).toBe(true);
  expect((await callApi('GET', '/api/v1/queues/same')).body).toMatchObject({
    queue: { counts: { ready: 2, scheduled: 1 } },
  });
  const metrics = await (await callApi('GET', '/metrics')).response.text();
  expect(metrics).toContain('redis_job_ready_depth{queue="same"} 2');
  expect(metrics).toContain('redis_job_scheduled_depth{queue="same"} 1');
  for (const name of [
    'processing_depth',
    'dead_depth',
    'oldest_ready_age_ms',
    'claim_total',
    'success_total',
    'retry_total',
    'dead_total',
    'execution_duration_ms_bucket',
    'attempts_bucket',
    'recovered_total',
    'duplicate_total',
  ])
    expect(metrics).toContain(`redis_job_${name}{queue="same"`);
  expect((await callApi('GET', '/stats')).body).toMatchObject({
    queues: { same: { ready: 2, scheduled: 1 } },
  });
});

test('the stream greets with a whole frame and ends when the reader leaves', async () => {
  const { getHub } = await import('@/lib/server/hub');
  const { response } = await callApi('GET', '/api/v1/stream');
  const reader = response.body?.getReader();
  let text = '';
  while (!text.includes('\n\n', text.indexOf('event: frame') + 1) || !text.includes('event: frame')) {
    const chunk = await reader?.read();
    text += new TextDecoder().decode(chunk?.value);
  }
  const data = text.match(/^data: (.*)$/m)?.[1] ?? '';
  expect(frameSchema.parse(JSON.parse(data)).overview.fresh).toBe(true);
  expect(getHub().size).toBe(1);
  await reader?.cancel();
  expect(getHub().size).toBe(0);
});

test('while Redis is away the console stays up, says so, and comes back by itself', async () => {
  expect((await callApi('GET', '/readyz')).status).toBe(200);
  await world.redis.kill('SIGKILL');
  await until(async () => (await callApi('GET', '/readyz')).status === 503, {
    what: 'readiness to fail',
    timeoutMs: 15_000,
  });
  expect((await callApi('GET', '/healthz')).status).toBe(200);
  const down = await until(
    async () => {
      const read = overviewSchema.parse((await callApi('GET', '/api/v1/queues')).body);
      return read.fresh ? null : read;
    },
    { what: 'the overview to say that it is old', timeoutMs: 10_000 },
  );
  expect(down.verdict.findings[0]).toMatchObject({ level: 'bad', code: 'REDIS' });
  const refused = await callApi('POST', jobs('same'), { body: { jobType: 'a' } });
  expect(refused.body).toMatchObject({ status: 503, code: 'REDIS_UNAVAILABLE' });
  await world.redis.restart();
  await until(async () => (await callApi('GET', '/readyz')).status === 200, {
    what: 'readiness to return',
    timeoutMs: 10_000,
  });
});
