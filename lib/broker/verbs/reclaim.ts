import { parseOrThrow } from '@/lib/contract/errors';
import { errorCodeSchema, workerIdSchema } from '@/lib/contract/names';
import type { BrokerContext } from '../context';
import { type Actor, actorNote, errorNote } from '../note';
import { list, numbers, text } from '../reply';

export interface ReclaimResult {
  /** Back in ready. */
  returned: number;
  /** Dead as `crash`: deliveries or attempts used up. */
  died: number;
}

/** Takes back leases that ran out, up to `limit`. Anyone may call it, any number at a time. */
export async function reclaim(
  ctx: BrokerContext,
  queue: string,
  limit = 10_000,
  by?: Actor,
): Promise<ReclaimResult> {
  const total: ReclaimResult = { returned: 0, died: 0 };
  const note = by ? actorNote(by) : '';
  for (let left = limit; left > 0; ) {
    const step = Math.min(left, 100);
    const [returned = 0, died = 0, more = 0] = numbers(
      await ctx.run('reclaim', queue, [step, note]),
      'reclaim',
    );
    total.returned += returned;
    total.died += died;
    left -= step;
    if (more === 0) break;
  }
  return total;
}

/** Takes back at once all that a worker held, because it is known to be gone (its supervisor saw it die). */
export async function reclaimWorker(
  ctx: BrokerContext,
  queue: string,
  worker: string,
  cause: { errorCode: string; message: string },
): Promise<ReclaimResult & { jobIds: string[] }> {
  parseOrThrow(workerIdSchema, worker, 'worker');
  const code = parseOrThrow(errorCodeSchema, cause.errorCode, 'errorCode');
  const total = { returned: 0, died: 0, jobIds: [] as string[] };
  let cursor = '0';
  do {
    const reply = list(
      await ctx.run('reclaim-worker', queue, [worker, cursor, code, errorNote(cause.message, undefined)]),
      'reclaim-worker',
    );
    cursor = text(reply[0]);
    total.returned += Number(reply[1]);
    total.died += Number(reply[2]);
    total.jobIds.push(...reply.slice(3).map(text));
  } while (cursor !== '0');
  return total;
}
