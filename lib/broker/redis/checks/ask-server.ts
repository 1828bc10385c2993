/** Questions that the user of a connection may not be allowed to ask. */
import type { Redis } from 'ioredis';
import { withDeadline } from '../call-deadline';

export const QUESTION_MS = 2_000;
/** Redis counts and logs each refusal, so a refused question is asked again only after this. */
export const ASK_AGAIN_MS = 3_600_000;
/** What a user without the right, a managed Redis that renamed the command, or an older version answers. */
const REFUSED = /^-?(?:NOPERM|ERR)\b/;

/** Of these Redis counts the refusal as one by its ACL; an unknown or renamed command is no such refusal. */
const DENIED = /^-?NOPERM\b/;

interface Refusal {
  readonly atMs: number;
  readonly isDenied: boolean;
}

/** Connection → question → its refusal. */
const refusals = new WeakMap<Redis, Map<string, Refusal>>();

/** Whether the ACL of Redis refused a question of this connection, and counted it. */
export const wasDenied = (redis: Redis): boolean =>
  [...(refusals.get(redis)?.values() ?? [])].some(({ isDenied }) => isDenied);

/** @returns null when Redis refuses the question, or refused it on this connection within the last hour */
export async function askServer(
  redis: Redis,
  nowMs: number,
  command: string,
  ...args: string[]
): Promise<unknown> {
  // Rights are for a subcommand: what CONFIG GET is asked for does not matter.
  const question = `${command} ${args[0] ?? ''}`;
  const refusal = refusals.get(redis)?.get(question);
  if (refusal !== undefined && nowMs - refusal.atMs < ASK_AGAIN_MS) return null;
  try {
    return await withDeadline(redis.call(command, ...args), QUESTION_MS);
  } catch (error) {
    if (!(error instanceof Error && REFUSED.test(error.message))) throw error;
    const ofConnection = refusals.get(redis) ?? new Map<string, Refusal>();
    const isDenied = DENIED.test(error.message);
    refusals.set(redis, ofConnection.set(question, { atMs: nowMs, isDenied }));
    return null;
  }
}
