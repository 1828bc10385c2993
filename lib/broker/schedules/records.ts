/** The records of schedules, kept outside the queues. Written by compare-and-set, so that two people cannot undo each other. */
import { RedriveError } from '@/lib/contract/errors';
import { SCHEDULES_MAX, type Schedule, type ScheduleSummary } from '@/lib/contract/schedules';
import { changeText } from '../audit/change-text';
import type { BrokerContext } from '../context';
import { type Actor, actorNote } from '../note';
import { list, numbers, text } from '../reply';
import { decodeSchedule, decodeSummary, encodeSchedule, type StoredSchedule } from './row';

/** Their scripts touch no queue, but every script call names one. */
export const NO_QUEUE = 'none';
/** As many entries as `schedulesDue` can hold: see schedule-save.lua. */
const FENCES_MAX = 5_000;
const MEMBERS_MAX = SCHEDULES_MAX + FENCES_MAX;
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
): Promise<{ schedules: ScheduleSummary[]; nextCursor: string | null; total: number }> {
  const members = await ctx.plain((redis) =>
    redis.zrange(ctx.keys.global('schedulesDue'), '0', String(MEMBERS_MAX - 1)),
  );
  const ids = members.filter((member) => !member.includes('@')).sort();
  const page = ids.filter((id) => id > cursor).slice(0, limit);
  const schedules: ScheduleSummary[] = [];
  for (let i = 0; i < page.length; i += HEADS_MAX) {
    const part = page.slice(i, i + HEADS_MAX);
    const reply = list(await ctx.run('schedule-heads', NO_QUEUE, part), 'schedule-heads');
    part.forEach((id, k) => {
      const head = text(reply[2 * k]);
      const summary = head === '' ? null : decodeSummary(id, head, Number(reply[2 * k + 1]));
      if (summary) schedules.push(summary);
    });
  }
  const last = page.at(-1);
  const more = last !== undefined && (ids.at(-1) ?? '') > last;
  return { schedules, nextCursor: more ? last : null, total: ids.length };
}

/**
 * Asked before a new one leaves its first trace in a queue: what is refused only when it is saved would leave its fence there.
 * @throws RedriveError LIMIT_REACHED
 */
export async function requireRoom(ctx: BrokerContext): Promise<void> {
  const [records, members] = await ctx.plain((redis) =>
    Promise.all([
      redis.hlen(ctx.keys.global('schedulesRecords')),
      redis.zcard(ctx.keys.global('schedulesDue')),
    ]),
  );
  // One of the records may be the last number taken: the script that saves counts exactly.
  if (records > SCHEDULES_MAX || members >= FENCES_MAX) throw tooMany();
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
  readonly after: { schedule: Schedule; requestId: string | null } | null;
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
    after ? encodeSchedule(after.schedule, after.requestId) : '',
    after?.schedule.nextAt ?? '+inf',
    leaves ? `${id}@${leaves.queue}@${leaves.generation}` : '',
    leaves ? leaves.at + FENCE_KEPT_MS : 0,
    ...(audit ? auditArgs(audit) : []),
  ]);
  if (reply === -1) throw tooMany();
  return reply === 1;
}

const auditArgs = ({ by, action, queue, before, after }: NonNullable<SaveSchedule['audit']>): string[] => [
  actorNote(by),
  action,
  queue,
  changeText(before),
  changeText(after),
];

const tooMany = () =>
  new RedriveError(
    'LIMIT_REACHED',
    `There are ${SCHEDULES_MAX} schedules, or very many were deleted within a day. Delete some that are no longer needed, or wait.`,
  );
