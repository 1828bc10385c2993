/** How a run ended. */
import type { Failure } from '@/lib/broker/application';

export type RunEnd =
  /** The result is in the job. */
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** Not run, or not to its end, through no fault of the job: the attempt is given back. `delayMs`: not to be claimed sooner. */
  | { readonly kind: 'release'; readonly delayMs?: number }
  /** The lease is gone: nothing may be reported. */
  | { readonly kind: 'lost' };
