/** Whether payloads or messages have to be read to answer a query; pure. */
import type { Filter } from '@/lib/contract/query';

/** If so, it is streamed or read once, and not again every two seconds. */
export function needsRows(filter: Filter): boolean {
  switch (filter.kind) {
    case 'text':
    case 'payload':
      return true;
    case 'not':
      return needsRows(filter.of);
    case 'and':
    case 'or':
      return filter.of.some(needsRows);
    default:
      return false;
  }
}
