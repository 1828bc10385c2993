/** Looking for jobs by their ids. */
import type { Filter } from '@/lib/contract/query';

/** Ids one source may name; see sources.ts. */
export const IDS_AT_ONCE = 60;

export const idsFilter = (ids: readonly string[]): Filter => ({
  kind: 'or',
  of: ids.map((value) => ({ kind: 'name', field: 'id', value, prefix: false })),
});
