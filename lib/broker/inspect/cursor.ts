/** Cursors: where a list goes on. Opaque to callers, checked on the way in. */
import { z } from 'zod';
import { RedriveError } from '@/lib/contract/errors';
import { jobIdSchema, queueNameSchema } from '@/lib/contract/names';

const positionSchema = z.object({ score: z.string().regex(/^-?\d{1,17}(\.\d{1,17})?$/), jobId: jobIdSchema });
const deadPositionSchema = z.object({ diedAt: z.number().int().min(0), queue: queueNameSchema, jobId: jobIdSchema });
export type Position = z.infer<typeof positionSchema>;
export type DeadPosition = z.infer<typeof deadPositionSchema>;

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function decode<T extends z.ZodType>(schema: T, cursor: string): z.output<T> {
  try {
    const parsed = schema.safeParse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    if (parsed.success) return parsed.data;
  } catch {
    // Falls through to the one sentence both failures deserve.
  }
  throw new RedriveError('BAD_CURSOR', 'The cursor was not made by this list. Leave it out to start from the first page.', {
    fields: [{ field: 'cursor', message: 'is not one this list gave out' }],
  });
}

export const encodePosition = (position: Position) => encode(position);
export const decodePosition = (cursor: string) => decode(positionSchema, cursor);
export const encodeDeadPosition = (position: DeadPosition) => encode(position);
export const decodeDeadPosition = (cursor: string) => decode(deadPositionSchema, cursor);
