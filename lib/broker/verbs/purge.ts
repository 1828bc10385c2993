import { deadVerb, MOVED_OR_NOT } from './triage';

/** Dead or suppressed jobs go to the trash, from where they can be restored until their grace ends. */
export const purge = deadVerb('purge', MOVED_OR_NOT);
