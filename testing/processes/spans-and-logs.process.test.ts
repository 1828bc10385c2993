/**
 * What console and worker tell of one job from outside: its trace, by environment variables alone, and their lines in the log. The real
 * console, the real demo worker, a collector on loopback. Needs the build.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LAB_KINDS } from '@/lib/contract/lab/lab-settings';
import { logFieldProblems, logLines } from '@/testing/observability/log-fields';
import { startTraceReceiver, type TraceReceiver } from '@/testing/observability/trace-receiver';
import { until } from '@/testing/poll';
import { Processes, requireBuild, type Spawned } from '@/testing/worlds/processes';
import { type RealConsole, startRealConsole } from '@/testing/worlds/real-console';
import { setUpRedisOnPort } from '@/testing/worlds/set-up-redis';

const ROOT = join(import.meta.dirname, '../..');
/** The span of a client of the API. */
const CLIENT = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const SECRET = 'canary-in-a-payload';

requireBuild();
const processes = new Processes();
const redis = await setUpRedisOnPort();
let receiver: TraceReceiver;
let site: RealConsole;
let worker: Spawned;
let jobId: string;
const requestIds: Record<string, unknown> = {};

async function post(path: string, body: object, headers: Record<string, string> = {}) {
  const answer = await site.ask(path, { method: 'POST', body, headers });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer;
}
const job = async () => (await site.ask(`/api/v1/queues/default/jobs/${jobId}`)).json();
const diesAt = (delivery: number) =>
  until(
    async () => {
      const { state, deliveries } = await job();
      return state === 'dead' && deliveries === delivery;
    },
    { what: `the job to die of run ${delivery}`, timeoutMs: 60_000 },
  );

beforeAll(async () => {
  receiver = await startTraceReceiver();
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_BSP_SCHEDULE_DELAY: '100',
    LOG_LEVEL: 'debug',
  };
  site = await startRealConsole(processes, { redisUrl: redis.url, env });
  worker = processes.node([join(ROOT, 'dist/worker/index.js')], {
    name: 'the worker',
    cwd: ROOT,
    env: { REDIS_URL: redis.url, ...env },
  });
  // The handler's schema refuses this payload, whatever chance says: the job is dead after one run.
  const enqueued = await post(
    '/api/v1/queues/default/jobs',
    { jobType: LAB_KINDS[0], payload: SECRET },
    { traceparent: `00-${CLIENT.traceId}-${CLIENT.spanId}-01` },
  );
  jobId = String((enqueued.json().results as { jobId: string }[])[0]?.jobId);
  await diesAt(1);
  const redriven = await post(`/api/v1/queues/default/jobs/${jobId}/redrive`, { reason: 'a test' });
  await diesAt(2);
  const paused = await post('/api/v1/queues/default/pause', { reason: 'a test', scope: 'queue' });
  for (const [name, answer] of Object.entries({ enqueued, redriven, paused }))
    requestIds[name] = answer.headers['x-request-id'];
}, 180_000);
afterAll(async () => {
  await processes.stopAll();
  await receiver.stop();
});

describe('a trace', () => {
  it('leads from the HTTP request to enqueue, handler and re-drive', async () => {
    const ours = () => receiver.spans.filter(({ traceId }) => traceId === CLIENT.traceId);
    const named = (name: string) => ours().filter((span) => span.name === name);
    await until(() => named('redrive.process').length === 2 && named('redrive.job.redrive').length === 1, {
      what: 'both runs and the re-drive at the collector',
      timeoutMs: 30_000,
    });
    const [request, ...others] = named('POST /api/v1/queues/{queue}/jobs');
    expect(others).toEqual([]);
    expect(request).toMatchObject({
      service: 'redrive-console',
      kind: 2,
      parentSpanId: CLIENT.spanId,
      attributes: {
        'http.route': '/api/v1/queues/{queue}/jobs',
        'http.response.status_code': '201',
        'messaging.destination.name': 'default',
        'redrive.request.id': requestIds.enqueued,
      },
    });
    const [enqueue] = named('redrive.enqueue');
    expect(enqueue).toMatchObject({
      service: 'redrive-console',
      kind: 4,
      parentSpanId: request?.spanId,
      attributes: { 'messaging.message.id': jobId, 'redrive.job.outcome': 'ready' },
    });
    const runs = named('redrive.process');
    expect(runs.map(({ attributes }) => attributes['redrive.job.delivery'])).toEqual(['1', '2']);
    for (const run of runs)
      expect(run).toMatchObject({
        service: 'redrive-worker',
        kind: 5,
        parentSpanId: enqueue?.spanId,
        links: [{ spanId: enqueue?.spanId }],
        attributes: { 'messaging.message.id': jobId, 'redrive.job.outcome': 'failed' },
        status: { code: 2 },
      });
    const [redrive] = named('redrive.job.redrive');
    const operator = receiver.spans.find(
      ({ attributes }) => attributes['redrive.request.id'] === requestIds.redriven,
    );
    expect(redrive).toMatchObject({
      service: 'redrive-console',
      parentSpanId: enqueue?.spanId,
      links: [{ traceId: operator?.traceId, spanId: operator?.spanId }],
      attributes: { 'redrive.job.action': 'redrive', 'messaging.message.id': jobId },
    });
    // In the order in which they happened.
    const starts = [request, enqueue, runs[0], redrive, runs[1]].map((span) =>
      BigInt(span?.startTimeUnixNano ?? 0),
    );
    expect(starts).toEqual([...starts].sort((a, b) => (a < b ? -1 : 1)));
  });

  it('holds no payload, and the collector understood all of it', () => {
    expect(receiver.problems).toEqual([]);
    expect(JSON.stringify(receiver.spans)).not.toContain(SECRET);
    expect(receiver.spans.map(({ name }) => name)).not.toContain('GET /healthz');
  });
});

describe('the log', () => {
  const linesOf = async (of: Spawned, enough: (lines: ReturnType<typeof logLines>) => boolean) =>
    until(
      () => {
        const lines = logLines(of.output());
        return enough(lines) ? lines : null;
      },
      { what: 'its lines', timeoutMs: 30_000 },
    );

  it('of the console has the documented fields, and for each change request id, user, queue and trace', async () => {
    const lines = await linesOf(site.process, (all) =>
      all.some(({ requestId }) => requestId === requestIds.paused),
    );
    expect(logFieldProblems(lines)).toEqual([]);
    const routes = { enqueued: 'jobs', redriven: 'jobs/{id}/{action}', paused: 'pause' };
    for (const [name, route] of Object.entries(routes)) {
      const line = lines.find(({ requestId }) => requestId === requestIds[name]);
      expect(line).toMatchObject({
        level: 30,
        service: 'console',
        event: 'request',
        actor: expect.stringMatching(/./),
        actorId: 'none',
        queue: 'default',
        method: 'POST',
        route: `/api/v1/queues/{queue}/${route}`,
        traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      });
    }
    expect(lines.filter(({ method }) => method === 'GET').every(({ level }) => level === 20)).toBe(true);
    expect(site.process.output()).not.toContain(SECRET);
  });

  it('of the worker has the documented fields, and for each run job, queue and trace', async () => {
    const deaths = (all: ReturnType<typeof logLines>) =>
      all.filter((line) => line.event === 'job_dead' && line.jobId === jobId);
    const lines = await linesOf(worker, (all) => deaths(all).length === 2);
    expect(logFieldProblems(lines)).toEqual([]);
    for (const line of deaths(lines))
      expect(line).toMatchObject({
        level: 50,
        service: 'worker',
        queue: 'default',
        jobType: LAB_KINDS[0],
        traceId: CLIENT.traceId,
        workerId: expect.stringMatching(/^demo-/),
        errorCode: expect.stringMatching(/^[A-Z_]+$/),
      });
    expect(lines.map(({ service }) => service)).toContain('supervisor');
    expect(worker.output()).not.toContain(SECRET);
  });
});
