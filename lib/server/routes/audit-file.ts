/** The audit log as a file: all events that match and that the principal may read. */
import { payForLater } from '@/lib/broker';
import { type ExportFormat, exportSuffix } from '@/lib/contract/operations/operation-kinds';
import type { Principal } from '../authentication/principal';
import type { AuthorizedBroker } from '../authorized-broker';
import type { AuditFilter } from '../authorized-broker/authorized-audit';
import { ResponseStreams } from '../http/response-streams';
import { singleton } from '../singleton';
import { AUDIT_FILES } from './audit-file-format';
import { fileResponse } from './file-response';

const CHUNK_CHARS = 64 * 1024;

export const getAuditStreams = singleton(
  'audit-streams',
  () => new ResponseStreams({ what: 'audit files', most: 2, mostEach: 1, idleMs: 60_000 }),
);

/** The download is an audit event itself. @throws RedriveError FORBIDDEN | RATE_LIMITED | TOO_MANY_STREAMS */
export async function auditFileResponse(
  { broker, principal, request }: { broker: AuthorizedBroker; principal: Principal; request: Request },
  format: ExportFormat,
  filter: AuditFilter,
): Promise<Response> {
  // It is recorded with the first byte, when the request is over for its purse.
  if (request.method === 'GET') await payForLater(['.access']);
  return fileResponse(
    { principal, permission: 'audit', request },
    getAuditStreams(),
    { name: `redrive-audit.${exportSuffix(format)}`, contentType: AUDIT_FILES[format].contentType },
    (signal) => linesOf(broker, format, filter, signal),
  );
}

async function* linesOf(
  broker: AuthorizedBroker,
  format: ExportFormat,
  filter: AuditFilter,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const file = AUDIT_FILES[format];
  const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
  const { at, head, isCut: cut, events } = await broker.audit.download(format, given);
  const whole = !cut && Object.keys(given).length === 0;
  let text = file.head({ at, head, filter: given, whole, cut });
  let entries = 0;
  for await (const entry of events) {
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
