'use client';
import { Num } from '@/components/ui/number';
import { Panel } from '@/components/ui/panel';
import { SKIP_WORDS } from '@/lib/contract/operation-words';
import type { Operation, SkipReason } from '@/lib/contract/operations';

/** What it looked at and left alone, and why. */
export function SkipsPanel({ operation }: { operation: Operation }) {
  const rows = Object.entries(operation.skips)
    .filter(([, count]) => (count ?? 0) > 0)
    .sort(([, a], [, b]) => (b ?? 0) - (a ?? 0));
  return (
    <Panel
      title="Skipped"
      aside={
        <span>
          <Num value={operation.scanned} format="full" /> looked at
        </span>
      }
    >
      {rows.length === 0 ? (
        <p className="text-muted text-sm">
          {operation.startedAt === null
            ? 'Nothing has been looked at yet.'
            : 'None: it moved all that it came to.'}
        </p>
      ) : (
        <ul className="text-sm">
          {rows.map(([reason, count]) => (
            <li key={reason} className="flex gap-2">
              <span className="min-w-12 text-right font-medium">
                <Num value={count} format="full" />
              </span>
              <span className="text-muted">{SKIP_WORDS[reason as SkipReason]}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
