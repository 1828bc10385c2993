/**
 * What a browser carries while its person is at the identity provider: sealed in a cookie, so that nothing is stored for visitors who
 * never come back. It is of use for ten minutes and to this console only. Lax, unlike the session: the way back begins at another site.
 * Over TLS its name begins with `__Host-`, so that no other host of the domain can plant one; that asks for the path of everything.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { singleton } from '../singleton';
import { cookie, cookiesNamed } from './cookies';
import { secretOf } from './secret-file';
import { isTls } from './ways';

export const TRANSACTION_MAX_MS = 600_000;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';

const transactionSchema = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Where to go afterwards; checked when it was taken, and again when it is used. */
  next: z.string(),
  startedAt: z.number(),
  /** Of a proof: the digest of the session it is for, since its cookie does not come along. */
  session: z.string().nullable(),
});
export type Transaction = z.infer<typeof transactionSchema>;

const cookieName = (): string => (isTls() ? '__Host-redrive-oidc' : 'redrive-oidc');
const OPTIONS = { path: '/', sameSite: 'Lax' } as const;

export const transactionCookie = (transaction: Transaction): string =>
  cookie(cookieName(), seal(transaction), { ...OPTIONS, maxAgeSeconds: TRANSACTION_MAX_MS / 1_000 });

export const clearedTransactionCookie = (): string =>
  cookie(cookieName(), '', { ...OPTIONS, maxAgeSeconds: 0 });

/** Null: there is none, it was made elsewhere, or it is too old. */
export function readTransaction(headers: Headers, nowMs = Date.now()): Transaction | null {
  const found = cookiesNamed(headers, cookieName());
  if (found.length !== 1) return null;
  const transaction = unseal(found[0] ?? '');
  if (!transaction) return null;
  const ageMs = nowMs - transaction.startedAt;
  return ageMs >= 0 && ageMs <= TRANSACTION_MAX_MS ? transaction : null;
}

/** Of a console without a client secret the key is this process's own: several of them then need visitors to stay with one. */
const ownKey = singleton('oidc-transaction-key', () => randomBytes(32));
function key(): Buffer {
  const secret = secretOf('OIDC_CLIENT_SECRET');
  if (secret === null) return ownKey();
  return Buffer.from(hkdfSync('sha256', secret, '', 'redrive sign-in transaction', 32));
}

export function seal(transaction: Transaction): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key(), iv);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(transaction), 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

function unseal(text: string): Transaction | null {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length <= IV_BYTES + TAG_BYTES) return null;
  try {
    const decipher = createDecipheriv(CIPHER, key(), bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const opened = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
    return transactionSchema.parse(JSON.parse(opened.toString('utf8')));
  } catch {
    // Changed, or sealed with another key: as if it were not there.
    return null;
  }
}
