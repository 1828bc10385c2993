/** The live settings of one queue (one shard), as stored. */
import type { ConfigReply, QueueConfig } from '@/lib/contract/config';
import { configOf } from '../config-fields';
import type { BrokerContext } from '../context';
import { readNote } from '../note';

export interface Settings {
  readonly config: QueueConfig;
  readonly revision: number;
  readonly draining: ConfigReply['draining'];
  readonly fields: Map<string, string>;
}

export async function settings(ctx: BrokerContext, queue: string): Promise<Settings> {
  const key = ctx.keys.column(queue, 'config');
  const fields = new Map(Object.entries(await ctx.plain((redis) => redis.hgetall(key))));
  return {
    config: configOf(fields),
    revision: Number(fields.get('revision') ?? 0),
    draining: drainingOf(fields.get('draining')),
    fields,
  };
}

/** "<since> <json>" as the drain script writes it. */
export function drainingOf(row: string | null | undefined): ConfigReply['draining'] {
  const match = row?.match(/^(\d+) (.*)$/s);
  if (!match) return null;
  const note = readNote(match[2] ?? '');
  return { since: Number(match[1]), actor: note.actor ?? 'unknown', reason: note.reason ?? '' };
}
