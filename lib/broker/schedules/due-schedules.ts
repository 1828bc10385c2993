/** What a scheduler should look at now, and how it moves what it looked at. */
import type { BrokerContext } from '../redis/broker-context';
import { replyList, replyText } from '../redis/script-reply';
import type { ScheduleFence } from './schedule-fence';
import { decodeSchedule, lastRunFields, type StoredSchedule } from './schedule-row';

export const DUE_MAX = 100;

export type DueEntry = { readonly member: string; readonly score: string } & (
  | { readonly kind: 'schedule'; readonly stored: StoredSchedule }
  /** The fence of a schedule that left a queue a day ago. */
  | { readonly kind: 'fence'; readonly id: string; readonly queue: string; readonly generation: number }
  /** Not ours to read, or without a record. */
  | { readonly kind: 'unreadable'; readonly hasRecord: boolean }
);

interface DueReply {
  /** Redis's clock. */
  readonly now: number;
  /** When the next entry after these falls due; null when none will. */
  readonly nextAt: number | null;
  readonly due: DueEntry[];
}

/** Changes nothing: any number of schedulers may read the same, and what they do with it is safe. */
export async function dueSchedules(ctx: BrokerContext): Promise<DueReply> {
  const [now, nextAt, ...rest] = replyList(await ctx.run('schedule-due', null, [DUE_MAX]), 'schedule-due');
  const due: DueEntry[] = [];
  for (let i = 0; i + 2 < rest.length; i += 3)
    due.push(entryOf(replyText(rest[i]), replyText(rest[i + 1]), replyText(rest[i + 2])));
  return { now: Number(now), nextAt: replyText(nextAt) === '' ? null : Number(replyText(nextAt)), due };
}

function entryOf(member: string, score: string, row: string): DueEntry {
  const [id = '', queue, generation] = member.split('@');
  if (queue !== undefined)
    return { kind: 'fence', member, score, id, queue, generation: Number(generation) || 0 };
  const stored = row === '' ? null : decodeSchedule(id, row);
  if (!stored) return { kind: 'unreadable', member, score, hasRecord: row !== '' };
  return { kind: 'schedule', member, score, stored };
}

/** False when another process moved it on, or it was changed. */
export async function advanceSchedule(
  ctx: BrokerContext,
  { schedule }: StoredSchedule,
  nextAt: number | null,
  { last, entered, skipped }: Pick<ScheduleFence, 'last' | 'entered' | 'skipped'>,
): Promise<boolean> {
  const reply = await ctx.run('schedule-advance', null, [
    schedule.id,
    schedule.generation,
    schedule.nextAt ?? 0,
    nextAt ?? 0,
    nextAt ?? '+inf',
    ...lastRunFields(last),
    entered,
    skipped,
  ]);
  return reply === 1;
}

/** Puts off looking at an entry until `at` (Infinity: until it is changed; null: forgets it), unless it was moved meanwhile. */
export async function rescheduleCheck(
  ctx: BrokerContext,
  entry: DueEntry,
  at: number | null,
): Promise<boolean> {
  const score = at === Number.POSITIVE_INFINITY ? '+inf' : (at ?? '');
  return (await ctx.run('schedule-postpone', null, [entry.member, entry.score, score])) === 1;
}
