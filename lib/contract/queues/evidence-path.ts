/** The page of the console that shows what a finding says, for messages that leave the console. */
import type { Evidence } from './queue-schemas';

export function evidencePath(evidence: Evidence | null): string {
  if (evidence === null) return '/';
  switch (evidence.page) {
    case 'queue':
      return `/queues/${encodeURIComponent(evidence.queue)}${evidence.state === undefined ? '' : `?state=${evidence.state}`}`;
    case 'dead':
      return evidence.q === '' ? '/dead' : `/dead?${new URLSearchParams({ q: evidence.q })}`;
    case 'operation':
      return `/operations/${encodeURIComponent(evidence.operation)}`;
    case 'queues':
      return evidence.sort === 'trouble' ? '/#queues' : `/?sort=${evidence.sort}#queues`;
    default:
      return `/${evidence.page}`;
  }
}
