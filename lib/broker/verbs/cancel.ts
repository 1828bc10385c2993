import { triageVerb } from './triage';

/** Jobs that have not ended are stopped: dead, class `cancelled`. A running one loses its claim, so its worker aborts it. */
export const cancel = triageVerb('cancel', { 1: 'ok', 0: 'wrong-state', [-1]: 'not-found' });
