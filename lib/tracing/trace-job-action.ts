/** What an operator does to one job, as a span in the trace of that job. */
import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { RedriveError } from '@/lib/contract/redrive-error';
import { activeTracer, remoteSpan } from './active-tracer';

interface ActedOn {
  readonly action: string;
  readonly queue: string;
  readonly jobId: string;
  readonly jobType: string;
  /** As the job carries it; null: its producer was not traced. */
  readonly traceParent: string | null;
}

/** The span's parent is the span that enqueued the job; it links to the request that asked for the action. */
export async function traceJobAction<T>(job: ActedOn, act: () => Promise<T>): Promise<T> {
  const tracer = activeTracer();
  if (!tracer) return act();
  const producer = remoteSpan(job.traceParent);
  const request = trace.getSpanContext(context.active());
  const span = tracer.startSpan(
    `redrive.job.${job.action}`,
    {
      kind: SpanKind.INTERNAL,
      links: producer && request ? [{ context: request }] : [],
      attributes: {
        'messaging.system': 'redrive',
        'messaging.destination.name': job.queue,
        'messaging.message.id': job.jobId,
        'redrive.job.type': job.jobType,
        'redrive.job.action': job.action,
      },
    },
    producer ? trace.setSpanContext(ROOT_CONTEXT, producer) : context.active(),
  );
  try {
    return await act();
  } catch (error) {
    const code = error instanceof RedriveError ? error.code : 'INTERNAL';
    span.setAttribute('error.type', code);
    span.setStatus({ code: SpanStatusCode.ERROR, message: code });
    throw error;
  } finally {
    span.end();
  }
}
