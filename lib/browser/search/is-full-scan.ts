/** Whether a query can only be answered by reading payloads or messages; pure. */
import type { Filter } from '@/lib/contract/search/query';

/** Such a query is streamed or read once instead of refreshed every two seconds. */
export function isFullScan(filter: Filter): boolean {
  switch (filter.kind) {
    case 'text':
    case 'payload':
      return true;
    case 'not':
      return isFullScan(filter.of);
    case 'and':
    case 'or':
      return filter.of.some(isFullScan);
    default:
      return false;
  }
}
