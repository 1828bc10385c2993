/** Records of changes, without what they say of queues that the reader does not see. Pure. */
import type { AuditEntry } from '@/lib/contract/audit';
import type { Change } from '@/lib/contract/config';
import { isEverywhere, reachesQueue, type Within } from '@/lib/contract/permissions';

/** What an operation was about may name other queues: whoever does not see everything is told its kind and id. */
const ABOUT = /^(\S+(?: op-[0-9A-Zr]{20})?):.*$/s;
const CAME_FROM = /^jobs came from (\S+)/;
const ELSEWHERE = '(another queue)';

/** One of a queue's own record. */
export function visibleChange(change: Change, within: Within): Change {
  const cut = cutOf(change.what, within);
  return cut ? { ...change, before: cut(change.before), after: cut(change.after) } : change;
}

/** One of the audit log. Its hash is that of the whole of it: only who sees all can check the chain. */
export function visibleEntry(entry: AuditEntry, within: Within): AuditEntry {
  const cut = cutOf(entry.object?.kind ?? '', within) ?? cutOf(entry.action.replace(/^queue\./, ''), within);
  if (!cut) return entry;
  const { filter, before, after } = entry;
  return { ...entry, filter: filter?.replace(ABOUT, '$1') ?? null, before: cut(before), after: cut(after) };
}

type Cut = (text: string | null) => string | null;

function cutOf(what: string, within: Within): Cut | null {
  if (isEverywhere(within)) return null;
  if (what === 'operation')
    return (text) =>
      text
        ?.replace(ABOUT, '$1')
        .replace(CAME_FROM, (all, queue: string) =>
          reachesQueue(within, queue) ? all : `jobs came from ${ELSEWHERE}`,
        ) ?? null;
  // A schedule that was moved names where it came from, and where it went.
  if (what === 'schedule') return (text) => (text === null ? null : withoutQueue(text, within));
  return null;
}

function withoutQueue(text: string, within: Within): string | null {
  try {
    const note: unknown = JSON.parse(text);
    if (typeof note !== 'object' || note === null || !('queue' in note)) return text;
    const named = typeof note.queue === 'string' && reachesQueue(within, note.queue);
    return named ? text : JSON.stringify({ ...note, queue: ELSEWHERE });
  } catch {
    return text === '' ? text : null;
  }
}
