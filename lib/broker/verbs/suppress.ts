import { MOVED_OR_NOT, triageVerb } from './triage';

/** Dead jobs are set aside as knowingly ignored. */
export const suppress = triageVerb('suppress', MOVED_OR_NOT);
