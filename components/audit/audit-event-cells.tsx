import Link from 'next/link';
import { cn } from '@/components/ui/cn';
import { CircleCheck, OctagonX } from '@/components/ui/icons';
import type { AuditEventView } from '@/lib/contract/audit/audit-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { changeText } from './event-change-text';
import { jobCountLabel, objectLabel, queueHref } from './labels';
import { type AuditRow, endLabel, STARTS } from './operation-rows';

const LINK = 'rounded-xs underline decoration-line-strong underline-offset-2 hover:decoration-current';
const CHIP =
  'inline-block max-w-full truncate rounded-sm border border-line-strong px-1.5 align-middle text-xs leading-4.5';

/** The object of the event, linked to its page if it has one. Queues are chips. */
export function ObjectCell({ entry }: { entry: AuditEventView }) {
  const object = objectLabel(entry);
  if (object === null) return <span className="text-faint">–</span>;
  const isQueue = entry.object === null || entry.object.kind === 'queue';
  return (
    <>
      {!isQueue && <span className="text-faint">{object.kind} </span>}
      {object.id !== null && (
        <Named
          name={object.id}
          href={object.href}
          className={isQueue ? cn(CHIP, 'hover:bg-hover') : LINK}
          plain={isQueue ? CHIP : undefined}
        />
      )}
      {!isQueue && entry.queue !== null && (
        <>
          {' '}
          <Named
            name={entry.queue}
            href={queueHref(entry.queue)}
            className={cn(CHIP, 'hover:bg-hover')}
            plain={CHIP}
          />
        </>
      )}
    </>
  );
}

function Named({
  name,
  href,
  className,
  plain,
}: {
  name: string;
  href: string | null;
  className: string;
  /** Without a page. */
  plain: string | undefined;
}) {
  const shown = revealHidden(name);
  if (href === null) return <span className={plain}>{shown}</span>;
  return (
    <Link href={href} prefetch={false} className={className}>
      {shown}
    </Link>
  );
}

/** Outcome, count, reason and filter. */
export function DetailCell({ row }: { row: AuditRow }) {
  const { reason, filter } = row.entry;
  const many = countLabel(row);
  const change = changeText(row.entry);
  if (reason === null && filter === null && many === null && change === null)
    return <span className="text-faint">–</span>;
  return (
    <span className="text-muted">
      {many && <span className="text-fg">{many} </span>}
      {change !== null && <span className="text-fg">{revealHidden(change)} </span>}
      {reason !== null && <span>“{revealHidden(reason)}” </span>}
      {filter !== null && (
        <span translate="no" className="font-mono text-xs">
          {revealHidden(filter)}
        </span>
      )}
    </span>
  );
}

/** How the operation ended; else how many jobs, unless the action says so. */
function countLabel(row: AuditRow): string | null {
  const end = endLabel(row);
  if (end !== null) return `${revealHidden(end)}.`;
  const isCounted = row.entry.action.startsWith('operation.') && row.entry.result === 'done';
  return isCounted ? null : jobCountLabel(row.entry);
}

export const detailTitle = (row: AuditRow): string | undefined =>
  [endLabel(row), changeText(row.entry), row.entry.reason, row.entry.filter]
    .filter((text) => text !== null)
    .map((text) => revealHidden(text))
    .join('\n') || undefined;

/** Done, or refused with its code. An operation has only started until the log has its end. */
export function AuditResult({
  entry: { action, result, code },
  ends,
}: {
  entry: Pick<AuditEventView, 'action' | 'result' | 'code'>;
  ends: AuditRow['ends'];
}) {
  if (result === 'done' && STARTS.has(action) && ends.length === 0)
    return <span className="text-muted">started</span>;
  if (ends.length > 0) return <span className="text-muted">ended</span>;
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
      {code && (
        <span translate="no" className="truncate font-mono text-xs">
          {revealHidden(code)}
        </span>
      )}
    </span>
  );
}
