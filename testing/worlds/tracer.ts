/** The least an OpenTelemetry SDK is: it hands out spans, remembers them, and carries the context through awaits. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import {
  type Context,
  type ContextManager,
  context,
  ROOT_CONTEXT,
  type Span,
  type SpanAttributes,
  type SpanContext,
  type SpanOptions,
  type SpanStatus,
  type Tracer,
  trace,
} from '@opentelemetry/api';

export interface SeenSpan {
  readonly name: string;
  readonly kind: SpanOptions['kind'];
  readonly own: SpanContext;
  readonly parent: SpanContext | undefined;
  readonly links: SpanContext[];
  readonly attributes: SpanAttributes;
  status: SpanStatus | undefined;
  ended: boolean;
}

export interface TestTracing {
  /** Every span started, in order. */
  readonly spans: SeenSpan[];
  named(name: string): SeenSpan[];
  /** Runs `work` inside a span of its own, as a request handler would be. */
  inSpan<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Takes it all back. */
  stop(): void;
}

/** Registers with the API, globally, as an SDK does. `onCall`: a span begins or ends. */
export function startTracing(onCall: (span: SeenSpan) => void = () => undefined): TestTracing {
  const spans: SeenSpan[] = [];
  const tracer: Tracer = {
    startSpan: (name, options, parent) => startSpan(spans, onCall, name, options, parent ?? context.active()),
    startActiveSpan: () => {
      throw new Error('not needed here');
    },
  };
  context.setGlobalContextManager(contextManager());
  trace.setGlobalTracerProvider({ getTracer: () => tracer });
  return {
    spans,
    named: (name) => spans.filter((span) => span.name === name),
    async inSpan(name, work) {
      const span = tracer.startSpan(name);
      return context.with(trace.setSpan(context.active(), span), work).finally(() => span.end());
    },
    stop() {
      trace.disable();
      context.disable();
    },
  };
}

function startSpan(
  spans: SeenSpan[],
  onCall: (span: SeenSpan) => void,
  name: string,
  options: SpanOptions = {},
  at: Context,
): Span {
  const parent = options.root ? undefined : trace.getSpanContext(at);
  const seen: SeenSpan = {
    name,
    kind: options.kind,
    own: {
      traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
      spanId: randomBytes(8).toString('hex'),
      traceFlags: 1,
    },
    parent,
    links: (options.links ?? []).map((link) => link.context),
    attributes: { ...options.attributes },
    status: undefined,
    ended: false,
  };
  spans.push(seen);
  onCall(seen);
  const span: Span = {
    spanContext: () => seen.own,
    setAttribute: (key, value) => {
      seen.attributes[key] = value;
      return span;
    },
    setAttributes: (more) => {
      Object.assign(seen.attributes, more);
      return span;
    },
    addEvent: () => span,
    addLink: (link) => {
      seen.links.push(link.context);
      return span;
    },
    addLinks: (links) => {
      seen.links.push(...links.map((link) => link.context));
      return span;
    },
    setStatus: (status) => {
      seen.status = status;
      return span;
    },
    updateName: () => span,
    end: () => {
      seen.ended = true;
      onCall(seen);
    },
    isRecording: () => !seen.ended,
    recordException: () => undefined,
  };
  return span;
}

function contextManager(): ContextManager {
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (at, fn, thisArg, ...args) => storage.run(at, () => fn.apply(thisArg, args)),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => {
      storage.disable();
      return manager;
    },
  };
  return manager;
}
