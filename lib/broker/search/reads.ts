/** Which columns must be read to judge a job of each state. Letters as in lua/include/search-facts.lua. */
import type { JobState } from '@/lib/contract/states';

/** Of these `deaths` tells almost everything. */
export const DEATHS: ReadonlySet<JobState> = new Set(['dead', 'suppressed', 'trashed']);

export function readsOf(state: JobState, fields: ReadonlySet<string>): string {
  const letters = new Set<string>();
  for (const field of fields) for (const letter of lettersOf(state, field)) letters.add(letter);
  return [...letters].sort().join('');
}

function lettersOf(state: JobState, field: string): string {
  if (field === 'row') return 'r';
  if (DEATHS.has(state)) return field === 'text' ? 'h' : field === 'entered' ? '' : 'k';
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

/** How it is known when a job got into its state, where its score does not say so. */
const ENTERED: Partial<Record<JobState, string>> = {
  ready: 'w',
  'in-flight': 'c',
  retry: 'h',
  scheduled: 'r',
  held: 'r',
};
