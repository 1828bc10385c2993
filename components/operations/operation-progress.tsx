'use client';
import { Duration } from '@/components/ui/duration';
import { Num, Rate } from '@/components/ui/number';
import { Progress } from '@/components/ui/progress';
import { useServerNow } from '@/lib/client/live';
import { KIND_WORDS } from '@/lib/contract/operation-words';
import type { Operation } from '@/lib/contract/operations';
import { STATUS_TONE } from './operation-status';
import { elapsedMs, phaseWords, progressWords, remainingMs, speedOf, wholeOf } from './words';

/** How far it is, how fast, and what it left alone. One line of numbers, so that nothing jumps as they grow. */
export function OperationProgress({ operation }: { operation: Operation }) {
  const now = useServerNow();
  const left = remainingMs(operation, now);
  const phase = phaseWords(operation);
  return (
    <div className="min-w-0 space-y-1">
      <OperationBar operation={operation} />
      <p className="flex flex-wrap gap-x-3 text-muted text-xs">
        <span className="font-medium text-fg">{progressWords(operation)}</span>
        <span>
          <Num value={operation.moved} format="full" /> {KIND_WORDS[operation.kind].done}
        </span>
        <span>
          <Num value={operation.skipped} format="full" /> skipped
        </span>
        {operation.startedAt !== null && (
          <>
            <span>
              <Rate value={speedOf(operation, now)} />
            </span>
            <span>
              {operation.endedAt === null ? 'for ' : 'took '}
              <Duration ms={elapsedMs(operation, now)} />
            </span>
          </>
        )}
        {phase && <span className="text-accent">{phase}</span>}
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
      label={`${KIND_WORDS[operation.kind].verb} progress`}
      tone={STATUS_TONE(operation.status)}
      text={progressWords(operation)}
    />
  );
}
