/** The tracer in force and the W3C trace context of jobs, through the OpenTelemetry API alone. */
import {
  isSpanContextValid,
  ProxyTracerProvider,
  type SpanContext,
  type Tracer,
  trace,
} from '@opentelemetry/api';

export const TRACER_NAME = 'redrive';
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

/** The span that a `traceparent` names; undefined when it names none. */
export function remoteSpan(traceParent: string | null | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceParent ?? '') ?? [];
  if (!traceId || !spanId || !flags) return undefined;
  const span = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(span) ? span : undefined;
}
