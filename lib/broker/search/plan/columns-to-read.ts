/** The columns a query must read of jobs in a state. Letters as in lua/search/facts.lua. */
import type { JobState } from '@/lib/contract/jobs/job-states';

/** Of their jobs the row in `deaths` tells almost everything. */
const DEATH_STATES: ReadonlySet<JobState> = new Set(['dead', 'suppressed', 'trashed']);

export const isDeathState = (state: JobState): boolean => DEATH_STATES.has(state);

export function columnsToRead(state: JobState, fields: ReadonlySet<string>): string {
  const letters = new Set<string>();
  for (const field of fields) for (const letter of lettersOf(state, field)) letters.add(letter);
  return [...letters].sort().join('');
}

function lettersOf(state: JobState, field: string): string {
  if (field === 'row') return 'r';
  if (isDeathState(state)) return field === 'text' ? 'h' : field === 'entered' ? '' : 'k';
  switch (field) {
    case 'text':
    case 'class':
    case 'code':
      return state === 'completed' ? '' : 'h';
    case 'group':
      return state === 'completed' ? '' : 'hrg';
    case 'attempts':
      return state === 'in-flight' ? 'c' : state === 'completed' ? 'o' : 'a';
    case 'operation':
      return 'd';
    case 'entered':
      return ENTERED[state] ?? '';
    default:
      return 'r';
  }
}

/** What tells when a job entered its state, where its score does not. */
const ENTERED: Partial<Record<JobState, string>> = {
  ready: 'w',
  'in-flight': 'c',
  retry: 'h',
  scheduled: 'r',
  held: 'r',
};
