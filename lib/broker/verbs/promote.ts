import { MOVED_OR_NOT, triageVerb } from './triage';

/** Scheduled or retrying jobs become ready now, because a person said so. */
export const promote = triageVerb('promote', MOVED_OR_NOT);
