/** Fills a queue, and everything that tells of it, with texts that a careless page would run, and with texts that tear its layout. */
import type { APIRequestContext } from '@playwright/test';
import type { Broker } from '../../testing/create-broker';
import { IDLE_REPORT } from '../../testing/records/idle-worker';
import { startOperation } from '../api-requests';
import { ATTACKS, attackOf, attackWithoutSpaces, hostileLine, unrulyText } from './attacks';
import { plantAccess, plantAlerts, plantOperations, writerOf } from './plant-changes';

const NAME_MAX = 100;

/** A queue whose jobs, failures, pause, settings, schedule, search, group and operation are all full of it. */
export async function plantAttacks(
  broker: Broker,
  request: APIRequestContext,
): Promise<{
  paths: string[];
  /** Addresses that open a dialog. */
  dialogs: string[];
  jobId: string;
  queue: string;
  schedule: string;
  worker: string;
}> {
  // Names have letters only; what is left to them is to be as long as they may.
  const queue = `xss-${Date.now().toString(36)}-`.padEnd(NAME_MAX, 'W');
  const [jobType, tenantId, worker, endedWorker, code] = ['type', 'tenant', 'worker', 'ended', 'CODE'].map(
    (name) => `xss-${name}-`.padEnd(NAME_MAX, 'M'),
  ) as [string, string, string, string, string];
  const id = (n: number) => `${n}-${queue}`.slice(0, NAME_MAX);
  const schedule = `s-${queue}`.slice(0, NAME_MAX);
  const post = writerOf(request);
  const payload = {
    [attackOf(200)]: ATTACKS,
    unruly: unrulyText(10_000),
    word: 'W'.repeat(10_000),
    nested: { text: attackOf(4_000), [attackOf(100, 5)]: [attackOf(100, 9)] },
  };
  const inputs = [0, 1, 2, 3].map((n) => ({
    jobType,
    tenantId,
    jobId: id(n),
    maxAttempts: 1,
    idempotencyKey: attackWithoutSpaces(180, n).concat(String(n)),
    correlationId: attackWithoutSpaces(190, n + 7),
    traceId: attackWithoutSpaces(190, n + 14),
    unique: { key: attackWithoutSpaces(180, n + 21).concat(String(n)) },
    ...(n === 3 ? { payloadRef: attackOf(900, n) } : { payload: JSON.stringify(payload) }),
  }));
  await broker.enqueueMany(queue, inputs);
  const { jobs } = await broker.claim(queue, { worker, count: 3 });
  const [first, second, third] = jobs;
  if (!first || !second || !third) throw new Error('there should be three jobs to claim');
  const failure = {
    errorClass: 'permanent' as const,
    errorCode: code,
    message: `${attackOf(500)}${unrulyText(500)}`,
    stack: `${attackOf(1_500, 3)}${unrulyText(1_500)}`,
    again: false,
  };
  await broker.fail(
    queue,
    [first, third].map(({ jobId, token }) => ({ jobId, token, failure })),
  );
  await broker.ack(queue, [
    { jobId: second.jobId, token: second.token, result: `${attackOf(1_500, 11)}${unrulyText(1_500)}` },
  ]);
  const { groups } = (await (await request.get(`/api/v1/dead/groups?q=queue:${queue}`)).json()) as {
    groups: { group: string }[];
  };
  const group = groups[0]?.group ?? '';
  await post(`/api/v1/dead/groups/${group}`, { name: hostileLine(120), note: hostileLine(500, 4) }, 'PATCH');
  await post('/api/v1/searches', {
    name: hostileLine(80),
    q: `queue:${queue} "${attackOf(60, 3).replace(/"/g, '')}"`,
    shared: true,
  });
  await post(`/api/v1/queues/${queue}/pause`, { reason: hostileLine(300), forMs: 3_600_000 });
  const changed = await plantOperations(request, post, { queue, jobId: third.jobId, jobType, tenantId });
  await post('/api/v1/schedules', {
    id: schedule,
    queue,
    timing: { everyMs: 86_400_000 },
    job: { jobType, payload: attackOf(4_000) },
    reason: hostileLine(300, 6),
  });
  const operation = await startOperation(
    request,
    { kind: 'export', format: 'csv', scope: { q: `queue:${queue}` } },
    { reason: hostileLine(300, 8) },
  );
  await post(`/api/v1/queues/${queue}/jobs/${id(3)}/cancel`, { reason: hostileLine(300, 10) });
  await post('/api/v1/marks', {
    kind: 'deploy',
    queues: [queue],
    text: hostileLine(200, 12),
    version: hostileLine(100, 13),
  });
  await post('/api/v1/access/tokens', {
    name: hostileLine(60, 15),
    grants: [{ role: 'viewer', queues: [queue], tenants: [tenantId] }],
    expiresInDays: 1,
  });
  const report = {
    ...IDLE_REPORT,
    workerId: worker,
    startedAt: Date.now(),
    host: hostileLine(200, 17),
    version: hostileLine(100, 18),
    queues: { [queue]: 1 },
    handlers: [{ type: jobType, versions: [1] }],
    jobs: [{ queue, jobId: first.jobId, jobType, startedAt: Date.now(), leaseUntil: Date.now() + 60_000 }],
  };
  await broker.workers.report(report);
  await broker.workers.report({ ...report, workerId: endedWorker });
  await broker.workers.ended(endedWorker, 'crashed', {
    at: Date.now(),
    cause: hostileLine(100, 20),
    reclaimed: 1,
  });
  await post('/api/v1/workers/requests', {
    action: 'quiet',
    workers: [worker],
    reason: hostileLine(300, 19),
  });
  await post(`/api/v1/queues/${queue}/drain`, { reason: hostileLine(300, 14) });
  const endSession = await plantAccess(request, post, queue);
  const alerts = await plantAlerts(broker, post, queue);
  const at = encodeURIComponent(`queue:${queue}`);
  return {
    queue,
    schedule,
    worker,
    jobId: first.jobId,
    dialogs: [alerts.dialog, endSession],
    paths: [
      // First: the console soon ends the alert that fires.
      ...alerts.paths,
      '/',
      `/queues/${queue}`,
      `/queues/${queue}?state=completed`,
      `/queues/${queue}/settings`,
      ...[first, second, third].map(({ jobId }) => `/queues/${queue}/jobs/${jobId}`),
      `/queues/${queue}/jobs/${id(3)}`,
      `/dead?q=${at}`,
      `/dead?q=${at}&view=rows`,
      `/dead?q=${encodeURIComponent(`group:${group}`)}&view=rows`,
      `/dead?q=${at}&view=rows&job=${queue}/${first.jobId}`,
      '/operations',
      `/operations/${operation.id}`,
      ...changed,
      '/schedules',
      '/workers',
      '/workers?show=ended',
      '/redis',
      '/access',
      '/access?tab=tokens',
      '/access?tab=sessions&all=true',
      '/audit',
      `/audit?queue=${queue}`,
      '/lab',
    ],
  };
}
