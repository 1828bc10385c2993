/** The records of schedules, kept outside the queues. Written by compare-and-set, so that two users cannot undo each other. */
import { QUOTAS, type Quota } from '@/lib/contract/access/quotas';
import { noSuchSchedule } from '@/lib/contract/not-found-errors';
import { type Actor, actorJson } from '../access/actor';
import { quotaArg, quotaArgs, requireQuota, throwIfOverQuota } from '../access/quota-check';
import { changeText } from '../audit/change-text';
import { readFields } from '../redis/bounded-reads';
import type { BrokerContext } from '../redis/broker-context';
import { replyList, replyNumber, replyText } from '../redis/script-reply';
import {
  decodeSchedule,
  decodeSummary,
  encodeSchedule,
  type ScheduleListItem,
  type ScheduleRecord,
  type StoredSchedule,
} from './schedule-row';

const mostOf = ({ total: whole, reserve }: Quota): number => whole + reserve;
/** As many entries as `schedulesDue` can hold: each schedule may leave one more fence when it is deleted. */
const MEMBERS_MAX = 2 * mostOf(QUOTAS.schedules) + mostOf(QUOTAS.fences);
const HEADS_MAX = 50;
/** Fences stay so long after their schedule left the queue: far longer than a read stays good (an hour). */
export const FENCE_KEPT_MS = 86_400_000;

/** A payload has at most 64 KB, and escapes take six bytes a letter. */
const RECORD_BOUND = { eachBytes: 1_048_576, allBytes: 1_048_576 };

export async function findSchedule(ctx: BrokerContext, id: string): Promise<StoredSchedule | null> {
  const [row = null] = await readFields(ctx, { queue: null, index: 'schedulesRecords' }, [id], RECORD_BOUND);
  return row === null ? null : decodeSchedule(id, row);
}

/** @throws RedriveError SCHEDULE_NOT_FOUND */
export async function getSchedule(ctx: BrokerContext, id: string): Promise<StoredSchedule> {
  const stored = await findSchedule(ctx, id);
  if (stored) return stored;
  throw noSuchSchedule(id);
}

/**
 * Schedules by id. The cursor is the id of the last one seen; the schedule itself may be gone by then.
 *
 * @param q part of the id, in any case
 */
export async function listSchedules(
  ctx: BrokerContext,
  limit: number,
  cursor = '',
  q = '',
): Promise<{ listed: ScheduleListItem[]; nextCursor: string | null; total: number }> {
  const members = await ctx.plain((redis) =>
    redis.zrange(ctx.keys.global('schedulesDue'), '0', String(MEMBERS_MAX - 1)),
  );
  const part = q.toLowerCase();
  const ids = members.filter((id) => !id.includes('@') && id.toLowerCase().includes(part)).sort();
  const page = ids.filter((id) => id > cursor).slice(0, limit);
  const listed: ScheduleListItem[] = [];
  for (let i = 0; i < page.length; i += HEADS_MAX) {
    const heads = page.slice(i, i + HEADS_MAX);
    const reply = replyList(await ctx.run('schedule-heads', null, heads), 'schedule-heads');
    heads.forEach((id, k) => {
      const head = replyText(reply[2 * k]);
      const one = head === '' ? null : decodeSummary(id, head, Number(reply[2 * k + 1]));
      if (one) listed.push(one);
    });
  }
  const last = page.at(-1);
  const more = last !== undefined && (ids.at(-1) ?? '') > last;
  return { listed, nextCursor: more ? last : null, total: ids.length };
}

/** Asked before a new schedule raises its fence, which a later refusal would leave behind. @throws RedriveError LIMIT_REACHED */
export async function requireScheduleRoom(ctx: BrokerContext, by: Actor): Promise<void> {
  const key = ctx.keys.global('schedulesRecords');
  const [fields, hasNumber, members] = await ctx.plain((redis) =>
    Promise.all([
      redis.hlen(key),
      redis.hexists(key, '.generation'),
      redis.zcard(ctx.keys.global('schedulesDue')),
    ]),
  );
  const known = fields - hasNumber;
  const shares = ctx.keys.global('schedulesShares');
  await requireQuota(ctx, shares, { quota: 'schedules', by, least: known, field: 'id' });
  await requireQuota(ctx, shares, { quota: 'fences', by, least: members - known, field: 'id' });
}

/** A number no schedule had before, and at least `least`. */
export async function nextGeneration(ctx: BrokerContext, least = 1): Promise<number> {
  return replyNumber(await ctx.run('schedule-number', null, [least]), 'schedule-number');
}

export interface SaveSchedule {
  readonly id: string;
  /** What was read; null for a new one. */
  readonly before: StoredSchedule | null;
  /** Null deletes it. */
  readonly after: ScheduleRecord | null;
  /** A fence it leaves behind, to be forgotten in a day. */
  readonly leaves?: { queue: string; generation: number; at: number };
  /** For the audit log: who does this, and what changes. Left out where a tick finishes a change that was left half done. */
  readonly audit?: {
    readonly by: Actor;
    readonly action: string;
    readonly queue: string;
    readonly before: string;
    readonly after: string;
  };
}

/** False when it was changed meanwhile, or a new one exists: read again and decide anew. @throws RedriveError LIMIT_REACHED */
export async function saveSchedule(ctx: BrokerContext, save: SaveSchedule): Promise<boolean> {
  const { id, before, after, leaves, audit } = save;
  const reply = await ctx.run('schedule-save', null, [
    id,
    before?.text ?? '',
    after ? encodeSchedule(after) : '',
    after?.schedule.nextAt ?? '+inf',
    leaves ? `${id}@${leaves.queue}@${leaves.generation}` : '',
    leaves ? leaves.at + FENCE_KEPT_MS : 0,
    sharesOf(audit?.by),
    ...(audit ? auditArgs(audit) : []),
  ]);
  await throwIfOverQuota(ctx, reply, ctx.keys.global('schedulesShares'), audit?.by, 'id');
  return reply === 1;
}

/** A tick that finishes such a change takes no part of a quota. */
const sharesOf = (by: Actor | undefined): string =>
  by ? quotaArgs(quotaArg('schedules', by), quotaArg('fences', by)) : '';

const auditArgs = ({ by, action, queue, before, after }: NonNullable<SaveSchedule['audit']>): string[] => [
  actorJson(by),
  action,
  queue,
  changeText(before),
  changeText(after),
];
