/**
 * Traces, through the OpenTelemetry API alone: whichever SDK the application registers gets the spans; without one nothing is
 * recorded and nothing is kept. Span names and attributes follow the messaging conventions.
 */
import {
  type Context,
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { remoteSpan } from '@/lib/tracing/active-tracer';
import type { ClaimedJob } from '../worker-types';
import type { RunEnd } from './run-end';

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
