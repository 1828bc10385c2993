/** Slots become jobs: in one step with the fence that keeps any other scheduler from doing it again. */
import { enqueueSchema } from '@/lib/contract/envelope';
import { parseOrThrow } from '@/lib/contract/errors';
import { NAME_MAX_CHARS } from '@/lib/contract/names';
import type { Schedule } from '@/lib/contract/schedules';
import type { BrokerContext } from '../context';
import { idFrom } from '../id';
import { checkPayload, encodeRow } from '../row';
import type { Arg } from '../script';
import { register } from '../verbs/enqueue';
import { type Fence, readFence } from './fence';
import type { StoredSchedule } from './row';

/** Per script call, whichever comes first: bounds the time one call may hold Redis, whatever the payload. */
const SCRIPT_MAX_SLOTS = 50;
const SCRIPT_MAX_BYTES = 512 * 1024;

export interface EnterSlots extends Pick<StoredSchedule, 'schedule' | 'secret'> {
  /** When the schedule was read, by the clock of Redis. */
  readonly readAt: number;
  /** First and last slot of the time this call deals with. */
  readonly from: number;
  readonly to: number;
  /** How many slots of it to pass over; all are before those to enter. */
  readonly passed: number;
  /** Oldest first, at most `slotsPerCall`. */
  readonly slots: readonly number[];
}

/**
 * `ahead`: somebody else dealt with these slots; `fence` says up to where. `outdated`: the schedule was changed or deleted
 * since it was read. `stale`: it was read over an hour ago. `early`: a slot is in the future by the clock of Redis.
 */
export type EnterOutcome = 'done' | 'ahead' | 'outdated' | 'stale' | 'early';
const OUTCOMES: Readonly<Record<number, EnterOutcome>> = {
  1: 'done',
  0: 'ahead',
  [-1]: 'outdated',
  [-2]: 'stale',
  [-3]: 'early',
};

export const slotsPerCall = ({ job }: Schedule): number =>
  Math.max(
    1,
    Math.min(SCRIPT_MAX_SLOTS, Math.floor(SCRIPT_MAX_BYTES / (Buffer.byteLength(job.payload) + 1_000))),
  );

/**
 * Said by the slot and the schedule's secret, so that every scheduler enters the same job, and no producer can enter another under
 * its id first. Fits the pattern of names however long the id.
 */
export function slotJobId(
  { schedule: { id, generation }, secret }: Pick<StoredSchedule, 'schedule' | 'secret'>,
  slot: number,
): string {
  const proof = idFrom('slot', secret, String(generation), String(slot)).slice(0, PROOF_CHARS);
  return `${shortId(id)}.${generation}.${slot}.${proof}`;
}
/** 60 bits. */
const PROOF_CHARS = 12;

/** Leaves room for what makes ids of one schedule differ. */
export const shortId = (id: string): string =>
  id.length <= NAME_MAX_CHARS - 40 ? id : `${id.slice(0, NAME_MAX_CHARS - 61)}-${idFrom(id)}`;

export async function enterSlots(
  ctx: BrokerContext,
  input: EnterSlots,
): Promise<{ outcome: EnterOutcome; fence: Fence }> {
  const { schedule, secret, readAt, from, to, passed, slots } = input;
  const args: Arg[] = [
    schedule.id,
    schedule.generation,
    readAt,
    from,
    to,
    passed,
    schedule.overlap === 'skip' ? 1 : 0,
    schedule.entered,
    schedule.skipped,
    schedule.last?.jobId ?? '-',
  ];
  for (const slot of slots) {
    const jobId = slotJobId({ schedule, secret }, slot);
    args.push(slot, jobId, slotRow(schedule, jobId, slot, readAt));
  }
  if (slots.length > 0) await register(ctx, schedule.queue);
  const reply = await ctx.run('schedule-enter', schedule.queue, args);
  const { status, fence } = readFence(reply, 'schedule-enter');
  const outcome = OUTCOMES[status];
  if (!outcome) throw new Error(`schedule-enter: unknown reply code ${status}`);
  return { outcome, fence };
}

/** The idempotency key tells a handler which slot it works for. */
function slotRow(schedule: Schedule, jobId: string, slot: number, at: number): string | Buffer {
  const idempotencyKey = `${schedule.id}@${new Date(slot).toISOString()}`;
  const input = { ...schedule.job, jobId, idempotencyKey };
  const job = parseOrThrow(enqueueSchema, input, 'job');
  checkPayload(job);
  return encodeRow(job, at);
}
