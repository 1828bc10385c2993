/** Values that can be: what no name or reference can look like, no job has. */
import { NAME_PATTERN } from '@/lib/contract/names';
import type { Filter } from '@/lib/contract/query';

const PREFIX_OF_NAME = /^(?:[A-Za-z0-9][A-Za-z0-9_.-]{0,99})?$/;
export const REFERENCE_FIELDS: ReadonlySet<string> = new Set(['key', 'correlation', 'trace']);
/** As referenceSchema has it. */
export const REFERENCE = /^[\x21-\x7e]{1,200}$/;

export const canBeName = (value: string, prefix: boolean): boolean =>
  (prefix ? PREFIX_OF_NAME : NAME_PATTERN).test(value);

const LIST_FIELDS = ['type', 'tenant', 'code', 'class', 'id'] as const;
export interface NameList {
  readonly field: (typeof LIST_FIELDS)[number];
  readonly values: readonly string[];
}
/** Fewer are quicker one by one. */
const LIST_LEAST = 4;

/** Of an OR: fields compared with many whole names, each as one list. Where somebody may look can name a thousand tenants. */
export function listsIn(parts: readonly Filter[]): { lists: NameList[]; others: Filter[] } {
  const lists = LIST_FIELDS.flatMap((field): NameList[] => {
    const values = parts.flatMap((part) => (isWhole(part, field) ? [part.value] : []));
    return values.length < LIST_LEAST ? [] : [{ field, values }];
  });
  return {
    lists,
    others: parts.filter((part) => !lists.some(({ field }) => isWhole(part, field))),
  };
}

const isWhole = (part: Filter, field: NameList['field']): part is Extract<Filter, { kind: 'name' }> =>
  part.kind === 'name' && part.field === field && !part.prefix;
