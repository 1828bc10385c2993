import { CircleCheck, OctagonX } from 'lucide-react';
import Link from 'next/link';
import type { AuditEventView } from '@/lib/contract/audit/audit-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { jobCountLabel, objectLabel } from './labels';

/** The object of the event, linked to its page if it has one. */
export function ObjectCell({ entry }: { entry: AuditEventView }) {
  const object = objectLabel(entry);
  if (object === null) return <span className="text-faint">–</span>;
  const { kind, id, href } = object;
  const ofQueue = entry.object?.kind !== 'queue' && entry.object !== null ? entry.queue : null;
  const name = revealHidden(id);
  return (
    <>
      <span className="text-faint">{kind} </span>
      {href === null ? (
        <span>{name}</span>
      ) : (
        <Link
          href={href}
          prefetch={false}
          className="rounded-xs underline decoration-line-strong underline-offset-2 hover:decoration-current"
        >
          {name}
        </Link>
      )}
      {ofQueue !== null && <span className="text-faint"> in {revealHidden(ofQueue)}</span>}
    </>
  );
}

/** Count, reason and filter. */
export function DetailCell({ entry }: { entry: AuditEventView }) {
  const { reason, filter } = entry;
  const many = jobCountLabel(entry);
  if (reason === null && filter === null && many === null) return <span className="text-faint">–</span>;
  return (
    <span className="text-muted">
      {many && <span className="text-fg">{many} </span>}
      {reason !== null && <span>“{revealHidden(reason)}” </span>}
      {filter !== null && <span className="font-mono text-xs">{revealHidden(filter)}</span>}
    </span>
  );
}

export const detailTitle = ({ reason, filter }: AuditEventView): string | undefined =>
  [reason, filter]
    .filter((text) => text !== null)
    .map((text) => revealHidden(text))
    .join('\n') || undefined;

/** Done, or refused with its code. */
export function AuditResult({ entry: { result, code } }: { entry: Pick<AuditEventView, 'result' | 'code'> }) {
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
      {code && <span className="truncate font-mono text-xs">{revealHidden(code)}</span>}
    </span>
  );
}
