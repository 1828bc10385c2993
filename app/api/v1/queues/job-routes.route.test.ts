/** What the API does when it is asked well: from a request to Redis and back. */
import { expect, test } from 'vitest';
import { createFrameReader } from '@/lib/browser/live/frame-reader';
import { claimReplySchema } from '@/lib/contract/jobs/claim-requests';
import { jobDetailSchema, jobPageSchema } from '@/lib/contract/jobs/job-schemas';
import { labStateSchema } from '@/lib/contract/lab/lab-schemas';
import { LAB_DEFAULTS } from '@/lib/contract/lab/lab-settings';
import { frameSchema } from '@/lib/contract/live/live-frame';
import { overviewSchema } from '@/lib/contract/queues/queue-schemas';
import { until } from '@/testing/poll';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';

const world = await setUpConsole();

const jobs = (queue: string) => `/api/v1/queues/${queue}/jobs`;

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
  const [claimed] = claimReplySchema.parse(claim.body).jobs;
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
    result: { worker: 'curl', result: '"sent"' },
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

  const other = (body: object) =>
    callApi('POST', jobs('idem'), { body, headers: { 'idempotency-key': 'order-7' } });
  const refused = { status: 409, body: { code: 'ID_CONFLICT', errors: [{ field: 'Idempotency-Key' }] } };
  expect(await other({ jobType: 'b' })).toMatchObject(refused);
  expect(await other({ jobs: [{ jobType: 'b' }, { jobType: 'b' }] })).toMatchObject(refused);
  // What is entered is never answered as an error.
  const longer = await other({ jobs: [{ jobType: 'b' }, { jobType: 'b' }, { jobType: 'c' }] });
  expect((longer.body.results as { outcome: string }[]).map(({ outcome }) => outcome)).toEqual([
    'conflict',
    'duplicate',
    'ready',
  ]);
  // Ids of the sender's choice are the sender's own.
  await callApi('POST', jobs('idem'), { body: { jobType: 'a', jobId: 'chosen' } });
  expect((await other({ jobType: 'b', jobId: 'chosen' })).body.errors).toMatchObject([{ field: 'jobId' }]);
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
  const { getLiveHub: getHub } = await import('@/lib/server/live/live-hub');
  const { response } = await callApi('GET', '/api/v1/stream');
  const reader = response.body?.getReader();
  let text = '';
  while (!text.includes('\n\n', text.indexOf('event: frame') + 1) || !text.includes('event: frame')) {
    const chunk = await reader?.read();
    text += new TextDecoder().decode(chunk?.value);
  }
  const data = text.match(/^data: (.*)$/m)?.[1] ?? '';
  expect(createFrameReader(frameSchema).read('frame', data)?.overview.fresh).toBe(true);
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
