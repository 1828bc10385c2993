/** What the finder did so far, in one sentence; pure. */
import type { JobLookup, ReferenceSearch } from '@/lib/browser/search/use-find-jobs';
import { QUEUE_CONFIG_DEFAULT } from '@/lib/contract/queues/queue-config-default';
import { fullNumber } from '@/lib/format/number';
import { count } from '@/lib/format/plural';

const KEPT = `A queue keeps its newest ${fullNumber(QUEUE_CONFIG_DEFAULT.completedKeep)} completed jobs, unless its settings say otherwise.`;

export function searchStatus({ jobs, progress, end, error }: ReferenceSearch): string {
  const found = count(jobs.length, 'job');
  if (error !== null) return `${found} found, then the search failed: ${error}`;
  if (!end) {
    const part = progress ? ` ${fullNumber(progress.scanned)} of ${fullNumber(progress.of)} looked at.` : '';
    return `Searching all states: ${found} found.${part}`;
  }
  const missing = end.unavailable || end.unasked ? ' Some shards could not be searched.' : '';
  if (end.stopped === 'limit') return `The first ${found}. There may be more.${missing}`;
  if (end.stopped === 'budget')
    return `${found} found. Stopped at its budget: ${fullNumber(end.scanned)} of ${fullNumber(end.of)} jobs looked at.${missing}`;
  // Payloads hold values that look like keys.
  const isEmpty = jobs.length === 0;
  return `${found} found by id, key, correlation id or trace id${isEmpty ? `; payloads were not searched. ${KEPT}` : '.'}${missing}`;
}

/** @param results null: nothing is typed @param offersSearch jobs were looked for by id only, and a search is on offer */
export function lookupStatus(
  { reply, error, isWaiting }: JobLookup,
  results: number | null,
  offersSearch: boolean,
): string {
  if (results === null) return '';
  if (isWaiting) return 'Looking for a job …';
  if (error) return error.detail;
  if (reply?.more) return `The first ${count(reply.jobs.length, 'job')} with this id. There are more.`;
  const missing =
    reply?.unavailable || reply?.unasked ? ' Not every shard was searched: jobs may be missing.' : '';
  if (results === 0 && offersSearch)
    return `No job found by this id or key. ${KEPT} Press Enter to search by correlation and trace id.${missing}`;
  return `${count(results, 'result')}.${missing}`;
}
