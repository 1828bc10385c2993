/** What rows of sessions and tokens are called, and what may stand in them. */
import { createHash } from 'node:crypto';
import { digestSchema, storedGrantsSchema, userIdSchema } from '@/lib/contract/access/access-records';
import type { Grant } from '@/lib/contract/access/grant-scopes';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';

export const checkDigest = (digest: string): string => parseOrThrow(digestSchema, digest, 'digest');
export const checkUserId = (id: string): string => parseOrThrow(userIdSchema, id, 'person');
/** @throws RedriveError VALIDATION */
export const grantsJson = (grants: readonly Grant[]): string =>
  JSON.stringify(parseOrThrow(storedGrantsSchema, grants, 'grants'));

/** How lists and records name a session or token: a digest of its digest, which opens nothing. */
export const accessIdOf = (digest: string): string =>
  createHash('sha256').update(checkDigest(digest)).digest('hex').slice(0, 16);

/** Text from outside, such as a browser's name: one line, of bounded length. */
export const oneLine = (text: string, maxChars: number): string =>
  text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').slice(0, maxChars);
