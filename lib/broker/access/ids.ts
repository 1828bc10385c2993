/** What rows of sessions and tokens are called, and what may stand in them. */
import { createHash } from 'node:crypto';
import { digestSchema, personIdSchema, storedGrantsSchema } from '@/lib/contract/access-rows';
import { parseOrThrow } from '@/lib/contract/errors';
import type { Grant } from '@/lib/contract/permissions';

/** Their scripts touch no queue, but every script call names one. */
export const NO_QUEUE = 'none';

export const checkDigest = (digest: string): string => parseOrThrow(digestSchema, digest, 'digest');
export const checkPersonId = (id: string): string => parseOrThrow(personIdSchema, id, 'person');
/** @throws RedriveError VALIDATION */
export const grantsText = (grants: readonly Grant[]): string =>
  JSON.stringify(parseOrThrow(storedGrantsSchema, grants, 'grants'));

/**
 * What lists, records and rows call a session or token. It is made from the digest of what the browser or program holds and cannot be
 * turned back; and it opens nothing, since a look compares the whole digest.
 */
export const idOf = (digest: string): string =>
  createHash('sha256').update(checkDigest(digest)).digest('hex').slice(0, 16);

/** Text from outside, such as a browser's name: one line, of bounded length. */
export const plain = (text: string, maxChars: number): string =>
  text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').slice(0, maxChars);

/** Rows are written by us, but a reader never trusts what it reads: what does not fit is as if it were not there. */
export function fromJson<T>(schema: { safeParse(value: unknown): { data?: T } }, json: string): T | null {
  try {
    return schema.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    return null;
  }
}
