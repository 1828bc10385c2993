/** The marks behind `once`: who does a piece of work, or what came of it. Timers and retries are the worker's part. */
import { createHash } from 'node:crypto';
import { parseOrThrow, RedriveError } from '@/lib/contract/errors';
import {
  ONCE_RESULT_MAX_BYTES,
  ONCE_TTL_DEFAULT_MS,
  type OnceCounters,
  type OnceRef,
  type OnceTimes,
  onceRefSchema,
  onceTimesSchema,
} from '@/lib/contract/once';
import type { BrokerContext } from './context';
import { countOnce } from './once-counters';
import { list, text } from './reply';
import { type Arg, evalScript } from './script';

/** `none`: the work returned nothing. `lost`: what it returned could not be kept, and why. */
export type OnceKept = { kind: 'json'; json: string } | { kind: 'none' } | { kind: 'lost'; why: string };
export type OnceBegun =
  | { outcome: 'started'; leaseMs: number }
  | { outcome: 'busy'; leaseLeftMs: number }
  | { outcome: 'done'; kept: OnceKept };

/**
 * Starts a piece of work, or says who has it. Called again with the same token: renews the lease (and, being the same call,
 * is safe to send again).
 */
export async function beginOnce(
  ctx: BrokerContext,
  ref: OnceRef,
  times: OnceTimes = {},
  renewal = false,
): Promise<OnceBegun> {
  const { leaseMs, ttlMs } = parseOrThrow(onceTimesSchema, times, 'once options');
  const reply = list(await run(ctx, 'once-begin', ref, [leaseMs, ttlMs]), 'once-begin');
  const note = (field: keyof OnceCounters) => {
    if (!renewal) countOnce(ctx, field);
  };
  switch (reply[0]) {
    case 0:
      note('busy');
      return { outcome: 'busy', leaseLeftMs: Number(reply[1]) };
    case 3:
      note('reused');
      return { outcome: 'done', kept: decodeKept(text(reply[2])) };
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

/** False: another run has it by now, and what that one records counts. */
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
  const clock = ctx.clock ? String(ctx.clock()) : '';
  return ctx.plain(() =>
    evalScript(ctx.redis, script, [ctx.keys.once(digest)], [clock, token, ...args], false),
  );
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

/** The marks as one service: `broker.once`. */
export const onceVerbs = (ctx: BrokerContext) => ({
  /** Starts a piece of work, or says who has it; again with the same token: renews the lease. */
  begin: (ref: OnceRef, times?: OnceTimes, renewal?: boolean) => beginOnce(ctx, ref, times, renewal),
  finish: (ref: OnceRef, kept: OnceKept, ttlMs?: number) => finishOnce(ctx, ref, kept, ttlMs),
  cancel: (ref: OnceRef) => cancelOnce(ctx, ref),
});
export type OnceVerbs = ReturnType<typeof onceVerbs>;
