/** An Idempotency-Key stands for one request: sent with another body, it must not answer with the result of the first. */
import { RedriveError } from './redrive-error';

/** @param thing what the first request made, as a noun */
export const reusedKey = (thing: string): RedriveError =>
  new RedriveError(
    'ID_CONFLICT',
    `That Idempotency-Key was used for another ${thing}, or that ${thing} was changed since. Use a new Idempotency-Key for each request.`,
    { fields: [{ field: 'Idempotency-Key', message: `belongs to another ${thing}` }] },
  );

export const isTakenId = (error: unknown): boolean =>
  error instanceof RedriveError && error.code === 'ID_CONFLICT';
