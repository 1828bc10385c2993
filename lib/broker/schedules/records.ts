/** The records of schedules, kept outside the queues. Written by compare-and-set, so that two people cannot undo each other. */
import { CEILINGS, type Ceiling } from '@/lib/contract/ceilings';
import { RedriveError } from '@/lib/contract/errors';
import { changeText } from '../audit/change-text';
import type { BrokerContext } from '../context';
import { type Actor, actorNote } from '../note';
import { list, numbers, text } from '../reply';
import { limitReached, requireShare, shareArg, shareArgs, shareRefusal } from '../shares';
import {
  decodeSchedule,
  decodeSummary,
  encodeSchedule,
  type KeptSchedule,
  type ListedSchedule,
  type StoredSchedule,
} from './row';

/** Their scripts touch no queue, but every script call names one. */
export const NO_QUEUE = 'none';
const mostOf = ({ whole, reserve }: Ceiling): number => whole + reserve;
/** As many entries as `schedulesDue` can hold: each schedule may leave one more fence when it is deleted. */
const MEMBERS_MAX = 2 * mostOf(CEILINGS.schedules) + mostOf(CEILINGS.fences);
const HEADS_MAX = 50;
/** How long the fence of a schedule that left a queue is kept there: far longer than a read stays good (an hour). */
export const FENCE_KEPT_MS = 86_400_000;

export async function findSchedule(ctx: BrokerContext, id: string): Promise<StoredSchedule | null> {
  const row = await ctx.plain((redis) => redis.hget(ctx.keys.global('schedulesRecords'), id));
  return row === null ? null : decodeSchedule(id, row);
}

/** @throws RedriveError SCHEDULE_NOT_FOUND */
export async function getSchedule(ctx: BrokerContext, id: string): Promise<StoredSchedule> {
  const stored = await findSchedule(ctx, id);
  if (stored) return stored;
  throw new RedriveError(
    'SCHEDULE_NOT_FOUND',
    `There is no schedule ${id.slice(0, 100)}. It may have been deleted.`,
    {
      fields: [{ field: 'id', message: 'names no schedule' }],
    },
  );
}

/** Schedules by id. The cursor is the id of the last one seen; the schedule itself may be gone by then. */
export async function listSchedules(
  ctx: BrokerContext,
  limit: number,
  cursor = '',
): Promise<{ listed: ListedSchedule[]; nextCursor: string | null; total: number }> {
  const members = await ctx.plain((redis) =>
    redis.zrange(ctx.keys.global('schedulesDue'), '0', String(MEMBERS_MAX - 1)),
  );
  const ids = members.filter((member) => !member.includes('@')).sort();
  const page = ids.filter((id) => id > cursor).slice(0, limit);
  const listed: ListedSchedule[] = [];
  for (let i = 0; i < page.length; i += HEADS_MAX) {
    const part = page.slice(i, i + HEADS_MAX);
    const reply = list(await ctx.run('schedule-heads', NO_QUEUE, part), 'schedule-heads');
    part.forEach((id, k) => {
      const head = text(reply[2 * k]);
      const one = head === '' ? null : decodeSummary(id, head, Number(reply[2 * k + 1]));
      if (one) listed.push(one);
    });
  }
  const last = page.at(-1);
  const more = last !== undefined && (ids.at(-1) ?? '') > last;
  return { listed, nextCursor: more ? last : null, total: ids.length };
}

/**
 * Asked before a new one leaves its first trace in a queue: what is refused only when it is saved would leave its fence there.
 * @throws RedriveError LIMIT_REACHED
 */
export async function requireRoom(ctx: BrokerContext, by: Actor): Promise<void> {
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
  await requireShare(ctx, shares, { ceiling: 'schedules', by, least: known, field: 'id' });
  await requireShare(ctx, shares, { ceiling: 'fences', by, least: members - known, field: 'id' });
}

/** A number no schedule had before, and at least `least`. */
export async function nextGeneration(ctx: BrokerContext, least = 1): Promise<number> {
  const reply = await ctx.run('schedule-number', NO_QUEUE, [least]);
  const [generation = 0] = numbers([reply], 'schedule-number');
  return generation;
}

export interface SaveSchedule {
  readonly id: string;
  /** What was read; null for a new one. */
  readonly before: StoredSchedule | null;
  /** Null deletes it. */
  readonly after: KeptSchedule | null;
  /** A fence it leaves behind, to be forgotten in a day. */
  readonly leaves?: { queue: string; generation: number; at: number };
  /** For the audit log: who does this, and what changes. Left out where a scheduler mends what somebody left half done. */
  readonly audit?: {
    readonly by: Actor;
    readonly action: string;
    readonly queue: string;
    readonly before: string;
    readonly after: string;
  };
}

/**
 * False when somebody else changed it meanwhile, or a new one exists: read again and decide anew.
 * @throws RedriveError LIMIT_REACHED
 */
export async function saveSchedule(ctx: BrokerContext, save: SaveSchedule): Promise<boolean> {
  const { id, before, after, leaves, audit } = save;
  const reply = await ctx.run('schedule-save', NO_QUEUE, [
    id,
    before?.text ?? '',
    after ? encodeSchedule(after) : '',
    after?.schedule.nextAt ?? '+inf',
    leaves ? `${id}@${leaves.queue}@${leaves.generation}` : '',
    leaves ? leaves.at + FENCE_KEPT_MS : 0,
    sharesOf(audit?.by),
    ...(audit ? auditArgs(audit) : []),
  ]);
  const refused = shareRefusal(reply);
  if (refused) throw await limitReached(ctx, ctx.keys.global('schedulesShares'), refused, audit?.by, 'id');
  return reply === 1;
}

/** Whoever mends what somebody left half done takes no place. */
const sharesOf = (by: Actor | undefined): string =>
  by ? shareArgs(shareArg('schedules', by), shareArg('fences', by)) : '';

const auditArgs = ({ by, action, queue, before, after }: NonNullable<SaveSchedule['audit']>): string[] => [
  actorNote(by),
  action,
  queue,
  changeText(before),
  changeText(after),
];
