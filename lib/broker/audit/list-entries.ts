/** Looking things up in the audit log: newest first, a page at a time, each within a budget. */
import { setImmediate } from 'node:timers/promises';
import type { AuditEventView, AuditPage, AuditQuery } from '@/lib/contract/audit/audit-schemas';
import { RedriveError } from '@/lib/contract/redrive-error';
import type { BrokerContext } from '../redis/broker-context';
import { serverNow } from '../redis/server-info';
import { parseEntry, readEntry } from './hash-chain';
import { countEntries, readEntriesBackward, readEntriesForward } from './read-entries';

/** Looked at for one page at most. */
export const SCAN_MAX = 5_000;

const PAUSE_EVERY = 100;

/** An entry as a user may see it; null: not at all. Queries match that. */
export type EntryFilter = (entry: AuditEventView) => AuditEventView | null;
const anybody: EntryFilter = (entry) => entry;

/** `scanned` counts only entries that may be seen, so it does not tell how much others do. @throws RedriveError VALIDATION | BAD_CURSOR */
export async function listEntries(
  ctx: BrokerContext,
  { cursor, limit, ...filter }: AuditQuery,
  maySee: EntryFilter = anybody,
): Promise<Omit<AuditPage, 'pending'>> {
  const matches = matcher(filter);
  const entries: AuditEventView[] = [];
  let [looked, scanned] = [0, 0];
  let nextCursor: string | null = null;
  for await (const { n, text } of readEntriesBackward(ctx, placeOf(cursor))) {
    looked += 1;
    if (looked % PAUSE_EVERY === 0) await setImmediate();
    const whole = parseEntry(text);
    const entry = whole && maySee(whole);
    if (entry !== null) {
      scanned += 1;
      // One that was changed is shown nowhere as if it were true; the check names it.
      if (matches(entry) && readEntry(text) !== null) entries.push(entry);
    }
    if (entries.length < limit && looked < SCAN_MAX) continue;
    nextCursor = Number.isFinite(n) ? String(n) : null;
    break;
  }
  return {
    at: await serverNow(ctx),
    events: entries,
    nextCursor: nextCursor === '1' ? null : nextCursor,
    scanned,
    of: maySee === anybody ? await countEntries(ctx) : scanned,
  };
}

export async function* matchingEntries(
  ctx: BrokerContext,
  filter: Filter,
  maySee: EntryFilter = anybody,
): AsyncGenerator<AuditEventView, void> {
  const matches = matcher(filter);
  for await (const { text } of readEntriesForward(ctx, 1)) {
    const whole = readEntry(text);
    const entry = whole && maySee(whole);
    if (entry !== null && matches(entry)) yield entry;
  }
}

function placeOf(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  if (/^[1-9]\d{0,14}$/.test(cursor)) return Number(cursor);
  throw new RedriveError(
    'BAD_CURSOR',
    'The cursor is none of the audit log. Leave it out to begin with the newest.',
    {
      fields: [{ field: 'cursor', message: 'is no number of an entry' }],
    },
  );
}

type Filter = Omit<AuditQuery, 'cursor' | 'limit'>;

const equals = <T>(wanted: T | undefined, value: T | undefined): boolean =>
  wanted === undefined || value === wanted;

function matcher(filter: Filter): (entry: AuditEventView) => boolean {
  const { action, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = filter;
  const wanted = filter.text?.toLowerCase();
  const who = filter.actor?.toLowerCase();
  return (entry) =>
    equals(filter.result, entry.result) &&
    equals<string | null>(filter.queue, entry.queue) &&
    equals(filter.kind, entry.object?.kind) &&
    equals(filter.id, entry.object?.id) &&
    entry.at >= from &&
    entry.at <= to &&
    (action === undefined || entry.action === action || entry.action.startsWith(`${action}.`)) &&
    (who === undefined || entry.actor.toLowerCase() === who || entry.actorId?.toLowerCase() === who) &&
    (wanted === undefined || textsOf(entry).some((one) => one?.toLowerCase().includes(wanted)));
}

const textsOf = (entry: AuditEventView): (string | null | undefined)[] => [
  entry.actor,
  entry.actorId,
  entry.action,
  entry.object?.id,
  entry.queue,
  entry.filter,
  entry.reason,
  entry.before,
  entry.after,
];
