/**
 * Where a search goes on is where it looked last, and that may be a job its asker must not know of: such a position is sealed, so
 * that nothing can be read out of the cursor. All processes on one Redis share the key; it guards nothing that Redis does not hold.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { BrokerContext } from '../context';

export interface Seal {
  close(text: string): string;
  /** Null: it was not closed with this key, or was changed since. */
  open(sealed: string): string | null;
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** No cursor that is not sealed has such a letter. */
const MARK = 's.';
export const isSealed = (cursor: string): boolean => cursor.startsWith(MARK);

const seals = new WeakMap<BrokerContext, Promise<Seal>>();

export async function sealOf(ctx: BrokerContext): Promise<Seal> {
  const known = seals.get(ctx) ?? makeSeal(ctx);
  seals.set(ctx, known);
  return known;
}

/** When the data of this Redis are gone, its key is, too: the others make a new one. */
export const forgetSeal = (ctx: BrokerContext): void => {
  seals.delete(ctx);
};

/** When the key can be neither read nor written, as in a full memory, one of this process's own will do: until it restarts. */
const makeSeal = async (ctx: BrokerContext): Promise<Seal> =>
  sealWith(await readKey(ctx).catch(() => randomBytes(KEY_BYTES)));

async function readKey(ctx: BrokerContext): Promise<Buffer> {
  const name = ctx.keys.global('searchSeal');
  const read = async () => keyIn(await ctx.plain((redis) => redis.get(name)));
  const there = await read();
  if (there) return there;
  await ctx.plain((redis) => redis.set(name, randomBytes(KEY_BYTES).toString('base64url'), 'NX'));
  // Somebody else may have been first: theirs is the key.
  return (await read()) ?? randomBytes(KEY_BYTES);
}

function keyIn(text: string | null): Buffer | null {
  const key = Buffer.from(text ?? '', 'base64url');
  return key.length === KEY_BYTES ? key : null;
}

const sealWith = (key: Buffer): Seal => ({
  close(text) {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key, nonce);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return MARK + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
  },
  open(sealed) {
    const bytes = Buffer.from(sealed.slice(MARK.length), 'base64url');
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
    try {
      const opener = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES));
      opener.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const body = bytes.subarray(NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([opener.update(body), opener.final()]).toString('utf8');
    } catch {
      return null;
    }
  },
});
