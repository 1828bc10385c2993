import type { Route } from 'next';
import Link from 'next/link';
import { cn } from '@/components/ui/cn';
import type { AuditEntry } from '@/lib/contract/audit';
import { visible } from '@/lib/format/text';
import { countWords, objectWords } from './words';

/** What it was done to, as a link to its page where it has one. */
export function ObjectCell({ entry }: { entry: AuditEntry }) {
  const object = objectWords(entry);
  if (object === null) return <span className="text-faint">–</span>;
  const { kind, id, href } = object;
  const ofQueue = entry.object?.kind !== 'queue' && entry.object !== null ? entry.queue : null;
  const name = visible(id);
  return (
    <>
      <span className="text-faint">{kind} </span>
      {href === null ? (
        <span>{name}</span>
      ) : (
        <Link
          href={href as Route}
          prefetch={false}
          className="rounded-xs underline decoration-line-strong underline-offset-2 hover:decoration-current"
        >
          {name}
        </Link>
      )}
      {ofQueue !== null && <span className="text-faint"> in {visible(ofQueue)}</span>}
    </>
  );
}

/** Why, with which filter, and how many. */
export function WhatCell({ entry, className }: { entry: AuditEntry; className?: string }) {
  const { reason, filter } = entry;
  const many = countWords(entry);
  if (reason === null && filter === null && many === null) return <span className="text-faint">–</span>;
  return (
    <span className={cn('text-muted', className)}>
      {many && <span className="text-fg">{many} </span>}
      {reason !== null && <span>“{visible(reason)}” </span>}
      {filter !== null && <span className="font-mono text-xs">{visible(filter)}</span>}
    </span>
  );
}

export const whatTitle = ({ reason, filter }: AuditEntry): string | undefined =>
  [reason, filter]
    .filter((text) => text !== null)
    .map((text) => visible(text))
    .join('\n') || undefined;
