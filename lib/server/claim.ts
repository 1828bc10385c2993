/** Claims over HTTP whose answer may get lost. */
import { idFrom } from '@/lib/broker';

/**
 * The nonce of a claim follows from its key, so that sending it again finds what the first sending took. A key counts for one
 * worker only: nobody can give back somebody else's jobs by choosing the same.
 */
export const nonceOf = (worker: string, idempotencyKey: string | null): string | undefined =>
  idempotencyKey === null ? undefined : idFrom('claim', worker, idempotencyKey);
