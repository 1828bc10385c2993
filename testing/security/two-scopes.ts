/**
 * A console with work of two sides that must not see each other: the queue `alpha` and its tenant `acme`; and another queue, and another
 * tenant of alpha, whose every word, of jobs and of what was done to them, holds a mark that is nowhere else.
 */

import type { Grant } from '@/lib/contract/access/grant-scopes';
import type { EnqueueInput } from '@/lib/contract/jobs/envelope';
import type { Broker } from '@/testing/create-broker';
import type { TestConsole } from '../worlds/console-server';
import { callApi } from '../worlds/route-caller';
import { signInAs } from '../worlds/users';
import { claimOne, type failure } from '../worlds/world';

export const OTHER_QUEUE = 'zzqueue';
export const OTHER_TENANT = 'zztenant';
/** In every name and address of the configuration: readers of some queues see none of it. */
export const CONFIGURED = 'zzconfig';
export type Headers = Record<string, string>;
export interface People {
  /** Sees everything. */
  admin: Headers;
  /** Everything of the queue alpha, of all tenants. */
  ofQueue: Headers;
  /** Everything of the tenant acme in alpha. */
  ofTenant: Headers;
  /** The other sides' own. */
  ofOtherQueue: Headers;
  ofOtherTenant: Headers;
}

const grant = (queue: string, tenants: string[] | null = null): Grant[] => [
  { role: 'admin', queues: [queue], tenants },
];

export async function signInAll(world: TestConsole): Promise<People> {
  const sign = async (name: string, grants: Grant[]) => (await signInAs(world, { name, grants })).headers;
  return {
    admin: await sign('root', grant('*')),
    ofQueue: await sign('ann', grant('alpha')),
    ofTenant: await sign('tom', grant('alpha', ['acme'])),
    ofOtherQueue: await sign(`${OTHER_QUEUE} bob`, grant(OTHER_QUEUE)),
    ofOtherTenant: await sign(`${OTHER_TENANT} tim`, grant('alpha', [OTHER_TENANT])),
  };
}

export interface Side {
  queue: string;
  tenant: string;
  mark: string;
}

/** A job of one side, with its mark in every field. */
function jobOf({ tenant: tenantId, mark }: Side) {
  return (name: string, more: Partial<EnqueueInput> = {}): EnqueueInput => ({
    jobId: `${mark}-${name}`,
    jobType: `${mark}.work`,
    tenantId,
    payload: JSON.stringify({ [`${mark}Field`]: `${mark} value`, same: `${mark} too`, n: 1 }),
    idempotencyKey: `${mark}-key-${name}`,
    correlationId: `${mark}-correlation`,
    traceId: `${mark}-trace`,
    ...more,
  });
}

/** Those that nobody has taken: entered last, so that no other side claims them. */
export const fillReady = (broker: Broker, side: Side) =>
  broker.enqueue(side.queue, jobOf(side)('ready', { unique: { key: `${side.mark}-unique` } }));

/** Jobs of one side in the other states. */
export async function fill(broker: Broker, side: Side): Promise<void> {
  const { queue, mark } = side;
  const job = jobOf(side);
  const by = { actor: `${mark} actor`, reason: `${mark} reason` };
  const why: ReturnType<typeof failure> & { stack: string } = {
    errorClass: 'permanent',
    errorCode: `${mark}-CODE`,
    message: `${mark} went wrong`,
    stack: `Error: ${mark}\n    at ${mark} (${mark}.ts:1:1)`,
  };
  const claim = () => claimOne(broker, queue, `${mark}-worker`);
  for (const name of ['dead', 'dead2', 'suppressed', 'trashed']) {
    await broker.enqueue(queue, job(name));
    const { jobId, token } = await claim();
    await broker.fail(queue, [{ jobId, token, failure: why }]);
  }
  await broker.suppress(queue, [`${mark}-suppressed`], by);
  await broker.purge(queue, [`${mark}-trashed`], by);
  await broker.enqueue(queue, job('completed'));
  const { jobId, token } = await claim();
  await broker.ack(queue, [{ jobId, token, result: `${mark} result` }]);
  await broker.enqueue(queue, job('retry'));
  const again = await claim();
  const retryable = { ...why, errorClass: 'retryable' as const, retryInMs: 3_600_000 };
  await broker.fail(queue, [{ jobId: again.jobId, token: again.token, failure: retryable }]);
  await broker.enqueue(queue, job('flying'));
  await broker.claim(queue, { worker: `${mark}-worker`, leaseMs: 3_600_000 });
  await broker.enqueue(queue, job('scheduled', { delayMs: 3_600_000 }));
}

/** What people do about a side, each with its mark: a pause, a schedule, a saved search, an operation. */
export async function act(side: Side, headers: Headers): Promise<{ operation: string }> {
  const { queue, tenant, mark } = side;
  const reason = `${mark} reason`;
  const ask = async (path: string, body: object) => {
    const answer = await callApi('POST', `/api/v1/${path}`, { body, headers });
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  await ask(`queues/${queue}/pause`, { scope: `tenant:${tenant}`, reason });
  await ask('schedules', {
    id: `${mark}-nightly`,
    queue,
    timing: { cron: '0 9 * * *' },
    job: { jobType: `${mark}.work`, tenantId: tenant, payload: `{"${mark}":1}` },
    reason,
  });
  await ask('searches', { name: `${mark} search`, q: `type:${mark}.work`, shared: true });
  const looked = await ask('operations/preview', { kind: 'export', scope: { q: `type:${mark}.work` } });
  const started = await ask('operations', { previewToken: looked.token, reason });
  return { operation: String(started.id) };
}

/** A worker of the other queue, and one of both with jobs of both in hand. */
export async function work(broker: Broker): Promise<void> {
  const held = (queue: string, jobId: string) => ({
    queue,
    jobId,
    jobType: 'x',
    startedAt: 0,
    leaseUntil: 1,
  });
  const worker = (workerId: string, queues: string[]) => ({
    workerId,
    status: 'running' as const,
    host: 'host',
    pid: 2,
    version: '1',
    startedAt: 0,
    queues: Object.fromEntries(queues.map((name) => [name, 1])),
    concurrency: 2,
    leaseMs: 1_000,
    jobs: queues.map((queue) => held(queue, `${queue}-flying`)),
    completed: 4_321,
    failed: 1_234,
    breakers: [{ jobType: `${OTHER_QUEUE}.work`, state: 'open' as const, failures: 1, retryAt: null }],
    handlers: [{ type: `${OTHER_QUEUE}.work`, versions: [1] }],
    unknownJobs: [
      {
        queue: OTHER_QUEUE,
        jobType: `${OTHER_QUEUE}.new`,
        jobVersion: 1,
        missing: 'unknown-type' as const,
        runs: 1,
        lastAt: Date.now(),
      },
    ],
    schemasDigest: '',
    memoryBytes: 1,
    eventLoopDelayMs: 1,
    end: null,
    actions: [],
  });
  await broker.workers.report(worker(`${OTHER_QUEUE}-worker`, [OTHER_QUEUE]));
  await broker.workers.report(worker('shared-worker', ['alpha', OTHER_QUEUE]));
}

/** Channels, and alerts about alpha of which one message was sent and one failed. */
export async function alert({ alerts, now }: Broker): Promise<void> {
  const channels = ['a', 'b'].map((name) => ({
    name: `${CONFIGURED}-${name}`,
    kind: 'webhook',
    url: `https://${CONFIGURED}-${name}.example/hook`,
    secret: 'a secret of 16 characters',
  }));
  process.env.REDRIVE_ALERTS = JSON.stringify({ channels });
  const findings = [
    {
      code: 'FAILING',
      level: 'bad' as const,
      sentence: 'alpha fails.',
      queues: { total: 1, named: ['alpha'] },
      evidence: null,
    },
  ];
  const receivers = channels.map(({ name }) => ({ name, takes: () => true }));
  const look = { at: await now(), findings, isComplete: true };
  await alerts.look(look, { forMs: () => 0, resolveAfterMs: 0 }, receivers);
  const { taken } = await alerts.take(new Set(channels.map(({ name }) => name)), 10);
  const error = `${CONFIGURED}-a.example answers with 500: no.`;
  for (const [i, one] of taken.entries()) await alerts.settle(one, i === 0 ? { error, isFinal: true } : null);
}
