import type { Filter } from '@/lib/contract/query';

/** Whether anything is judged by payloads: then what is hidden in them must be known. */
export function looksInside(filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of.some(looksInside);
    case 'not':
      return looksInside(filter.of);
    default:
      return filter.kind === 'payload' || filter.kind === 'text';
  }
}
