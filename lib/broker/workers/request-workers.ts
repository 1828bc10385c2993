/** Asks workers to take no new jobs, to take them again, or to end. Each learns of it with its next heartbeat, within a second or two. */

import type {
  RequestOutcome,
  WorkerRequest,
  WorkerRequestReply,
} from '@/lib/contract/workers/worker-requests';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { type Actor, actorJson } from '../access/actor';
import type { BrokerContext } from '../redis/broker-context';
import { replyOutcomes } from '../redis/script-reply';
import { requestTarget } from './request-row';
import { listWorkers } from './worker-registry';

const OUTCOMES = { 1: 'requested', 0: 'unchanged', [-1]: 'stopping' } as const;

/** One after the other: a caller that dies midway has asked the first ones, and may ask all again. */
export async function requestWorkers(
  ctx: BrokerContext,
  { action, workers, reason }: WorkerRequest,
  by: Actor,
): Promise<WorkerRequestReply> {
  const known = new Map((await listWorkers(ctx)).workers.map((worker) => [worker.workerId, worker]));
  const results: WorkerRequestReply['results'] = [];
  for (const workerId of new Set(workers)) {
    const worker = known.get(workerId);
    const outcome =
      (worker && refusal(worker, action)) ??
      (worker ? await ask(ctx, worker, action, { ...by, reason }) : 'not-alive');
    results.push({ workerId, outcome });
  }
  return { results };
}

/** A lost worker may be frozen, and is asked: it reads the request when it goes on. */
function refusal(worker: Worker, action: WorkerRequest['action']): RequestOutcome | null {
  if (worker.end !== null) return 'not-alive';
  if (worker.status === 'draining') return action === 'stop' ? 'unchanged' : 'stopping';
  if (!worker.actions.includes(action)) return 'unsupported';
  // Nothing was asked yet, and it is so already.
  if (action === 'resume' && worker.status === 'running' && worker.request === null) return 'unchanged';
  return null;
}

async function ask(
  ctx: BrokerContext,
  { workerId, startedAt, status }: Worker,
  action: WorkerRequest['action'],
  by: Actor,
): Promise<RequestOutcome> {
  const args = [workerId, action, requestTarget(action, startedAt), actorJson(by), status];
  const reply = await ctx.run('worker-ask', null, args);
  return replyOutcomes([reply], 'worker-ask', OUTCOMES)[0] ?? 'unchanged';
}
