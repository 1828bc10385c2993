/** Looking things up in the audit log: newest first, a page at a time, each within a budget. */
import { setImmediate } from 'node:timers/promises';
import { type AuditEntry, type AuditPage, type AuditQuery, auditQuerySchema } from '@/lib/contract/audit';
import { parseOrThrow, RedriveError } from '@/lib/contract/errors';
import type { BrokerContext } from '../context';
import { serverNow } from '../now';
import { parseEntry, readEntry } from './chain';
import { countEntries, entriesDown, entriesUp } from './entries';

/** Looked at for one page at most. */
export const SCAN_MAX = 5_000;

const PAUSE_EVERY = 100;

/** An entry as somebody may see it; null: not at all. What they look for is looked for in that. */
export type MaySee = (entry: AuditEntry) => AuditEntry | null;
const anybody: MaySee = (entry) => entry;

/**
 * `scanned` counts entries that may be seen only, so that it tells nobody how much others do.
 * @throws RedriveError VALIDATION | BAD_CURSOR
 */
export async function listAudit(
  ctx: BrokerContext,
  input: Partial<AuditQuery>,
  maySee: MaySee = anybody,
): Promise<Omit<AuditPage, 'pending'>> {
  const { cursor, limit, ...filter } = parseOrThrow(auditQuerySchema, input, 'query');
  const matches = matcher(filter);
  const entries: AuditEntry[] = [];
  let [looked, scanned] = [0, 0];
  let nextCursor: string | null = null;
  for await (const { n, text } of entriesDown(ctx, placeOf(cursor))) {
    looked += 1;
    // Others are served in between.
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
    entries,
    nextCursor: nextCursor === '1' ? null : nextCursor,
    scanned,
    of: maySee === anybody ? await countEntries(ctx) : scanned,
  };
}

/** All that matches, oldest first. */
export async function* matchingAudit(
  ctx: BrokerContext,
  input: Partial<AuditQuery>,
  maySee: MaySee = anybody,
): AsyncGenerator<AuditEntry, void> {
  const { cursor: _, limit: __, ...filter } = parseOrThrow(auditQuerySchema, input, 'query');
  const matches = matcher(filter);
  for await (const { text } of entriesUp(ctx, 1)) {
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

function matcher({
  text,
  actor,
  action,
  result,
  queue,
  kind,
  id,
  from,
  to,
}: Filter): (entry: AuditEntry) => boolean {
  const wanted = text?.toLowerCase();
  const who = actor?.toLowerCase();
  return (entry) =>
    (result === undefined || entry.result === result) &&
    (queue === undefined || entry.queue === queue) &&
    (kind === undefined || entry.object?.kind === kind) &&
    (id === undefined || entry.object?.id === id) &&
    (from === undefined || entry.at >= from) &&
    (to === undefined || entry.at <= to) &&
    (action === undefined || entry.action === action || entry.action.startsWith(`${action}.`)) &&
    (who === undefined || entry.actor.toLowerCase() === who || entry.actorId?.toLowerCase() === who) &&
    (wanted === undefined || textsOf(entry).some((one) => one?.toLowerCase().includes(wanted)));
}

const textsOf = (entry: AuditEntry): (string | null | undefined)[] => [
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
