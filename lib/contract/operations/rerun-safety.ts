/** Whether a job may run again, by its error class: one table for preview, operation and screen. */
import { type OperationKind, RERUNS } from './operation-kinds';

export const CLASS_SAFETY = {
  retryable: {
    safety: 'maybe',
    sentence: 'An outage: safe once the other side is well again. Start with a canary.',
    include: true,
  },
  'rate-limited': {
    safety: 'maybe',
    sentence: 'The other side asked to slow down: re-drive slowly.',
    include: true,
  },
  permanent: {
    safety: 'after-fix',
    sentence:
      'Safe to run again once the cause is fixed, in the handler or outside it; before that they die again.',
    include: true,
  },
  'unsupported-version': {
    safety: 'after-fix',
    sentence: 'Safe to run again once a worker that knows this type and version runs.',
    include: true,
  },
  malformed: {
    safety: 'not-safe',
    sentence: 'Bad input: the same payload fails again. Edit it, or leave it.',
    include: false,
  },
  deadline: {
    safety: 'not-useful',
    sentence: 'Its deadline has passed; running it now is of no use.',
    include: false,
  },
  crash: {
    safety: 'careful',
    sentence: 'It was in flight when its workers died and may kill them again: canary of one, few at a time.',
    include: true,
  },
  cancelled: { safety: 'maybe', sentence: 'A person cancelled it; see why before it runs.', include: true },
} as const satisfies Record<string, { safety: string; sentence: string; include: boolean }>;

export interface RerunRequest {
  readonly kind: OperationKind;
  readonly includeUnsafe: boolean;
}

/** Whether a re-drive of this error class does not help. */
export function isUnsafeToRerun({ kind, includeUnsafe }: RerunRequest, errorClass: string | null): boolean {
  if (includeUnsafe || !RERUNS.has(kind)) return false;
  // An edit is the remedy for bad input.
  if (errorClass === 'malformed' && kind === 'edit') return false;
  return errorClass !== null && errorClass in CLASS_SAFETY
    ? !CLASS_SAFETY[errorClass as keyof typeof CLASS_SAFETY].include
    : false;
}

/** A crashed job may have had its effect, and only an idempotency key prevents a second one. */
export const needsIdempotencyKey = (
  { kind, includeUnsafe }: RerunRequest,
  errorClass: string | null,
): boolean => !includeUnsafe && RERUNS.has(kind) && errorClass === 'crash';
