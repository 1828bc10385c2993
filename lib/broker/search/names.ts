/** Values that can be: what no name or reference can look like, no job has. */
import { NAME_PATTERN } from '@/lib/contract/names';

const PREFIX_OF_NAME = /^(?:[A-Za-z0-9][A-Za-z0-9_.-]{0,99})?$/;
export const REFERENCE_FIELDS: ReadonlySet<string> = new Set(['key', 'correlation', 'trace']);
/** As referenceSchema has it. */
export const REFERENCE = /^[\x21-\x7e]{1,200}$/;

export const canBeName = (value: string, prefix: boolean): boolean =>
  (prefix ? PREFIX_OF_NAME : NAME_PATTERN).test(value);
