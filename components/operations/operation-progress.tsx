'use client';
import { Duration } from '@/components/ui/duration';
import { Num, Rate } from '@/components/ui/number';
import { Progress } from '@/components/ui/progress';
import { useServerNow } from '@/lib/client/live';
import type { Operation } from '@/lib/contract/operations';
import { STATUS_TONE } from './operation-status';
import { elapsedMs, KIND_WORD, MOVED_WORD, progressWords, remainingMs, speedOf, wholeOf } from './words';

/** How far it is, how fast, and what it left alone. One line of numbers, so that nothing jumps as they grow. */
export function OperationProgress({ operation }: { operation: Operation }) {
  const now = useServerNow();
  const left = remainingMs(operation, now);
  return (
    <div className="min-w-0 space-y-1">
      <OperationBar operation={operation} />
      <p className="flex flex-wrap gap-x-3 text-muted text-xs">
        <span className="font-medium text-fg">{progressWords(operation)}</span>
        <span>
          <Num value={operation.moved} format="full" /> {MOVED_WORD[operation.kind]}
        </span>
        <span>
          <Num value={operation.skipped} format="full" /> skipped
        </span>
        <span>
          <Rate value={speedOf(operation, now)} />
        </span>
        <span>
          {operation.status === 'running' ? 'for ' : 'took '}
          <Duration ms={elapsedMs(operation, now)} />
        </span>
        {left !== null && (
          <span>
            about <Duration ms={left} /> left
          </span>
        )}
      </p>
    </div>
  );
}

export function OperationBar({ operation }: { operation: Operation }) {
  return (
    <Progress
      value={operation.moved + operation.skipped}
      total={operation.estimated && operation.status === 'running' ? null : wholeOf(operation)}
      label={`${KIND_WORD[operation.kind]} progress`}
      tone={STATUS_TONE(operation.status)}
      text={progressWords(operation)}
    />
  );
}
