/** What a queue's record of changes says an operation was about: its kind and id, the jobs it was for, and its cut-off. Pure. */
import type { Operation, Scope } from '@/lib/contract/operations';
import type { Within } from '@/lib/contract/permissions';
import { parseQueryOrThrow, printQuery } from '@/lib/contract/query';
import { changeText } from '../audit/change-text';

type About = Pick<Operation, 'kind' | 'id' | 'scope' | 'cutoff' | 'target' | 'undoes'>;

/** `purge op-1: dead, code:X type:mail, up to 2026-03-01T10:00:00.000Z`. The first two words are always kind and id. */
export const aboutWords = (operation: About): string =>
  `${operation.kind} ${operation.id}${setWords(operation)}`;

/** What follows kind and id. */
export function setWords({ kind, scope, cutoff, target, undoes }: Omit<About, 'id'>): string {
  if (kind === 'delete-queue') return `: all of ${scope.queue}`;
  const parts = [
    `${scope.state}`,
    queryWords(scope),
    ...(scope.queue === undefined ? [] : [`only in ${scope.queue}`]),
    ...(scope.within === undefined ? [] : [withinWords(scope.within)]),
    ...(target === null ? [] : [`to ${target}`]),
    ...(undoes === null ? [] : [`undoing ${undoes}`]),
    `up to ${new Date(cutoff).toISOString()}`,
  ];
  return `: ${parts.join(', ')}`;
}

/** The rest of the record stands behind it, and must not be cut off by it. */
const QUERY_MAX_BYTES = 1_000;

function queryWords({ q, jobs }: Scope): string {
  if (jobs) return `${jobs.length} ticked ${jobs.length === 1 ? 'job' : 'jobs'}`;
  const query = printed(q ?? '');
  return query === '' ? 'all' : changeText(query, QUERY_MAX_BYTES);
}

/** Areas named; of more only how many there are. */
const AREAS_NAMED = 3;
function withinWords(within: Within): string {
  const named = within.slice(0, AREAS_NAMED).map(({ queue, tenants }) => {
    if (tenants === null) return queue;
    const [first = '', ...others] = tenants;
    return `${queue} of ${others.length === 0 ? first : `${tenants.length} tenants`}`;
  });
  const more = within.length - named.length;
  return `within ${[...named, ...(more > 0 ? [`${more} more`] : [])].join(' and ') || 'nothing'}`;
}

/** In one way only, however it was typed. */
function printed(q: string): string {
  try {
    return printQuery(parseQueryOrThrow(q));
  } catch {
    // It was read when the operation was confirmed; a later version may read it otherwise. Then as it was typed.
    return q.trim();
  }
}
