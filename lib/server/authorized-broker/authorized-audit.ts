/**
 * The audit log, limited to what the principal may read. Events of a queue need `audit` for the whole queue, events of no queue need it
 * everywhere; a user's own events are always visible.
 */
import type { Broker, EntryFilter } from '@/lib/broker';
import { isFullScope, scopeHasQueue } from '@/lib/contract/access/grant-scopes';
import type { AuditCheck, AuditPage, AuditQuery } from '@/lib/contract/audit/audit-schemas';
import type { ExportFormat } from '@/lib/contract/operations/operation-kinds';
import { getAuditCollector } from '../audit/audit-collector';
import { type Principal, quotaOwnerId, scopeOf } from '../authentication/principal';
import { requireEverywhere, requirePermission } from '../authorization/require-permission';
import { visibleEntry } from '../authorization/visible-changes';
import { getBroker } from '../console-broker';
import { auditKeys } from '../secret-file';
import { singleton } from '../singleton';
import { type RequestContext, requestActor } from './request-context';

/** Events that one request verifies; the command line verifies all. */
const CHECK_MAX = 20_000;

export type AuditFilter = Omit<AuditQuery, 'cursor' | 'limit'>;
interface AuditDownload {
  readonly at: number;
  readonly head: Awaited<ReturnType<Broker['audit']['head']>>;
  /** Events that the principal must not see are missing, or parts of them. */
  readonly isCut: boolean;
  readonly events: ReturnType<Broker['audit']['matching']>;
}

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

    /** Records the download as an audit event, then reads the log up to that event. */
    async download(format: ExportFormat, filter: AuditFilter): Promise<AuditDownload> {
      requirePermission(principal, 'audit');
      const { audit } = getBroker();
      const maySee = sightOf(principal);
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
      const at = await getBroker().now();
      return { at, head, isCut: maySee !== undefined, events: audit.matching(filter, maySee) };
    },
  };
}
