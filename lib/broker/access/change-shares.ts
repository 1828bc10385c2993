/** What users pay for audit events, before these are recorded: `broker.access.changes`. */
import type { BrokerContext } from '../redis/broker-context';
import { replyNumbers } from '../redis/script-reply';
import { ATTEMPTS_MAX, type AttemptWindow, digestOf } from './attempt-counts';

/** A queue beyond these has not paid for its events: see lib/broker/audit/intake/source-rooms.ts. */
const QUEUES_MAX = 20_000;

/** Events by queue; '' for events of no queue. */
export type EventsByQueue = ReadonlyMap<string, number>;

export interface Paid {
  readonly allowed: boolean;
  /** Until when a refused user has to wait, in ms from now. */
  readonly retryAfterMs: number;
  /** The end of the period in which it was paid, for `giveBack`. */
  readonly endsAt: number;
}

export interface PaidEvents {
  /** Tells the periods of a queue apart. */
  readonly endsAt: number;
  readonly events: number;
}

const totalOf = (events: EventsByQueue): number => [...events.values()].reduce((sum, n) => sum + n, 0);
const argsOf = (events: EventsByQueue): (string | number)[] =>
  [...events].flatMap(([queue, n]) => (queue === '' || n === 0 ? [] : [queue, n]));
const digestOrNone = (owner: string | null): string => (owner === null ? '' : digestOf(`changes ${owner}`));

export const changeVerbs = (ctx: BrokerContext) => ({
  /**
   * Pays for all of these events, or for none when they do not fit.
   * @param owner null: without a limit
   * @param limit `mayExceed`: paid also beyond it
   */
  pay: async (
    owner: string | null,
    events: EventsByQueue,
    { limit, windowMs, mayExceed = false }: AttemptWindow & { mayExceed?: boolean },
  ): Promise<Paid> => {
    const digest = digestOrNone(owner);
    const args = [digest, limit, windowMs, ATTEMPTS_MAX, QUEUES_MAX, totalOf(events), mayExceed ? 0 : 1];
    const reply = await ctx.run('change-take', null, [...args, ...argsOf(events)]);
    const [allowed = 0, leftMs = 0, endsAt = 0] = replyNumbers(reply, 'change-take');
    return { allowed: allowed === 1, retryAfterMs: allowed === 1 ? 0 : Math.max(1, leftMs), endsAt };
  },
  giveBack: async (owner: string | null, events: EventsByQueue, endsAt: number): Promise<void> => {
    const args = [digestOrNone(owner), endsAt, totalOf(events), ...argsOf(events)];
    await ctx.run('change-give-back', null, args);
  },
  paid: (queues: readonly string[]): Promise<Map<string, PaidEvents>> => paidEvents(ctx, queues),
});

/** What was paid for the events of each queue, in this hour or the one before. */
export async function paidEvents(
  ctx: BrokerContext,
  queues: readonly string[],
): Promise<Map<string, PaidEvents>> {
  if (queues.length === 0) return new Map();
  const rows = await ctx.plain((redis) => redis.hmget(ctx.keys.global('accessPaid'), ...queues));
  return new Map(
    queues.flatMap((queue, i) => {
      const [, endsAt, events] = /^(\d+) (\d+)$/.exec(rows[i] ?? '') ?? [];
      return events === undefined
        ? []
        : [[queue, { endsAt: Number(endsAt), events: Number(events) }] as const];
    }),
  );
}
