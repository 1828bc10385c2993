/**
 * The audit log for those who may read it. What belongs to a queue is for who holds `audit` over the whole queue; what belongs to none,
 * for who holds it everywhere; and what somebody did themselves, they may always see.
 */
import type { MaySee } from '@/lib/broker';
import type { AuditCheck, AuditPage, AuditQuery } from '@/lib/contract/audit';
import { hasQueue, isEverywhere } from '@/lib/contract/permissions';
import { need, needEverywhere } from '../access/need';
import { holderOf, isAdministrator, type Principal, withinOf } from '../access/principal';
import { auditKeys, getAuditCollector } from '../audit-collector';
import { AUDIT_FILES } from '../audit-export';
import { getBroker } from '../broker';
import { singleton } from '../singleton';
import { Streams } from '../streaming';
import { actor, type Caller } from './caller';
import { visibleEntry } from './changes';
import { whileGood } from './while-good';

/** Entries checked for one answer; all of them is for the command line. */
const CHECK_MAX = 20_000;
const CHUNK_CHARS = 64 * 1024;

export const getAuditStreams = singleton(
  'audit-streams',
  () => new Streams({ what: 'audit files', most: 2, mostEach: 1, idleMs: 60_000 }),
);

/** Undefined: everything. */
function sightOf(principal: Principal): MaySee | undefined {
  const within = withinOf(principal, 'audit');
  if (isEverywhere(within)) return undefined;
  return (entry) => {
    if (entry.actorId === principal.id) return entry;
    return entry.queue !== null && hasQueue(within, entry.queue) ? visibleEntry(entry, within) : null;
  };
}

const getScans = singleton('audit-scans', () => new Map<string, Promise<unknown>>());

/** Of one person, with all their tabs and tokens; how many wait is bounded by the rate of the route. */
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

export function guardedAudit(caller: Caller) {
  const { principal } = caller;
  return {
    /** Whoever is signed in: without the permission, what they did themselves. */
    async list(query: AuditQuery): Promise<AuditPage> {
      // What was done just now is to be seen: those who look at the log have just done it.
      const collected = query.cursor === undefined ? await getAuditCollector().recent() : null;
      const maySee = sightOf(principal);
      const page = await oneAtATime(holderOf(principal) ?? principal.id, () =>
        getBroker().audit.list(query, maySee),
      );
      return { ...page, pending: maySee === undefined ? (collected?.pending ?? 0) : 0 };
    },

    async check(): Promise<AuditCheck> {
      needEverywhere(principal, 'audit');
      return getBroker().audit.check({ keys: auditKeys(), most: CHECK_MAX });
    },

    /** All that matches; that somebody took it along is an entry itself. @throws RedriveError TOO_MANY_STREAMS */
    async file(
      format: 'ndjson' | 'csv',
      query: Omit<AuditQuery, 'cursor' | 'limit'>,
      request: Request,
    ): Promise<Response> {
      need(principal, 'audit');
      // HEAD is answered by this handler, too, and takes nothing along.
      const body =
        request.method === 'GET'
          ? await getAuditStreams().start(
              (signal) => whileGood(principal, 'audit', linesOf(caller, format, query, signal)),
              request.signal,
              holderOf(principal),
              isAdministrator(principal),
            )
          : null;
      return new Response(body, {
        headers: {
          'content-type': AUDIT_FILES[format].contentType,
          'content-disposition': `attachment; filename="redrive-audit.${format}"`,
          'cache-control': 'no-store, no-transform',
          'x-accel-buffering': 'no',
          'x-content-type-options': 'nosniff',
        },
      });
    },
  };
}

async function* linesOf(
  caller: Caller,
  format: 'ndjson' | 'csv',
  query: Omit<AuditQuery, 'cursor' | 'limit'>,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const { audit } = getBroker();
  const file = AUDIT_FILES[format];
  const maySee = sightOf(caller.principal);
  const filter = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
  await audit.note(
    {
      action: 'audit.export',
      object: { kind: 'audit', id: 'log' },
      after: JSON.stringify({ format }),
      filter: Object.keys(filter).length > 0 ? JSON.stringify(filter) : undefined,
    },
    actor(caller),
  );
  await getAuditCollector().look();
  const head = await audit.head();
  const whole = maySee === undefined && Object.keys(filter).length === 0;
  let text = file.head({ at: await getBroker().now(), head, filter, whole, cut: maySee !== undefined });
  let entries = 0;
  for await (const entry of audit.matching(filter, maySee)) {
    if (signal.aborted) return;
    // What comes in while the file is written is for the next one.
    if (entry.n > head.n) break;
    entries += 1;
    text += file.entry(entry);
    if (text.length < CHUNK_CHARS) continue;
    yield text;
    text = '';
  }
  yield text + file.end(entries);
}
