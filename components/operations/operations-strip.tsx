'use client';
import { X } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { IconButton } from '@/components/ui/icon-button';
import { useServerClock } from '@/lib/client/live';
import { useLiveOperations } from '@/lib/client/use-operations';
import type { Operation } from '@/lib/contract/operations';
import { CancelButton } from './cancel-button';
import { OperationProgress } from './operation-progress';
import { KindWord, operationLink, StatusBadge } from './operation-status';
import { selectionWords } from './words';

const SHOWN = 3;

/** Operations that run, or ended while this page was open, until they are put away. */
export function OperationsStrip() {
  const clock = useServerClock();
  const [since] = useState(clock);
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const shown = useLiveOperations().filter(
    ({ id, endedAt }) => !dismissed.has(id) && (endedAt === null || endedAt >= since),
  );
  if (shown.length === 0) return null;
  return (
    <section aria-label="Operations under way" className="space-y-1.5">
      {shown.slice(0, SHOWN).map((operation) => (
        <Card
          key={operation.id}
          operation={operation}
          onDismiss={() => setDismissed((before) => new Set(before).add(operation.id))}
        />
      ))}
      {shown.length > SHOWN && (
        <p className="px-1 text-faint text-xs">and {shown.length - SHOWN} more on the operations page</p>
      )}
    </section>
  );
}

function Card({ operation, onDismiss }: { operation: Operation; onDismiss: () => void }) {
  return (
    <article className="flex flex-wrap items-start gap-x-4 gap-y-1.5 rounded-md border border-line-strong bg-panel px-3 py-2">
      <div className="flex min-w-0 flex-1 basis-64 flex-wrap items-center gap-x-2.5 gap-y-1">
        <Link href={operationLink(operation.id)} className="rounded-xs hover:underline">
          <KindWord kind={operation.kind} />
        </Link>
        <StatusBadge status={operation.status} />
        <p
          className="w-full truncate text-muted text-xs"
          title={`${selectionWords(operation)}: ${operation.reason}`}
        >
          {selectionWords(operation)} · “{operation.reason}”
        </p>
      </div>
      <div className="min-w-0 flex-[2] basis-80 self-center">
        <OperationProgress operation={operation} />
      </div>
      <div className="flex w-24 justify-end">
        <CancelButton operation={operation} />
        {operation.status !== 'running' && (
          <IconButton label="Put away" size="sm" onClick={onDismiss}>
            <X aria-hidden />
          </IconButton>
        )}
      </div>
    </article>
  );
}
