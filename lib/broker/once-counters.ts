/** How often the once service let work through, and how often not. Counted beside the marks, which stand in other slots. */
import { type OnceCounters, onceCountersSchema } from '@/lib/contract/once';
import type { BrokerContext } from './context';
import { evalScript } from './script';

interface Tally {
  counts: Map<keyof OnceCounters, number>;
  sending: Promise<void> | null;
}
const tallies = new WeakMap<BrokerContext, Tally>();
const FIELDS = Object.keys(onceCountersSchema.shape) as (keyof OnceCounters)[];

/** Nobody waits for a count: what comes while one is under way goes with the next. */
export function countOnce(ctx: BrokerContext, field: keyof OnceCounters): void {
  const tally: Tally = tallies.get(ctx) ?? { counts: new Map(), sending: null };
  tallies.set(ctx, tally);
  tally.counts.set(field, (tally.counts.get(field) ?? 0) + 1);
  tally.sending ??= send(ctx, tally).finally(() => {
    tally.sending = null;
  });
}

/** What Redis does not take is dropped: a resend could count twice, and totals for show are not worth more. */
async function send(ctx: BrokerContext, tally: Tally): Promise<void> {
  while (tally.counts.size > 0) {
    const args = [...tally.counts].flat();
    tally.counts.clear();
    const clock = ctx.clock ? String(ctx.clock()) : '';
    const key = ctx.keys.global('onceCounters');
    await ctx
      .plain(() => evalScript(ctx.redis, 'once-count', [key], [clock, ...args], false))
      .catch(() => undefined);
  }
}

export async function onceCounters(ctx: BrokerContext): Promise<OnceCounters> {
  // What this process counted itself is in it.
  await tallies.get(ctx)?.sending;
  const values = await ctx.plain((redis) => redis.hmget(ctx.keys.global('onceCounters'), ...FIELDS));
  return onceCountersSchema.parse(
    Object.fromEntries(FIELDS.map((field, i) => [field, Number(values[i] ?? 0)])),
  );
}
