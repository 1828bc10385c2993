/** What people changed about a queue, newest first. Written by the scripts that made the changes. */
import type { Change } from '@/lib/contract/config';
import type { BrokerContext } from '../context';
import { readNote } from '../note';
import { pairs } from '../reply';

export const CHANGES_MAX = 200;

export async function changes(ctx: BrokerContext, queue: string, limit: number): Promise<Change[]> {
  const key = ctx.keys.column(queue, 'changes');
  const entries = await ctx.plain((redis) =>
    redis.xrevrange(key, '+', '-', 'COUNT', Math.min(limit, CHANGES_MAX)),
  );
  return entries.map(([id, flat]) => {
    const fields = pairs(flat, 'changes');
    const by = readNote(fields.get('by') ?? '');
    return {
      id,
      at: Number(fields.get('at') ?? 0),
      what: fields.get('what') ?? '',
      actor: by.actor ?? 'unknown',
      reason: by.reason ?? null,
      requestId: by.requestId ?? null,
      before: fields.get('before') || null,
      after: fields.get('after') || null,
    };
  });
}
