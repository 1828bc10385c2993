import { deadVerb, MOVED_OR_NOT } from './triage';

/** Dead jobs are set aside as knowingly ignored. */
export const suppress = deadVerb('suppress', MOVED_OR_NOT);
