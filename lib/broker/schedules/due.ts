/** What a scheduler should look at now, and how it moves what it looked at. */
import type { BrokerContext } from '../context';
import { list, text } from '../reply';
import type { Fence } from './fence';
import { NO_QUEUE } from './records';
import { decodeSchedule, type StoredSchedule } from './row';

export const DUE_MAX = 100;

export type DueEntry = { readonly member: string; readonly score: string } & (
  | { readonly kind: 'schedule'; readonly stored: StoredSchedule }
  /** The fence of a schedule that left a queue a day ago. */
  | { readonly kind: 'fence'; readonly id: string; readonly queue: string; readonly generation: number }
  /** Not ours to read, or without a record. */
  | { readonly kind: 'unreadable'; readonly hasRecord: boolean }
);

export interface DueReply {
  /** Redis's clock. */
  readonly now: number;
  /** When the next entry after these falls due; null when none will. */
  readonly nextAt: number | null;
  readonly due: DueEntry[];
}

/** Changes nothing: any number of schedulers may read the same, and what they do with it is safe. */
export async function dueSchedules(ctx: BrokerContext, limit = DUE_MAX): Promise<DueReply> {
  const [now, nextAt, ...rest] = list(await ctx.run('schedule-due', NO_QUEUE, [limit]), 'schedule-due');
  const due: DueEntry[] = [];
  for (let i = 0; i + 2 < rest.length; i += 3)
    due.push(entryOf(text(rest[i]), text(rest[i + 1]), text(rest[i + 2])));
  return { now: Number(now), nextAt: text(nextAt) === '' ? null : Number(text(nextAt)), due };
}

function entryOf(member: string, score: string, row: string): DueEntry {
  const [id = '', queue, generation] = member.split('@');
  if (queue !== undefined)
    return { kind: 'fence', member, score, id, queue, generation: Number(generation) || 0 };
  const stored = row === '' ? null : decodeSchedule(id, row);
  if (!stored) return { kind: 'unreadable', member, score, hasRecord: row !== '' };
  return { kind: 'schedule', member, score, stored };
}

/** False when somebody else moved it on, or it was changed. */
export async function advanceSchedule(
  ctx: BrokerContext,
  { schedule }: StoredSchedule,
  nextAt: number | null,
  { last, entered, skipped }: Pick<Fence, 'last' | 'entered' | 'skipped'>,
): Promise<boolean> {
  const reply = await ctx.run('schedule-advance', NO_QUEUE, [
    schedule.id,
    schedule.generation,
    schedule.nextAt ?? 0,
    nextAt ?? 0,
    nextAt ?? '+inf',
    last?.slot ?? 0,
    last?.jobId ?? '-',
    last?.outcome ?? '-',
    entered,
    skipped,
  ]);
  return reply === 1;
}

/** Puts off looking at an entry until `at` (Infinity: until it is changed; null: forgets it), unless it was moved meanwhile. */
export async function lookLater(ctx: BrokerContext, entry: DueEntry, at: number | null): Promise<boolean> {
  const score = at === Number.POSITIVE_INFINITY ? '+inf' : (at ?? '');
  return (await ctx.run('schedule-look', NO_QUEUE, [entry.member, entry.score, score])) === 1;
}
