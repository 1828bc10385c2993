/** Schedules whose run was due a while ago and was not enqueued. */
import type { BrokerContext } from '../redis/broker-context';
import { replyList, replyText } from '../redis/script-reply';
import { serverNow } from '../redis/server-info';
import { decodeSummary } from './schedule-row';

/** As many as one call reads. */
const READ_MAX = 50;
/** A tick that fails puts the next look off by a minute at most. */
const PUT_OFF_MS = 60_000;

export interface OverdueSchedule {
  readonly id: string;
  readonly queue: string;
  readonly dueAt: number;
}

/** The longest overdue first; of very many some. */
export async function overdueSchedules(ctx: BrokerContext, olderThanMs: number): Promise<OverdueSchedule[]> {
  const now = await serverNow(ctx, 'schedulesDue');
  const members = await ctx.plain((redis) =>
    redis.zrangebyscore(ctx.keys.global('schedulesDue'), '-inf', now + PUT_OFF_MS, 'LIMIT', 0, READ_MAX),
  );
  // A member with an @ is the fence of a schedule that left a queue.
  const ids = members.filter((member) => !member.includes('@'));
  if (ids.length === 0) return [];
  const reply = replyList(await ctx.run('schedule-heads', null, ids), 'schedule-heads');
  return ids
    .flatMap((id, i) => {
      const head = replyText(reply[2 * i]);
      const summary = head === '' ? undefined : decodeSummary(id, head, 0)?.summary;
      if (!summary || summary.paused || summary.nextAt === null) return [];
      return summary.nextAt <= now - olderThanMs ? [{ id, queue: summary.queue, dueAt: summary.nextAt }] : [];
    })
    .sort((a, b) => a.dueAt - b.dueAt);
}
