/** Occurrences become jobs: in one step with the fence that keeps any other scheduler from doing it again. */
import { enqueueSchema } from '@/lib/contract/jobs/envelope';
import { NAME_MAX_CHARS } from '@/lib/contract/name-pattern';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import type { Schedule } from '@/lib/contract/schedules/schedule-schemas';
import { idFrom } from '../jobs/job-id';
import { checkPayload, encodeRow } from '../jobs/job-row';
import { registerQueue } from '../queues/register-queue';
import type { BrokerContext } from '../redis/broker-context';
import type { Arg } from '../redis/script-runner';
import type { OccurrencePlan } from './plan-occurrences';
import { readFence, type ScheduleFence } from './schedule-fence';
import type { StoredSchedule } from './schedule-row';

/** Per script call, whichever comes first: bounds the time one call may hold Redis, whatever the payload. */
const SCRIPT_MAX_OCCURRENCES = 50;
const SCRIPT_MAX_BYTES = 512 * 1024;

interface EnterOccurrences extends Pick<StoredSchedule, 'schedule' | 'secret'>, OccurrencePlan {
  /** When the schedule was read, by the clock of Redis. */
  readonly readAt: number;
}

/**
 * `ahead`: another process entered these occurrences, up to `fence`. `outdated`: the schedule was changed or deleted since.
 * `stale`: it was read over an hour ago. `early`: an occurrence is in the future by the clock of Redis.
 */
export type EnterOutcome = 'done' | 'ahead' | 'outdated' | 'stale' | 'early';
const OUTCOMES: Readonly<Record<number, EnterOutcome>> = {
  1: 'done',
  0: 'ahead',
  [-1]: 'outdated',
  [-2]: 'stale',
  [-3]: 'early',
};

export const occurrencesPerCall = ({ job }: Schedule): number =>
  Math.max(
    1,
    Math.min(SCRIPT_MAX_OCCURRENCES, Math.floor(SCRIPT_MAX_BYTES / (Buffer.byteLength(job.payload) + 1_000))),
  );

/** From the occurrence and the schedule's secret: every scheduler makes the same id, and no producer can take it first. */
export function occurrenceJobId(
  {
    schedule: { id, generation },
    secret,
  }: { schedule: Pick<Schedule, 'id' | 'generation'> } & Pick<StoredSchedule, 'secret'>,
  occurrence: number,
): string {
  const proof = idFrom('slot', secret, String(generation), String(occurrence)).slice(0, PROOF_CHARS);
  return `${shortId(id)}.${generation}.${occurrence}.${proof}`;
}
/** 60 bits. */
const PROOF_CHARS = 12;

/** Leaves room for what makes ids of one schedule differ. */
export const shortId = (id: string): string =>
  id.length <= NAME_MAX_CHARS - 40 ? id : `${id.slice(0, NAME_MAX_CHARS - 61)}-${idFrom(id)}`;

export async function enterOccurrences(
  ctx: BrokerContext,
  input: EnterOccurrences,
): Promise<{ outcome: EnterOutcome; fence: ScheduleFence }> {
  const { schedule, secret, readAt, from, to, skippedCount, occurrences } = input;
  const args: Arg[] = [
    schedule.id,
    schedule.generation,
    readAt,
    from,
    to,
    skippedCount,
    schedule.overlap === 'skip' ? 1 : 0,
    schedule.entered,
    schedule.skipped,
    schedule.last?.jobId ?? '-',
  ];
  for (const occurrence of occurrences) {
    const jobId = occurrenceJobId({ schedule, secret }, occurrence);
    args.push(occurrence, jobId, occurrenceRow(schedule, jobId, occurrence, readAt));
  }
  if (occurrences.length > 0) await registerQueue(ctx, schedule.queue);
  const reply = await ctx.run('schedule-enter', schedule.queue, args);
  const { status, fence } = readFence(reply, 'schedule-enter');
  const outcome = OUTCOMES[status];
  if (!outcome) throw new Error(`schedule-enter: unknown reply code ${status}`);
  return { outcome, fence };
}

/** The idempotency key tells a handler which occurrence it works for. */
function occurrenceRow(schedule: Schedule, jobId: string, occurrence: number, at: number): string | Buffer {
  const idempotencyKey = `${schedule.id}@${new Date(occurrence).toISOString()}`;
  const input = { ...schedule.job, jobId, idempotencyKey };
  const job = parseOrThrow(enqueueSchema, input, 'job');
  checkPayload(job);
  return encodeRow(job, at);
}
