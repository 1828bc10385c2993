/**
 * Cursors: opaque, and checked when they come back. A search may stop at a job its user must not know of: such a cursor is encrypted with a
 * key that all processes on one Redis share.
 */
import { randomBytes } from 'node:crypto';
import {
  type ListPosition,
  listPositionSchema,
  type SearchPosition,
  searchPositionSchema,
} from '@/lib/contract/jobs/list-options';
import { RedriveError } from '@/lib/contract/redrive-error';
import { CIPHER_KEY_BYTES, decryptText, encryptText } from '@/lib/process/text-cipher';
import type { BrokerContext } from '../redis/broker-context';
import { perContext } from '../redis/context-cache';
import { type JsonSchema, parseJsonRow } from '../redis/parse-json';

export const encodePosition = (position: ListPosition): string => encode(position);
export const decodePosition = (cursor: string): ListPosition => parse(listPositionSchema, decode(cursor));

/** @param key encrypts it; null: it may be read */
export const encodeSearchPosition = (position: SearchPosition, key: Buffer | null = null): string =>
  key ? ENCRYPTED + encryptText(JSON.stringify(position), key) : encode(position);
export const decodeSearchPosition = (cursor: string, key: Buffer | null = null): SearchPosition =>
  parse(
    searchPositionSchema,
    key && isEncryptedCursor(cursor)
      ? (decryptText(cursor.slice(ENCRYPTED.length), key) ?? '')
      : decode(cursor),
  );

/** Base64url, as other cursors are, has no dot. */
const ENCRYPTED = 's.';
export const isEncryptedCursor = (cursor: string): boolean => cursor.startsWith(ENCRYPTED);

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (cursor: string) => Buffer.from(cursor, 'base64url').toString('utf8');

function parse<T>(schema: JsonSchema<T>, text: string): T {
  const position = parseJsonRow(schema, text);
  if (position !== null) return position;
  throw new RedriveError(
    'BAD_CURSOR',
    'The cursor was not made by this list. Leave it out to start from the first page.',
    { fields: [{ field: 'cursor', message: 'is not one this list gave out' }] },
  );
}

const keys = perContext<{ key: Promise<Buffer> | null }>(() => ({ key: null }));

/** The first search that needs a key makes it. When Redis refuses the write, this process uses its own. */
export function readCursorKey(ctx: BrokerContext): Promise<Buffer> {
  const cached = keys.of(ctx);
  cached.key ??= readOrCreateKey(ctx).catch(() => randomBytes(CIPHER_KEY_BYTES));
  return cached.key;
}

/** When the data of this Redis are lost, the key is lost with them. */
export const forgetCursorKey = keys.forget;

async function readOrCreateKey(ctx: BrokerContext): Promise<Buffer> {
  const name = ctx.keys.global('searchCursorKey');
  const read = async () => keyIn(await ctx.plain((redis) => redis.get(name)));
  const stored = await read();
  if (stored) return stored;
  await ctx.plain((redis) => redis.set(name, randomBytes(CIPHER_KEY_BYTES).toString('base64url'), 'NX'));
  // Another process may have been first.
  return (await read()) ?? randomBytes(CIPHER_KEY_BYTES);
}

function keyIn(text: string | null): Buffer | null {
  const key = Buffer.from(text ?? '', 'base64url');
  return key.length === CIPHER_KEY_BYTES ? key : null;
}
