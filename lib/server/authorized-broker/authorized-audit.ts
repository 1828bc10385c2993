/**
 * The audit log, limited to what the principal may read. Events of a queue need `audit` for the whole queue, events of no queue need it
 * everywhere; a user's own events are always visible.
 */
import { type EntryFilter, payForLater } from '@/lib/broker';
import { isFullScope, scopeHasQueue } from '@/lib/contract/access/grant-scopes';
import type { AuditCheck, AuditPage, AuditQuery } from '@/lib/contract/audit/audit-schemas';
import { type ExportFormat, exportSuffix } from '@/lib/contract/operations/operation-kinds';
import { getAuditCollector } from '../audit/audit-collector';
import { type Principal, quotaOwnerId, scopeOf } from '../authentication/principal';
import { requireEverywhere, requirePermission } from '../authorization/require-permission';
import { visibleEntry } from '../authorization/visible-changes';
import { getBroker } from '../console-broker';
import { AUDIT_FILES } from '../http/audit-file-format';
import { ResponseStreams } from '../http/response-streams';
import { fileResponse } from '../routes/file-response';
import { auditKeys } from '../secret-file';
import { singleton } from '../singleton';
import { type RequestContext, requestActor } from './request-context';

/** Events that one request verifies; the command line verifies all. */
const CHECK_MAX = 20_000;
const CHUNK_CHARS = 64 * 1024;

export const getAuditStreams = singleton(
  'audit-streams',
  () => new ResponseStreams({ what: 'audit files', most: 2, mostEach: 1, idleMs: 60_000 }),
);

/** Undefined: everything. */
function sightOf(principal: Principal): EntryFilter | undefined {
  const within = scopeOf(principal, 'audit');
  if (isFullScope(within)) return undefined;
  return (entry) => {
    if (entry.actorId === principal.id) return entry;
    return entry.queue !== null && scopeHasQueue(within, entry.queue) ? visibleEntry(entry, within) : null;
  };
}

const getScans = singleton('audit-scans', () => new Map<string, Promise<unknown>>());

/** One scan a user at a time, with all their tabs and tokens; the route's rate limit bounds the queue. */
async function oneAtATime<T>(who: string, scan: () => Promise<T>): Promise<T> {
  const scans = getScans();
  const mine = (scans.get(who) ?? Promise.resolve()).then(scan);
  const done = mine.catch(() => undefined);
  scans.set(who, done);
  try {
    return await mine;
  } finally {
    if (scans.get(who) === done) scans.delete(who);
  }
}

export function authorizedAudit(context: RequestContext) {
  const { principal } = context;
  return {
    /** For every signed-in user; without the permission only their own events. */
    async list(query: AuditQuery): Promise<AuditPage> {
      // A user who opens the log expects the change they have just made.
      const collected = query.cursor === undefined ? await getAuditCollector().recent() : null;
      const maySee = sightOf(principal);
      const page = await oneAtATime(quotaOwnerId(principal) ?? principal.id, () =>
        getBroker().audit.list(query, maySee),
      );
      return { ...page, pending: maySee === undefined ? (collected?.pending ?? 0) : 0 };
    },

    async check(): Promise<AuditCheck> {
      requireEverywhere(principal, 'audit');
      return getBroker().audit.check({ keys: auditKeys(), most: CHECK_MAX });
    },

    /** All matching events as a file; the download is an audit event itself. @throws RedriveError TOO_MANY_STREAMS */
    async file(
      format: ExportFormat,
      query: Omit<AuditQuery, 'cursor' | 'limit'>,
      request: Request,
    ): Promise<Response> {
      requirePermission(principal, 'audit');
      // It is recorded with the first byte, when the request is over for its purse.
      if (request.method === 'GET') await payForLater(['.access']);
      return fileResponse(
        { principal, permission: 'audit', request },
        getAuditStreams(),
        { name: `redrive-audit.${exportSuffix(format)}`, contentType: AUDIT_FILES[format].contentType },
        (signal) => linesOf(context, format, query, signal),
      );
    },
  };
}

async function* linesOf(
  context: RequestContext,
  format: ExportFormat,
  query: Omit<AuditQuery, 'cursor' | 'limit'>,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const { audit } = getBroker();
  const file = AUDIT_FILES[format];
  const maySee = sightOf(context.principal);
  const filter = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
  await audit.note(
    {
      action: 'audit.export',
      object: { kind: 'audit', id: 'log' },
      after: JSON.stringify({ format }),
      filter: Object.keys(filter).length > 0 ? JSON.stringify(filter) : undefined,
    },
    requestActor(context),
  );
  await getAuditCollector().look();
  const head = await audit.head();
  const whole = maySee === undefined && Object.keys(filter).length === 0;
  let text = file.head({ at: await getBroker().now(), head, filter, whole, cut: maySee !== undefined });
  let entries = 0;
  for await (const entry of audit.matching(filter, maySee)) {
    if (signal.aborted) return;
    // Events that arrive while the file is written belong to the next file.
    if (entry.n > head.n) break;
    entries += 1;
    text += file.entry(entry);
    if (text.length < CHUNK_CHARS) continue;
    yield text;
    text = '';
  }
  yield text + file.end(entries);
}
