/** Questions that the user of a connection may not be allowed to ask. */
import type { Redis } from 'ioredis';
import { withDeadline } from '../call-deadline';

export const QUESTION_MS = 2_000;
/** Redis counts and logs each refusal, so a refused question is asked again only after this. */
export const ASK_AGAIN_MS = 3_600_000;
/** What a user without the right, a managed Redis that renamed the command, or an older version answers. */
const REFUSED = /^-?(?:NOPERM|ERR)\b/;

/** Connection → question → when it was refused. */
const refusals = new WeakMap<Redis, Map<string, number>>();

/** @returns null when Redis refuses the question, or refused it on this connection within the last hour */
export async function askServer(
  redis: Redis,
  nowMs: number,
  command: string,
  ...args: string[]
): Promise<unknown> {
  // Rights are for a subcommand: what CONFIG GET is asked for does not matter.
  const question = `${command} ${args[0] ?? ''}`;
  const refusedMs = refusals.get(redis)?.get(question);
  if (refusedMs !== undefined && nowMs - refusedMs < ASK_AGAIN_MS) return null;
  try {
    return await withDeadline(redis.call(command, ...args), QUESTION_MS);
  } catch (error) {
    if (!(error instanceof Error && REFUSED.test(error.message))) throw error;
    const ofConnection = refusals.get(redis) ?? new Map<string, number>();
    refusals.set(redis, ofConnection.set(question, nowMs));
    return null;
  }
}
