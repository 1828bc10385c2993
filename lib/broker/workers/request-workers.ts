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
import { payAhead } from '../redis/scripts/audit-purse';
import { afterPart } from '../shards/partial-change';
import { requestTarget } from './request-row';
import { findWorkers } from './worker-registry';

const OUTCOMES = { 1: 'requested', 0: 'unchanged', [-1]: 'stopping', [-2]: 'not-alive' } as const;

/**
 * One after the other: a caller that dies midway has asked the first ones, and may ask all again.
 * @param may decides on the row of each worker before the first one is asked: false answers as if there were no such worker, an error
 * refuses the whole request. A worker is asked only while it is the one that was decided on.
 */
export async function requestWorkers(
  ctx: BrokerContext,
  { action, workers: asked, reason }: WorkerRequest,
  by: Actor,
  may: (worker: Worker) => boolean = () => true,
): Promise<WorkerRequestReply> {
  const ids = [...new Set(asked)];
  const known = new Map<string, Worker>();
  for (const worker of await findWorkers(ctx, ids)) if (may(worker)) known.set(worker.workerId, worker);
  await payAhead([...known.keys()].map(() => '.workers'));
  const results: WorkerRequestReply['results'] = [];
  let asks = 0;
  const askOne = (worker: Worker) =>
    ask(ctx, worker, action, { ...by, reason }).catch((error: unknown) => {
      throw asks === 1 ? error : afterPart(error);
    });
  for (const workerId of ids) {
    const worker = known.get(workerId);
    const refused = worker ? refusal(worker, action) : 'not-alive';
    if (worker && refused === null) asks += 1;
    results.push({ workerId, outcome: worker ? (refused ?? (await askOne(worker))) : 'not-alive' });
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
  { workerId, startedAt, status, queues }: Worker,
  action: WorkerRequest['action'],
  by: Actor,
): Promise<RequestOutcome> {
  const target = requestTarget(action, startedAt);
  const args = [
    workerId,
    action,
    target,
    actorJson(by),
    status,
    fieldText({ startedAt }),
    fieldText({ queues }),
  ];
  const reply = await ctx.run('worker-ask', null, args);
  return replyOutcomes([reply], 'worker-ask', OUTCOMES)[0] ?? 'unchanged';
}

/** As the stored report has it: no text inside a report reads like this, since its quotes are escaped. */
const fieldText = (field: Pick<Worker, 'startedAt'> | Pick<Worker, 'queues'>): string =>
  JSON.stringify(field).slice(1, -1);
