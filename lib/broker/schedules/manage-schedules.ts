/**
 * Creating, changing and running schedules. A change first raises the fence in the queue, then saves the record: after it, no tick of the
 * version before can enter anything. The next tick undoes a change that died in between.
 */
import type { EnqueueResult } from '@/lib/contract/jobs/envelope';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import { RedriveError } from '@/lib/contract/redrive-error';
import { isTakenId, reusedKey } from '@/lib/contract/reused-key-error';
import {
  type Schedule,
  type SchedulePatch,
  type SchedulePreview,
  type SchedulePreviewRequest,
  type ScheduleRequest,
  schedulePatchSchema,
  schedulePreviewRequestSchema,
  scheduleRequestSchema,
} from '@/lib/contract/schedules/schedule-schemas';
import { type Actor, toOperationRights } from '../access/actor';
import { idFrom, randomId, timeOrderedId } from '../jobs/job-id';
import { isSameJson } from '../redis/parse-json';
import { shortId } from './enter-occurrences';
import { scheduleChangeText } from './schedule-change-text';
import type { ScheduleFence } from './schedule-fence';
import { keepHiddenValues } from './schedule-redaction';
import { SECRET_CHARS, type StoredSchedule } from './schedule-row';
import { type SchedulesBroker, stepsOf } from './schedule-verbs';
import { tickSchedule } from './tick-schedules';
import {
  checkDefinition,
  checkTiming,
  nextOccurrence,
  occurrencesAfter,
  requireOccurrence,
} from './timing/occurrences';
import { nextClockChange } from './timing/time-zones';

/**
 * Decides whether the change may be made. Called with each reading with which a save compares, and with what the change would make of it.
 */
export type CheckSchedule = (before: Schedule, after: Schedule) => void | Promise<void>;
const MAY: CheckSchedule = () => undefined;

const TRIES = 20;
const YEAR_MS = 366 * 86_400_000;

/**
 * Enters a schedule. Sent again with the same `by.requestId`, it finds the first one.
 * @param maySee whether the user may see the schedule that has this id
 * @throws RedriveError VALIDATION | PAYLOAD_TOO_LARGE | SCHEDULE_EXISTS | ID_CONFLICT | LIMIT_REACHED
 */
export async function createSchedule(
  broker: SchedulesBroker,
  input: ScheduleRequest,
  by: Actor,
  maySee: (schedule: Schedule) => boolean = () => true,
): Promise<Schedule> {
  const { reason, ...definition } = parseOrThrow(scheduleRequestSchema, input, 'schedule');
  checkDefinition(definition);
  await keepHiddenValues(broker, definition, null);
  const now = await broker.now();
  requireOccurrence(definition, now);
  const existing = await stepsOf(broker).find(definition.id);
  if (existing) return resent(existing, definition, by, maySee);
  await stepsOf(broker).requireRoom(by);
  await stepsOf(broker).takeQueue(definition.queue, by);
  const after = scheduleChangeText(definition.id, definition);
  const { generation, fence } = await raise(broker, definition, { ...by, reason }, true, '', after);
  const schedule: Schedule = {
    ...definition,
    paused: false,
    generation,
    createdAt: now,
    updatedAt: now,
    maker: by.actor.slice(0, 100),
    actor: by.actor,
    reason: reason ?? null,
    // A fence of the same id may be ahead of the clock, if that was set back.
    nextAt: requireOccurrence(definition, Math.max(now, fence.occurrence)),
    last: null,
    entered: 0,
    skipped: 0,
  };
  const entry = {
    id: schedule.id,
    before: null,
    after: {
      schedule,
      requestId: by.requestId ?? null,
      secret: randomId(SECRET_CHARS),
      rights: toOperationRights(by),
    },
    audit: { by: { ...by, reason }, action: 'schedule.create', queue: schedule.queue, before: '', after },
  };
  const isSaved = await stepsOf(broker)
    .save(entry)
    .catch(async (error: unknown) => {
      // Another schedule took the last of the quota meanwhile: this fence belongs to none.
      if (error instanceof RedriveError && error.code === 'LIMIT_REACHED')
        await stepsOf(broker)
          .forget(schedule.queue, schedule.id, generation)
          .catch(() => false);
      throw error;
    });
  if (isSaved) return schedule;
  return resent(await stepsOf(broker).get(definition.id), definition, by, maySee);
}

function resent(
  { schedule, requestId }: StoredSchedule,
  definition: object,
  by: Actor,
  maySee: (schedule: Schedule) => boolean,
): Schedule {
  if (requestId !== null && requestId === by.requestId && maySee(schedule)) {
    if (isSameJson({ ...schedule, ...definition }, schedule)) return schedule;
    throw reusedKey('schedule');
  }
  throw new RedriveError(
    'SCHEDULE_EXISTS',
    `There is a schedule ${schedule.id} already. Choose another id, or change that one.`,
    { fields: [{ field: 'id', message: 'is taken by another schedule' }] },
  );
}

/** Takes a number and raises the fence to it, above whatever is there. */
async function raise(
  broker: SchedulesBroker,
  { id, queue }: Pick<Schedule, 'id' | 'queue'>,
  by: Actor,
  isNew: boolean,
  before: string,
  after: string,
): Promise<{ generation: number; fence: ScheduleFence }> {
  let least = 1;
  for (let tries = 0; tries < TRIES; tries++) {
    const generation = await stepsOf(broker).generation(least);
    const { raised, fence } = await stepsOf(broker).fence({
      id,
      queue,
      generation,
      isNew,
      by,
      before,
      after,
    });
    if (raised) return { generation, fence };
    // A failover lost the numbers that this fence remembers.
    least = fence.generation + 1;
  }
  throw busy(id);
}

const busy = (id: string) =>
  new RedriveError(
    'UNKNOWN_OUTCOME',
    `The schedule ${id} is being changed by others all the time. Look at it, and try again.`,
  );

/** Changes the given fields that differ. @throws RedriveError VALIDATION | PAYLOAD_TOO_LARGE | SCHEDULE_NOT_FOUND */
export async function changeSchedule(
  broker: SchedulesBroker,
  id: string,
  input: SchedulePatch,
  by: Actor,
  may: CheckSchedule = MAY,
): Promise<Schedule> {
  const { reason, ...patch } = parseOrThrow(schedulePatchSchema, input, 'schedule');
  const asked = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  const read = () => readAllowed(broker, id, may, asked);
  for (let tries = 0; tries < TRIES; tries++) {
    let stored = await read();
    const given = await keepHiddenValues(broker, asked, stored.schedule);
    const differs = (key: string) => !same(given[key], stored.schedule[key as keyof Schedule]);
    const changed = Object.keys(given).filter(differs);
    if (changed.length === 0) return stored.schedule;
    const now = await broker.now();
    const retimed = changed.some((key) => ['timing', 'startAt', 'endAt'].includes(key));
    const wanted: Schedule = { ...stored.schedule, ...given };
    checkDefinition(wanted);
    if (changed.includes('queue')) await stepsOf(broker).takeQueue(wanted.queue, by);
    const restarts = !wanted.paused && (retimed || stored.schedule.paused);
    if (restarts) requireOccurrence(wanted, Math.max(now, stored.schedule.last?.fireTime ?? 0));
    // What came due under the old times is entered by them: the new ones begin now.
    if (retimed && (stored.schedule.nextAt ?? Number.POSITIVE_INFINITY) <= now) {
      await tickSchedule(broker, stored, now);
      stored = await read();
    }
    const old = Object.fromEntries(changed.map((key) => [key, stored.schedule[key as keyof Schedule]]));
    const fresh = Object.fromEntries(changed.map((key) => [key, given[key]]));
    const notes = [scheduleChangeText(id, old), scheduleChangeText(id, fresh)] as const;
    const { generation, fence } = await raise(broker, stored.schedule, { ...by, reason }, false, ...notes);
    const isRedefined = changed.some((key) => REDEFINES.has(key));
    const schedule: Schedule = {
      ...stored.schedule,
      ...given,
      generation,
      updatedAt: now,
      maker: isRedefined ? by.actor.slice(0, 100) : stored.schedule.maker,
      actor: by.actor,
      reason: reason ?? null,
      nextAt: nextAtOf(wanted, stored.schedule, restarts, now, fence),
      ...countsOf(stored.schedule, fence),
    };
    const left = stored.schedule.queue;
    const leaves = left === schedule.queue ? undefined : { queue: left, generation, at: now };
    if (
      await stepsOf(broker).save({
        id,
        before: stored,
        after: { ...stored, schedule, rights: isRedefined ? toOperationRights(by) : stored.rights },
        leaves,
        audit: {
          by: { ...by, reason },
          action: actionOf(changed, schedule),
          queue: schedule.queue,
          before: notes[0],
          after: notes[1],
        },
      })
    )
      return schedule;
  }
  throw busy(id);
}

async function readAllowed(
  broker: SchedulesBroker,
  id: string,
  may: CheckSchedule,
  asked: Partial<Schedule> = {},
): Promise<StoredSchedule> {
  const stored = await stepsOf(broker).get(id);
  await may(stored.schedule, { ...stored.schedule, ...asked });
  return stored;
}

/** Who changes what it does, where or when, answers for it from then on. */
const REDEFINES: ReadonlySet<string> = new Set(['queue', 'job', 'timing', 'startAt', 'endAt']);

/** Pausing and resuming have names of their own in the audit log. */
const actionOf = (changed: readonly string[], { paused }: Schedule): string =>
  changed.length > 1 || changed[0] !== 'paused'
    ? 'schedule.change'
    : paused
      ? 'schedule.pause'
      : 'schedule.resume';

const same = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    : value;

/** While only the job changes, the occurrences stay, and one that came due meanwhile is entered in its new shape. */
function nextAtOf(
  wanted: Schedule,
  old: Schedule,
  restarts: boolean,
  now: number,
  fence: ScheduleFence,
): number | null {
  if (wanted.paused) return null;
  if (restarts) return nextOccurrence(wanted, Math.max(now, fence.occurrence));
  return old.nextAt !== null && fence.occurrence >= old.nextAt
    ? nextOccurrence(wanted, fence.occurrence)
    : old.nextAt;
}

/** The fence counts; the record follows, and may be behind. */
const countsOf = (old: Schedule, fence: ScheduleFence) =>
  fence.entered + fence.skipped < old.entered + old.skipped
    ? { entered: old.entered, skipped: old.skipped, last: old.last }
    : { entered: fence.entered, skipped: fence.skipped, last: fence.last ?? old.last };

/** Occurrences that come while it is paused are not made up for. */
export const pauseSchedule = (
  broker: SchedulesBroker,
  id: string,
  by: Actor,
  may?: CheckSchedule,
): Promise<Schedule> => changeSchedule(broker, id, { paused: true, reason: by.reason }, by, may);

/** @throws RedriveError VALIDATION when no occurrence is left */
export const resumeSchedule = (
  broker: SchedulesBroker,
  id: string,
  by: Actor,
  may?: CheckSchedule,
): Promise<Schedule> => changeSchedule(broker, id, { paused: false, reason: by.reason }, by, may);

/** Jobs it entered stay. @throws RedriveError SCHEDULE_NOT_FOUND */
export async function deleteSchedule(
  broker: SchedulesBroker,
  id: string,
  by: Actor,
  may: CheckSchedule = MAY,
): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const before = await readAllowed(broker, id, may);
    const { queue } = before.schedule;
    const notes = [
      scheduleChangeText(id, before.schedule),
      scheduleChangeText(id, { deleted: true }),
    ] as const;
    const { generation } = await raise(broker, before.schedule, by, false, ...notes);
    const leaves = { queue, generation, at: await broker.now() };
    const audit = { by, action: 'schedule.delete', queue, before: notes[0], after: '' };
    if (await stepsOf(broker).save({ id, before, after: null, leaves, audit })) return;
  }
  throw busy(id);
}

/**
 * A job now, outside the occurrences, also of a paused schedule. Sent again with the same `by.requestId`, it finds the first one.
 * @throws RedriveError SCHEDULE_NOT_FOUND | ID_CONFLICT | QUEUE_DRAINING | QUEUE_FULL
 */
export async function runSchedule(
  broker: SchedulesBroker,
  id: string,
  by: Actor,
  may: CheckSchedule = MAY,
): Promise<EnqueueResult> {
  const { schedule, secret } = await readAllowed(broker, id, may);
  // As of its occurrences: an id that no producer can foresee.
  const run = by.requestId ? idFrom('run', secret, by.requestId) : timeOrderedId();
  const jobId = `${shortId(id)}.run.${run}`;
  const job = { ...schedule.job, jobId, idempotencyKey: `${id}@run.${run}` };
  const event = { action: 'schedule.run', kind: 'schedule', id } as const;
  return broker.enqueue(schedule.queue, job, { by, event }).catch((error: unknown) => {
    // The job of the first sending is another one: the schedule was changed since.
    throw isTakenId(error) ? reusedKey('run of the schedule') : error;
  });
}

/** The next occurrences a schedule would have, and where its clock changes within a year. @throws RedriveError VALIDATION */
export function previewSchedule(input: SchedulePreviewRequest, now: number): SchedulePreview {
  const { count, ...rule } = parseOrThrow(schedulePreviewRequestSchema, input, 'preview');
  checkTiming(rule);
  requireOccurrence(rule, now);
  const { timing } = rule;
  return {
    at: now,
    fireTimes: occurrencesAfter(rule, now, count),
    clockChange: 'cron' in timing ? nextClockChange(timing.timeZone, now, now + YEAR_MS) : null,
  };
}
