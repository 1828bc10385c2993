/** Cursors: where a list goes on. Opaque to callers, checked on the way in. */
import { RedriveError } from '@/lib/contract/errors';
import {
  type Position,
  positionSchema,
  type SearchPosition,
  searchPositionSchema,
} from '@/lib/contract/verbs';
import { isSealed, type Seal } from '../search/seal';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

interface Schema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false };
}

const decode = <T>(schema: Schema<T>, cursor: string): T =>
  read(schema, Buffer.from(cursor, 'base64url').toString('utf8'));

function read<T>(schema: Schema<T>, text: string): T {
  try {
    const parsed = schema.safeParse(JSON.parse(text));
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
/** Sealed where it may be that of a job its asker must not know of; see search/seal.ts. */
export const encodeSearchPosition = (position: SearchPosition, seal: Seal | null = null): string =>
  seal ? seal.close(JSON.stringify(position)) : encode(position);
export const decodeSearchPosition = (cursor: string, seal: Seal | null = null): SearchPosition =>
  seal && isSealed(cursor)
    ? read(searchPositionSchema, seal.open(cursor) ?? '')
    : decode(searchPositionSchema, cursor);
