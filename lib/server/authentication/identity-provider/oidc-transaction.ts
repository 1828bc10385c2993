/**
 * The state of a sign-in at the identity provider, encrypted in a cookie of the browser, so that visitors who never return leave nothing in
 * Redis. Valid for ten minutes at this console.
 */
import { hkdfSync, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { CIPHER_KEY_BYTES, decryptText, encryptText } from '@/lib/process/text-cipher';
import { secretOf } from '@/lib/server/secret-file';
import { singleton } from '@/lib/server/singleton';
import { roundTripCookie } from '../session-cookie';

export const TRANSACTION_MAX_MS = 600_000;

const transactionSchema = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Where to go afterwards; checked when it was taken, and again when it is used. */
  next: z.string(),
  startedAt: z.number(),
  /** Of a re-authentication: the digest of its session, since the return comes without the session cookie. */
  session: z.string().nullable(),
});
export type Transaction = z.infer<typeof transactionSchema>;

const stateCookie = roundTripCookie('redrive-oidc', TRANSACTION_MAX_MS / 1_000);

export const transactionCookie = (transaction: Transaction): string =>
  stateCookie.write(encrypt(transaction));

export const clearedTransactionCookie = (): string => stateCookie.clear();

/** Null: missing, made elsewhere, or too old. */
export function readTransaction(headers: Headers, nowMs = Date.now()): Transaction | null {
  const value = stateCookie.read(headers);
  const transaction = value === null ? null : decrypt(value);
  if (!transaction) return null;
  const ageMs = nowMs - transaction.startedAt;
  return ageMs >= 0 && ageMs <= TRANSACTION_MAX_MS ? transaction : null;
}

/** Without a client secret the key belongs to this process: several consoles then need sticky sessions. */
const ownKey = singleton('oidc-transaction-key', () => randomBytes(CIPHER_KEY_BYTES));
function key(): Buffer {
  const secret = secretOf('OIDC_CLIENT_SECRET');
  if (secret === null) return ownKey();
  return Buffer.from(hkdfSync('sha256', secret, '', 'redrive sign-in transaction', CIPHER_KEY_BYTES));
}

export const encrypt = (transaction: Transaction): string => encryptText(JSON.stringify(transaction), key());

/** Null: changed, or encrypted with another key. */
function decrypt(encrypted: string): Transaction | null {
  const text = decryptText(encrypted, key());
  if (text === null) return null;
  try {
    return transactionSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
