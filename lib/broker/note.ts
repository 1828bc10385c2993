/** The small JSON note that goes into a job's history: what was said about an event, and by whom. */
import { ERROR_MESSAGE_MAX_CHARS, ERROR_STACK_MAX_CHARS } from '@/lib/contract/failures';

/** Who makes a change, and why. */
export interface Actor {
  actor: string;
  reason?: string;
  /** Ties the change to a request, operation or audit entry. */
  requestId?: string;
}

export const SYSTEM: Actor = { actor: 'system' };

export const actorNote = (by: Actor): string =>
  JSON.stringify({
    actor: by.actor.slice(0, 100),
    reason: by.reason?.slice(0, 300),
    requestId: by.requestId?.slice(0, 100),
  });

/** Cut to size here, so that no error text can bloat Redis. */
export const errorNote = (message: string, stack: string | undefined): string =>
  JSON.stringify({
    message: message.slice(0, ERROR_MESSAGE_MAX_CHARS),
    stack: stack?.slice(0, ERROR_STACK_MAX_CHARS),
  });
