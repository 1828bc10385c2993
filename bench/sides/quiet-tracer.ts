import { trace } from '@opentelemetry/api';

/** Registers a tracer for the whole process that keeps nothing: the cost is that of the calls. */
export function registerTracer(): void {
  const span = trace.wrapSpanContext({ traceId: '1'.repeat(32), spanId: '1'.repeat(16), traceFlags: 1 });
  const tracer = {
    startSpan: () => span,
    startActiveSpan: () => {
      throw new Error('Redrive asks for no active span.');
    },
  };
  trace.setGlobalTracerProvider({ getTracer: () => tracer });
}
