import { triageVerb } from './triage';

/** Dead or suppressed jobs go back to ready with a fresh attempt budget and a trace of who sent them. */
export const redrive = triageVerb('redrive', {
  1: 'ok',
  0: 'wrong-state',
  [-1]: 'not-found',
  [-2]: 'deadline-passed',
  [-3]: 'unreadable',
  [-4]: 'not-unique',
});
