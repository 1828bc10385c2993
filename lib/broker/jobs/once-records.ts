/** The marks behind `once`: who does a piece of work, or what came of it. Timers and retries are the worker's part. */

import { createHash } from 'node:crypto';
import { ONCE_RESULT_MAX_BYTES, ONCE_TTL_DEFAULT_MS } from '@/lib/contract/jobs/job-limits';
import {
  type OnceCounters,
  type OnceRef,
  type OnceTimes,
  onceCountersSchema,
  onceRefSchema,
  onceTimesSchema,
} from '@/lib/contract/jobs/once-options';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import { RedriveError } from '@/lib/contract/redrive-error';
import { readFields, SMALL_ROWS } from '../redis/bounded-reads';
import type { BrokerContext } from '../redis/broker-context';
import { perContext } from '../redis/context-cache';
import { replyList, replyText } from '../redis/script-reply';
import type { Arg } from '../redis/script-runner';

/** `none`: the work returned nothing. `lost`: why its result could not be stored. */
export type OnceKept = { kind: 'json'; json: string } | { kind: 'none' } | { kind: 'lost'; why: string };
export type OnceBegun =
  | { outcome: 'started'; leaseMs: number }
  | { outcome: 'busy'; leaseLeftMs: number }
  | { outcome: 'done'; kept: OnceKept };

/** Records of work that must not be done twice. */
export interface OnceVerbs {
  /** Starts a piece of work, or says who has it. The same token again renews the lease. */
  begin(ref: OnceRef, times?: OnceTimes, renewal?: boolean): Promise<OnceBegun>;
  /** @returns false: another run has it by now, and its result counts */
  finish(ref: OnceRef, kept: OnceKept, ttlMs?: number): Promise<boolean>;
  /** Gives the work back undone. @returns whether this run had it */
  cancel(ref: OnceRef): Promise<boolean>;
}

/** Starts a piece of work, or says who has it. Called again with the same token it renews the lease, so a resend is safe. */
export async function beginOnce(
  ctx: BrokerContext,
  ref: OnceRef,
  times: OnceTimes = {},
  renewal = false,
): Promise<OnceBegun> {
  const { leaseMs, ttlMs } = parseOrThrow(onceTimesSchema, times, 'once options');
  const reply = replyList(await run(ctx, 'once-begin', ref, [leaseMs, ttlMs]), 'once-begin');
  const note = (field: keyof OnceCounters) => {
    if (!renewal) countOnce(ctx, field);
  };
  switch (reply[0]) {
    case 0:
      note('busy');
      return { outcome: 'busy', leaseLeftMs: Number(reply[1]) };
    case 3:
      note('reused');
      return { outcome: 'done', kept: decodeKept(replyText(reply[2])) };
    case 2:
      note('expired');
      break;
    case 1:
      break;
    default:
      throw new Error(`once-begin: unknown reply code ${JSON.stringify(reply[0])}`);
  }
  note('started');
  return { outcome: 'started', leaseMs };
}

/** False: another run has it by now, and its result counts. */
export async function finishOnce(
  ctx: BrokerContext,
  ref: OnceRef,
  kept: OnceKept,
  ttlMs: number = ONCE_TTL_DEFAULT_MS,
): Promise<boolean> {
  const times = parseOrThrow(onceTimesSchema, { ttlMs }, 'once options');
  if (kept.kind === 'json' && Buffer.byteLength(kept.json) > ONCE_RESULT_MAX_BYTES)
    throw new RedriveError(
      'VALIDATION',
      `The result has ${Buffer.byteLength(kept.json)} bytes as JSON; at most ${ONCE_RESULT_MAX_BYTES} are kept. Return a reference to it instead.`,
      { fields: [{ field: 'result', message: `must be at most ${ONCE_RESULT_MAX_BYTES} bytes as JSON` }] },
    );
  return (await run(ctx, 'once-finish', ref, [times.ttlMs, encodeKept(kept)])) === 1;
}

/** The work failed and may be started anew at once. Nothing happens unless this token has it. */
export async function cancelOnce(ctx: BrokerContext, ref: OnceRef): Promise<boolean> {
  return (await run(ctx, 'once-cancel', ref, [])) === 1;
}

function run(
  ctx: BrokerContext,
  script: 'once-begin' | 'once-finish' | 'once-cancel',
  input: OnceRef,
  args: Arg[],
): Promise<unknown> {
  const { scope, key, token } = parseOrThrow(onceRefSchema, input, 'once');
  // A scope is a name, so it holds no line break: no two pairs make the same text.
  const digest = createHash('sha256').update(`${scope}\n${key}`).digest('hex').slice(0, 40);
  return ctx.run(script, null, [token, ...args], { keys: [ctx.keys.once(digest)] });
}

function encodeKept(kept: OnceKept): string {
  switch (kept.kind) {
    case 'json':
      return `v${kept.json}`;
    case 'none':
      return 'u';
    case 'lost':
      return `x${kept.why.slice(0, 200)}`;
  }
}

function decodeKept(stored: string): OnceKept {
  if (stored.startsWith('v')) return { kind: 'json', json: stored.slice(1) };
  if (stored.startsWith('x')) return { kind: 'lost', why: stored.slice(1) };
  return { kind: 'none' };
}

export const ONCE_VERBS = { begin: beginOnce, finish: finishOnce, cancel: cancelOnce };

/** Counts of `once`, sent apart from the marks, which lie in other slots. */
interface Tally {
  readonly counts: Map<keyof OnceCounters, number>;
  sending: Promise<void> | null;
}
const tallies = perContext((): Tally => ({ counts: new Map(), sending: null }));
const FIELDS = Object.keys(onceCountersSchema.shape) as (keyof OnceCounters)[];

/** Callers do not wait for a count: what comes while one is under way goes with the next. */
function countOnce(ctx: BrokerContext, field: keyof OnceCounters): void {
  const tally = tallies.of(ctx);
  tally.counts.set(field, (tally.counts.get(field) ?? 0) + 1);
  tally.sending ??= send(ctx, tally).finally(() => {
    tally.sending = null;
  });
}

/** What Redis does not take is dropped: a resend could count twice, and totals for show are not worth more. */
async function send(ctx: BrokerContext, tally: Tally): Promise<void> {
  while (tally.counts.size > 0) {
    const counts = [...tally.counts];
    tally.counts.clear();
    const key = ctx.keys.global('onceCounters');
    await ctx
      .plain((redis) => Promise.all(counts.map(([field, n]) => redis.hincrby(key, field, n))))
      .catch(() => undefined);
  }
}

export async function onceCounters(ctx: BrokerContext): Promise<OnceCounters> {
  // What this process counted itself is in it.
  await tallies.of(ctx).sending;
  const values = await readFields(ctx, { queue: null, index: 'onceCounters' }, FIELDS, SMALL_ROWS);
  return onceCountersSchema.parse(
    Object.fromEntries(FIELDS.map((field, i) => [field, Number(values[i] ?? 0)])),
  );
}
