/** Change records without the names of queues that the reader must not see. Pure. */

import { type AccessScope, isFullScope, scopeReachesQueue } from '@/lib/contract/access/grant-scopes';
import type { AuditEventView } from '@/lib/contract/audit/audit-schemas';
import type { QueueChange } from '@/lib/contract/queues/queue-config';

/** An operation's text may name other queues: a reader with a limited scope gets its kind and id only. */
const ABOUT = /^(\S+(?: op-[0-9A-Zr]{20})?):.*$/s;
const CAME_FROM = /^jobs came from (\S+)/;
const ELSEWHERE = '(another queue)';

/** Of one queue's change record. */
export function visibleChange(change: QueueChange, within: AccessScope): QueueChange {
  const cut = cutOf(change.what, within);
  return cut ? { ...change, before: cut(change.before), after: cut(change.after) } : change;
}

/** Of the audit log. The hash is that of the whole event, so only a reader with full scope can check the chain. */
export function visibleEntry(entry: AuditEventView, within: AccessScope): AuditEventView {
  const cut = cutOf(entry.object?.kind ?? '', within) ?? cutOf(entry.action.replace(/^queue\./, ''), within);
  if (!cut) return entry;
  const { filter, before, after } = entry;
  return { ...entry, filter: filter?.replace(ABOUT, '$1') ?? null, before: cut(before), after: cut(after) };
}

type Cut = (text: string | null) => string | null;

function cutOf(what: string, within: AccessScope): Cut | null {
  if (isFullScope(within)) return null;
  if (what === 'operation')
    return (text) =>
      text
        ?.replace(ABOUT, '$1')
        .replace(CAME_FROM, (all, queue: string) =>
          scopeReachesQueue(within, queue) ? all : `jobs came from ${ELSEWHERE}`,
        ) ?? null;
  // A moved schedule names its old and its new queue.
  if (what === 'schedule') return (text) => (text === null ? null : withoutQueue(text, within));
  return null;
}

function withoutQueue(text: string, within: AccessScope): string | null {
  try {
    const note: unknown = JSON.parse(text);
    if (typeof note !== 'object' || note === null || !('queue' in note)) return text;
    const named = typeof note.queue === 'string' && scopeReachesQueue(within, note.queue);
    return named ? text : JSON.stringify({ ...note, queue: ELSEWHERE });
  } catch {
    return text === '' ? text : null;
  }
}
