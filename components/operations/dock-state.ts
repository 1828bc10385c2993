/** Which operations the cards that follow across pages show, and which were put away; pure. */
import { isOpen, type Operation } from '@/lib/contract/operations';

export const CARDS_MAX = 3;
/** How long one that ended keeps its card, unless it is put away. */
export const ENDED_SHOWN_MS = 60_000;

/** Open ones, what needs a person first; then those that ended lately, seen while the page was open. */
export function cardsOf(
  operations: readonly Operation[],
  { dismissed, since, now }: { dismissed: ReadonlySet<string>; since: number; now: number },
): { shown: Operation[]; more: number } {
  const all = operations
    .filter(({ id, status, endedAt }) => {
      if (dismissed.has(id)) return false;
      if (isOpen(status)) return true;
      return endedAt !== null && endedAt >= since && now - endedAt < ENDED_SHOWN_MS;
    })
    .sort((a, b) => urgency(a) - urgency(b) || b.createdAt - a.createdAt);
  return { shown: all.slice(0, CARDS_MAX), more: Math.max(0, all.length - CARDS_MAX) };
}

const ORDER: readonly Operation['status'][] = ['paused', 'awaiting-approval', 'failed', 'running'];
function urgency({ status }: Operation): number {
  const place = ORDER.indexOf(status);
  return place < 0 ? ORDER.length : place;
}
