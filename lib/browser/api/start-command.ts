/** What the wizard would start, as a `redrive` command for a runbook: each use makes another preview, and asks before it starts. */
import type { z } from 'zod';
import type { OperationRequest, previewRequestSchema } from '@/lib/contract/operations/operation-request';
import { durationText, rateText } from '@/lib/format/parse-units';
import { option, shellLine } from './redrive-text';

type PreviewBody = z.input<typeof previewRequestSchema>;
/** Not the preview that the wizard shows: its token works once. */
type Start = Pick<OperationRequest, 'reason' | 'rate' | 'canary' | 'stop'>;

/** Without an idempotency key: used again it starts another operation. */
export function startCommand(
  { kind, scope, target, patch, dueAt, format, maxRows, includeUnsafe }: PreviewBody,
  { reason, rate, canary, stop }: Start,
): string {
  return shellLine([
    ...['redrive', 'operations', 'start', kind],
    ...option('--state', scope.state),
    ...option('--queue', scope.queue),
    ...(scope.jobs ?? []).flatMap(({ queue, jobId }) => option('--job', `${queue}/${jobId}`)),
    ...option('--to', target),
    ...option('--patch', patch && JSON.stringify(patch)),
    ...option('--at', dueAt === undefined ? undefined : new Date(dueAt).toISOString()),
    ...option('--format', format),
    ...option('--max-rows', maxRows),
    ...(includeUnsafe ? ['--include-unsafe'] : []),
    ...option('--rate', mapped(rate?.perSecond, rateText)),
    ...option('--keep-ready-below', rate?.keepReadyBelow ?? undefined),
    ...option('--canary', canary?.jobs),
    ...option('--canary-stop-above', mapped(canary?.maxDiedAgain, percentText)),
    ...option('--canary-wait', mapped(canary?.waitMs, durationText)),
    ...option('--stop-above', mapped(stop?.maxDiedAgain, percentText)),
    ...option('--stop-window', mapped(stop?.windowMs, durationText)),
    ...option('--reason', reason),
    // After `--` a query that excludes (`-type:a`) is no option.
    ...(scope.q ? ['--', scope.q] : []),
  ]);
}

const mapped = <T>(value: T | null | undefined, text: (value: T) => string): string | undefined =>
  value === null || value === undefined ? undefined : text(value);

const percentText = (share: number): string => `${Number((share * 100).toPrecision(12))}%`;
