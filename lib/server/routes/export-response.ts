/** The file of an export: the jobs that matched at confirmation and still do, written while they are read. */
import type { Broker } from '@/lib/broker';
import type { Operation } from '@/lib/contract/operations/operation';
import { EXPORT_MAX_ROWS, exportSuffix } from '@/lib/contract/operations/operation-kinds';
import { RedriveError } from '@/lib/contract/redrive-error';
import type { Principal } from '../authentication/principal';
import type { AuthorizedBroker } from '../authorized-broker';
import { getBroker } from '../console-broker';
import { log } from '../console-log';
import { ResponseStreams } from '../http/response-streams';
import { singleton } from '../singleton';
import { EXPORT_FORMAT, type ExportRow } from './export-format';
import { fileResponse } from './file-response';

export const EXPORTS_AT_ONCE = 2;
/** Of one user, so that others can download, too. */
const EXPORTS_EACH = 1;
/** Users may pause a download for a while. */
const IDLE_MS = 120_000;
const CHUNK_CHARS = 64 * 1024;

export const getExportStreams = singleton(
  'export-streams',
  () =>
    new ResponseStreams({ what: 'exports', most: EXPORTS_AT_ONCE, mostEach: EXPORTS_EACH, idleMs: IDLE_MS }),
);

/**
 * Each download writes the file again, and is recorded before the first byte is sent. If it fails, the connection breaks and the operation
 * stays open.
 * @throws RedriveError OPERATION_NOT_FOUND | FORBIDDEN | OPERATION_STATE | TOO_MANY_STREAMS
 */
export async function exportResponse(
  { broker, principal, request }: { broker: AuthorizedBroker; principal: Principal; request: Request },
  id: string,
): Promise<Response> {
  const operation = await broker.operations.getExport(id);
  requireExport(operation);
  const { scope } = operation;
  const format = operation.format ?? 'ndjson';
  const response = await fileResponse(
    { principal, permission: 'operate', request },
    getExportStreams(),
    {
      name: `redrive-${scope.state}-${id}.${exportSuffix(format)}`,
      contentType: EXPORT_FORMAT[format].contentType,
    },
    (signal) => fileOf(operation, signal),
  );
  if (request.method === 'GET')
    await broker.operations.recordDownload(id).catch(async (error: unknown) => {
      await response.body?.cancel();
      throw error;
    });
  return response;
}

function requireExport({ id, kind, status }: Operation): void {
  if (kind === 'export' && (status === 'running' || status === 'completed')) return;
  throw new RedriveError(
    'OPERATION_STATE',
    kind === 'export'
      ? `The export ${id} is ${status}. Start a new one to get a file.`
      : `${id} is a ${kind} and has no file. Only exports do.`,
    { fields: [{ field: 'id', message: kind === 'export' ? `is ${status}` : `is a ${kind}` }] },
  );
}

async function* fileOf(operation: Operation, signal: AbortSignal): AsyncGenerator<string, void> {
  const format = EXPORT_FORMAT[operation.format ?? 'ndjson'];
  const maxRows = operation.maxRows ?? EXPORT_MAX_ROWS;
  const { scope, cutoff } = operation;
  let rows = 0;
  let truncated = false;
  let text = format.head;
  // One more row tells whether the file is complete.
  const limit = maxRows + 1;
  for await (const match of getBroker().inspect.matching(scope, { at: cutoff, cutoff, limit, signal })) {
    if (rows === maxRows) {
      truncated = true;
      break;
    }
    text += format.row(rowOf(match));
    rows += 1;
    if (text.length < CHUNK_CHARS) continue;
    yield text;
    text = '';
  }
  if (signal.aborted) return;
  if (truncated) text += format.truncated(rows);
  if (text !== '') yield text;
  // The file is complete by now; a failure to record that must not break it.
  await getBroker()
    .operations.exported(operation.id, { rows, truncated })
    .catch((error: unknown) =>
      log().warn({ err: error, operation: operation.id }, 'the end of an export was not recorded'),
    );
}

type Match = ReturnType<Broker['inspect']['matching']> extends AsyncGenerator<infer M> ? M : never;

/** With the fields as the query matched them. */
function rowOf({ summary, facts, payload }: Match): ExportRow {
  const isEmpty = payload.text === '';
  return {
    ...facts,
    state: summary.state,
    createdAt: summary.createdAt,
    payload: isEmpty ? null : payload.text,
    payloadEncoding: isEmpty ? null : payload.isText ? 'text' : 'base64',
  };
}
