/** Sign-ins and re-authentications of one user within an hour. A user without changes left may still sign in and read. */
import { RedriveError } from '@/lib/contract/redrive-error';
import { HOUR_MS } from '@/lib/contract/time-units';
import { getBroker } from '../console-broker';
import { readEnv } from '../environment';

export const SIGN_INS_AN_HOUR = 600;

/** A limit of one user within an hour, multiplied by REDRIVE_RATE_FACTOR if that is above 1. */
export const hourlyLimit = (anHour: number): { limit: number; windowMs: number } => ({
  limit: Math.round(anHour * Math.max(1, readEnv(process.env).REDRIVE_RATE_FACTOR)),
  windowMs: HOUR_MS,
});

/** @throws RedriveError RATE_LIMITED | REDIS_UNAVAILABLE | UNKNOWN_OUTCOME */
export async function takeSignInQuota(userId: string): Promise<void> {
  const hourly = hourlyLimit(SIGN_INS_AN_HOUR);
  const { allowed, retryAfterMs } = await getBroker().access.attempts.take(
    { kind: 'user', key: `sign-ins ${userId}` },
    hourly,
  );
  if (allowed) return;
  throw new RedriveError(
    'RATE_LIMITED',
    `You have signed in ${hourly.limit} times within an hour, the limit of one user. ${retryText(retryAfterMs)}; programs should use API tokens, which need no sign-in.`,
    { retryAfterMs },
  );
}

export function retryText(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  return `Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}`;
}
