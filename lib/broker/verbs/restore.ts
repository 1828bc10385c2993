import { MOVED_OR_NOT, triageVerb } from './triage';

/** Trashed or suppressed jobs are dead letters again, as of when they died. */
export const restore = triageVerb('restore', MOVED_OR_NOT);
