/**
 * Traces, through the OpenTelemetry API alone: whichever SDK the application registers gets the spans; without one nothing is
 * recorded and nothing is kept. Span names and attributes follow the messaging conventions.
 */
import {
  type Context,
  context,
  isSpanContextValid,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { ClaimedJob } from '../worker-types';
import type { RunEnd } from './run-end';

const TRACER_NAME = 'redrive';
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Undefined while no SDK is registered: then no span is made only to be thrown away. */
export function activeTracer(): Tracer | undefined {
  const provider = trace.getTracerProvider();
  return provider instanceof ProxyTracerProvider
    ? provider.getDelegateTracer(TRACER_NAME)
    : provider.getTracer(TRACER_NAME);
}

/** W3C `traceparent` of a span; undefined when there is none. */
export function traceParentOf(span: SpanContext | undefined): string | undefined {
  if (!span || !isSpanContextValid(span)) return undefined;
  return `00-${span.traceId}-${span.spanId}-${(span.traceFlags & 0xff).toString(16).padStart(2, '0')}`;
}

/** The producer's span as a job carries it; undefined when it carries none, or one that names no trace. */
function remoteSpan(traceParent: string | null | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceParent ?? '') ?? [];
  if (!traceId || !spanId || !flags) return undefined;
  const span = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(span) ? span : undefined;
}

/**
 * One run of one job as the span `redrive.process`, in which the handler runs. The span that enqueued the job is its parent,
 * so that a request and its jobs are one trace, and its link, which is what the conventions ask for.
 */
export class RunTrace {
  /** Undefined: the tracer records nothing. */
  readonly traceId: string | undefined;
  readonly #span: Span;
  readonly #context: Context;

  constructor(
    tracer: Tracer,
    { queue, jobId, jobType, tenantId, attempt, delivery, envelope }: ClaimedJob,
    workerId: string,
  ) {
    const producer = remoteSpan(envelope.traceParent);
    const parent = producer ? trace.setSpanContext(ROOT_CONTEXT, producer) : ROOT_CONTEXT;
    this.#span = tracer.startSpan(
      'redrive.process',
      {
        kind: SpanKind.CONSUMER,
        links: producer ? [{ context: producer }] : [],
        attributes: {
          'messaging.system': 'redrive',
          'messaging.operation.name': 'process',
          'messaging.operation.type': 'process',
          'messaging.destination.name': queue,
          'messaging.message.id': jobId,
          'messaging.client.id': workerId,
          'redrive.job.type': jobType,
          'redrive.job.tenant': tenantId,
          'redrive.job.attempt': attempt,
          'redrive.job.delivery': delivery,
        },
      },
      parent,
    );
    this.#context = trace.setSpan(parent, this.#span);
    const own = this.#span.spanContext();
    this.traceId = isSpanContextValid(own) ? own.traceId : undefined;
  }

  /** Runs the handler inside the span. */
  run(handler: () => unknown): unknown {
    return context.with(this.#context, handler);
  }

  end(end: RunEnd): void {
    describe(this.#span, end);
    this.#span.end();
  }
}

/** Codes only: a message may quote the payload. */
function describe(span: Span, end: RunEnd): void {
  span.setAttribute('redrive.job.outcome', end.kind);
  if (end.kind === 'failed') {
    const { errorClass, errorCode } = end.failure;
    span.setAttribute('error.type', errorCode);
    span.setAttribute('redrive.error.class', errorClass);
    span.setStatus({ code: SpanStatusCode.ERROR, message: errorCode });
  } else if (end.kind === 'lost') {
    span.setAttribute('error.type', 'LEASE_LOST');
    span.setStatus({ code: SpanStatusCode.ERROR, message: 'LEASE_LOST' });
  }
}
