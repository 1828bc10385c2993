/** Cursors: where a list goes on. Opaque to callers, checked on the way in. */
import { RedriveError } from '@/lib/contract/errors';
import {
  type Position,
  positionSchema,
  type SearchPosition,
  searchPositionSchema,
} from '@/lib/contract/verbs';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

interface Schema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false };
}

function decode<T>(schema: Schema<T>, cursor: string): T {
  try {
    const parsed = schema.safeParse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    if (parsed.success) return parsed.data;
  } catch {
    // Falls through to the one sentence both failures deserve.
  }
  throw new RedriveError(
    'BAD_CURSOR',
    'The cursor was not made by this list. Leave it out to start from the first page.',
    {
      fields: [{ field: 'cursor', message: 'is not one this list gave out' }],
    },
  );
}

export const encodePosition = (position: Position) => encode(position);
export const decodePosition = (cursor: string) => decode(positionSchema, cursor);
export const encodeSearchPosition = (position: SearchPosition) => encode(position);
export const decodeSearchPosition = (cursor: string) => decode(searchPositionSchema, cursor);
