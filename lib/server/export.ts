/** The file of an export: what matched when it was confirmed and still does, written while it is read. */
import type { Broker } from '@/lib/broker';
import { RedriveError } from '@/lib/contract/errors';
import { EXPORT_MAX_ROWS, type Operation } from '@/lib/contract/operations';
import { holderOf, isAdministrator, type Principal } from './access/principal';
import { getBroker } from './broker';
import { EXPORT_FORMAT, type ExportRow } from './export-format';
import { whileGood } from './guarded/while-good';
import { log } from './log';
import { singleton } from './singleton';
import { Streams } from './streaming';

export const EXPORTS_AT_ONCE = 2;
/** Of one person, so that somebody else can always fetch a file, too. */
export const EXPORTS_EACH = 1;
/** A person may hold a download for a while. */
const IDLE_MS = 120_000;
const CHUNK_CHARS = 64 * 1024;

export const getExportStreams = singleton(
  'export-streams',
  () => new Streams({ what: 'exports', most: EXPORTS_AT_ONCE, mostEach: EXPORTS_EACH, idleMs: IDLE_MS }),
);

/**
 * Asked for again it is written anew. A file that broke off has no end: its connection is cut, and the operation stays open.
 * @throws RedriveError OPERATION_STATE | TOO_MANY_STREAMS
 */
export async function openExport(
  principal: Principal,
  operation: Operation,
  request: Request,
): Promise<Response> {
  const { id } = operation;
  requireExport(operation);
  const format = operation.format ?? 'ndjson';
  // HEAD is answered by this handler, too, and must not write what nobody reads.
  const body =
    request.method === 'GET'
      ? await getExportStreams().start(
          (signal) => whileGood(principal, 'operate', fileOf(operation, signal)),
          request.signal,
          holderOf(principal),
          isAdministrator(principal),
        )
      : null;
  return new Response(body, {
    headers: {
      'content-type': EXPORT_FORMAT[format].contentType,
      'content-disposition': `attachment; filename="redrive-${operation.scope.state}-${id}.${format}"`,
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      // What jobs carry is never run as a page, whatever it looks like.
      'x-content-type-options': 'nosniff',
    },
  });
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
  // One more than may be in it tells whether that is all.
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
  // The file is whole by now; that nobody could write it down must not break it.
  await getBroker()
    .operations.exported(operation.id, { rows, truncated })
    .catch((error: unknown) =>
      log().warn({ err: error, operation: operation.id }, 'the end of an export was not recorded'),
    );
}

type Match = ReturnType<Broker['inspect']['matching']> extends AsyncGenerator<infer M> ? M : never;

/** As a query sees the job, so that what was found by its code has that code in the file. */
function rowOf({ summary, facts, payload }: Match): ExportRow {
  const none = payload.text === '';
  return {
    queue: facts.queue,
    id: facts.id,
    state: summary.state,
    type: facts.type,
    version: facts.version,
    tenant: facts.tenant,
    priority: facts.priority,
    attempts: facts.attempts,
    class: facts.class,
    code: facts.code,
    group: facts.group,
    message: facts.message,
    createdAt: summary.createdAt,
    enteredAt: facts.enteredAt,
    key: facts.key,
    correlation: facts.correlation,
    trace: facts.trace,
    payload: none ? null : payload.text,
    payloadEncoding: none ? null : payload.isText ? 'text' : 'base64',
  };
}
