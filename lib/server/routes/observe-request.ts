/**
 * What an operator sees of one request from outside: a line in the log, a span, and a count. None holds an address as it was sent, a payload
 * or a header.
 */
import { context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { activeTracer, remoteSpan } from '@/lib/tracing/active-tracer';
import { ANONYMOUS } from '../authentication/principal';
import { principalOf } from '../authorization/record-refusal';
import { log } from '../console-log';
import { processMetrics } from '../process-metrics';

/** Filled in while the request is handled. */
export interface SeenRequest {
  queue?: string | undefined;
  /** Of a refusal. */
  code?: string | undefined;
  /** It changes something: its line is of level `info`, others are `debug`. */
  isChange: boolean;
}

interface Observed {
  readonly request: Request;
  readonly requestId: string;
  /** As in the description of the API, with parameters in braces; undefined: there is no such route. */
  readonly route: string | undefined;
  /** Asked every few seconds by machines that watch the console: none of these. */
  readonly isProbe: boolean;
}

/** @param answer handles the request, and fills in what it learns about it */
export async function observeRequest(
  observed: Observed,
  answer: (seen: SeenRequest) => Promise<Response>,
): Promise<Response> {
  const seen: SeenRequest = { isChange: false };
  if (observed.isProbe) return answer(seen);
  const startedAtMs = performance.now();
  const span = startSpan(observed);
  const response = span
    ? await context.with(trace.setSpan(ROOT_CONTEXT, span), () => answer(seen))
    : await answer(seen);
  const durationMs = performance.now() - startedAtMs;
  const { status } = response;
  endSpan(span, seen, status);
  processMetrics().requests.observe(
    {
      route: observed.route ?? 'unknown',
      method: observed.request.method,
      status: `${Math.floor(status / 100)}xx`,
    },
    durationMs / 1_000,
  );
  writeLine(observed, seen, {
    status,
    durationMs: Math.round(durationMs),
    traceId: span?.spanContext().traceId,
  });
  return response;
}

/** A client that is traced itself names its span in `traceparent`. */
function startSpan({ request, requestId, route }: Observed): Span | undefined {
  const client = remoteSpan(request.headers.get('traceparent'));
  return activeTracer()?.startSpan(
    route ? `${request.method} ${route}` : request.method,
    {
      kind: SpanKind.SERVER,
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'redrive.request.id': requestId,
      },
    },
    client ? trace.setSpanContext(ROOT_CONTEXT, client) : ROOT_CONTEXT,
  );
}

function endSpan(span: Span | undefined, { queue, code }: SeenRequest, status: number): void {
  if (!span) return;
  span.setAttributes({
    'http.response.status_code': status,
    'messaging.destination.name': queue,
    'error.type': code,
  });
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR, message: code ?? String(status) });
  span.end();
}

function writeLine(
  { request, requestId, route }: Observed,
  { queue, code, isChange }: SeenRequest,
  measured: { status: number; durationMs: number; traceId: string | undefined },
): void {
  const level = isChange ? 'info' : 'debug';
  if (!log().isLevelEnabled(level)) return;
  const { name, id } = principalOf(request) ?? ANONYMOUS;
  log()[level](
    {
      event: 'request',
      requestId,
      actor: name,
      actorId: id,
      queue,
      method: request.method,
      route,
      code,
      ...measured,
    },
    'answered a request',
  );
}
