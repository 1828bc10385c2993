/** Whether a schedule makes sense: everything that could be wrong with it is said when it is made, not when it is due. */
import { PAYLOAD_MAX_BYTES } from '@/lib/contract/envelope';
import { RedriveError } from '@/lib/contract/errors';
import type { ScheduleDefinition } from '@/lib/contract/schedules';
import { cronOf } from './cron';
import { nextSlot, type Slotted } from './slots';

/** @throws RedriveError VALIDATION | PAYLOAD_TOO_LARGE */
export function checkDefinition({ job, ...slotted }: ScheduleDefinition): void {
  checkSlotted(slotted);
  const bytes = Buffer.byteLength(job.payload);
  if (bytes > PAYLOAD_MAX_BYTES)
    throw new RedriveError(
      'PAYLOAD_TOO_LARGE',
      `The payload is ${bytes} bytes; at most ${PAYLOAD_MAX_BYTES} are taken.`,
      { fields: [{ field: 'job.payload', message: `is ${bytes} bytes` }] },
    );
}

export function checkSlotted({ timing, startAt, endAt }: Slotted): void {
  if ('cron' in timing) cronOf(timing);
  if (startAt !== null && endAt !== null && endAt < startAt) throw refusal('endAt', 'is before startAt');
}

/** The first slot after a moment. @throws RedriveError VALIDATION when there is none, saying what rules it out */
export function requireSlot(slotted: Slotted, after: number): number {
  const slot = nextSlot(slotted, after);
  if (slot !== null) return slot;
  if (nextSlot({ ...slotted, startAt: null, endAt: null }, after) === null)
    throw refusal(
      'timing.cron',
      'matches no day that is still to come (30 February, say); correct day and month',
    );
  throw refusal(
    'endAt',
    `leaves no slot: the schedule would never run. Set it later${slotted.startAt === null ? '' : ', or startAt earlier'}`,
  );
}

function refusal(field: string, message: string): RedriveError {
  return new RedriveError('VALIDATION', `${field} ${message}.`, { fields: [{ field, message }] });
}
