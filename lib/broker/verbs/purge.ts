import { MOVED_OR_NOT, triageVerb } from './triage';

/** Dead or suppressed jobs go to the trash, from where they can be restored until their grace ends. */
export const purge = triageVerb('purge', MOVED_OR_NOT);
