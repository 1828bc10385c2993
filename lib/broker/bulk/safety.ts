/**
 * Whether a job may run again as far as its class says: from CLASS_SAFETY, for the preview and the operation alike. Editing is what
 * bad input is for, so that class stops no edit.
 */
import { CLASS_SAFETY, type OperationKind, RERUNS } from '@/lib/contract/operations';

export interface Safety {
  readonly kind: OperationKind;
  readonly includeUnsafe: boolean;
}

/** Its class says that a re-drive does not help. */
export function isUnsafe({ kind, includeUnsafe }: Safety, errorClass: string | null): boolean {
  if (includeUnsafe || !RERUNS.has(kind)) return false;
  if (errorClass === 'malformed' && kind === 'edit') return false;
  return errorClass !== null && errorClass in CLASS_SAFETY
    ? !CLASS_SAFETY[errorClass as keyof typeof CLASS_SAFETY].include
    : false;
}

/** It was running when it was lost, so it may have had its effect: only its idempotency key keeps another run from having it again. */
export const needsIdempotencyKey = ({ kind, includeUnsafe }: Safety, errorClass: string | null): boolean =>
  !includeUnsafe && RERUNS.has(kind) && errorClass === 'crash';
