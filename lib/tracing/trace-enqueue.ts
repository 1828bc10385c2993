/** The producer's half of a trace: enqueueing is a span, and its jobs carry that span to their workers. */
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { EnqueueResult } from '@/lib/contract/jobs/envelope';
import { RedriveError } from '@/lib/contract/redrive-error';
import { activeTracer, traceParentOf } from './active-tracer';

/** What a span is told about the jobs: never their payload. */
export interface Sending {
  readonly queue: string;
  readonly jobs: number;
  /** When all are of one type. */
  readonly jobType: string | undefined;
}

/** @param send gets the `traceparent` to put on the jobs; undefined when nothing is traced */
export async function traceEnqueue<T extends EnqueueResult | EnqueueResult[]>(
  { queue, jobs, jobType }: Sending,
  send: (traceParent: string | undefined) => Promise<T>,
): Promise<T> {
  const tracer = activeTracer();
  if (!tracer) return send(traceParentOf(trace.getSpanContext(context.active())));
  const span = tracer.startSpan('redrive.enqueue', {
    kind: SpanKind.PRODUCER,
    attributes: {
      'messaging.system': 'redrive',
      'messaging.operation.name': 'enqueue',
      'messaging.operation.type': 'send',
      'messaging.destination.name': queue,
      'messaging.batch.message_count': jobs === 1 ? undefined : jobs,
      'redrive.job.type': jobType,
    },
  });
  try {
    const sent = await context.with(trace.setSpan(context.active(), span), () =>
      send(traceParentOf(span.spanContext())),
    );
    if (!Array.isArray(sent)) {
      span.setAttribute('messaging.message.id', sent.jobId);
      span.setAttribute('redrive.job.outcome', sent.outcome);
    }
    return sent;
  } catch (error) {
    // The code only: the sentence of a refused payload may quote it.
    const code = error instanceof RedriveError ? error.code : 'INTERNAL';
    span.setAttribute('error.type', code);
    span.setStatus({ code: SpanStatusCode.ERROR, message: code });
    throw error;
  } finally {
    span.end();
  }
}
