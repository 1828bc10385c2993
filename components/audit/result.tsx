import { CircleCheck, OctagonX } from 'lucide-react';
import type { AuditEntry } from '@/lib/contract/audit';
import { visible } from '@/lib/format/text';

/** Whether it was done: an icon, a word, and for a refusal its code. */
export function Result({ entry: { result, code } }: { entry: Pick<AuditEntry, 'result' | 'code'> }) {
  if (result === 'done')
    return (
      <span className="inline-flex items-center gap-1 align-middle text-muted">
        <CircleCheck aria-hidden className="size-3.5 shrink-0 text-good" />
        done
      </span>
    );
  return (
    <span
      className="inline-flex max-w-full items-center gap-1 align-middle text-bad"
      title={code ?? undefined}
    >
      <OctagonX aria-hidden className="size-3.5 shrink-0" />
      refused
      {code && <span className="truncate font-mono text-xs">{visible(code)}</span>}
    </span>
  );
}
