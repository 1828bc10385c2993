/** Makes the spans of our own tracer. Those of other tracers in the process, such as the framework's, are not recorded. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import {
  type Context,
  type ContextManager,
  context,
  INVALID_SPAN_CONTEXT,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  TraceFlags,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import { TRACER_NAME } from './active-tracer';
import { RecordedSpan, type SpanClock, type SpanRecord } from './recorded-span';
import type { TracingSettings } from './tracing-settings';

export interface TracerDeps {
  readonly sampling: Pick<TracingSettings, 'ratio' | 'followsParent'>;
  onEnd(span: SpanRecord): void;
  readonly clock?: SpanClock;
  /** Lower-case hexadecimal digits of this many random bytes. */
  readonly randomHex?: (bytes: number) => string;
}

const SYSTEM_CLOCK: SpanClock = { wallMs: () => Date.now(), monotonicMs: () => performance.now() };
/** One of its digits is never 0: an id of zeros alone is none. */
const systemHex = (bytes: number) => randomBytes(bytes).toString('hex').replace(/^0/, '1');

export function createTracerProvider(deps: TracerDeps): TracerProvider {
  const own = createTracer(deps);
  return { getTracer: (name) => (name === TRACER_NAME ? own : SILENT_TRACER) };
}

function createTracer({ sampling, onEnd, clock = SYSTEM_CLOCK, randomHex = systemHex }: TracerDeps): Tracer {
  function startSpan(name: string, options: SpanOptions = {}, at: Context = context.active()): Span {
    const parent = options.root ? undefined : trace.getSpanContext(at);
    const traceId = parent?.traceId ?? randomHex(16);
    const isSampled = isSampledTrace(traceId, parent, sampling);
    const span: SpanContext = {
      traceId,
      spanId: randomHex(8),
      traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
      ...(parent?.traceState ? { traceState: parent.traceState } : {}),
    };
    if (!isSampled) return trace.wrapSpanContext(span);
    const { kind = SpanKind.INTERNAL, links = [], attributes = {} } = options;
    return new RecordedSpan({ name, kind, own: span, parent, links, attributes }, clock, onEnd);
  }
  return {
    startSpan,
    startActiveSpan: (name: string, ...rest: unknown[]) => {
      const run = rest.at(-1) as (span: Span) => unknown;
      const [options, at] = rest.slice(0, -1) as [SpanOptions?, Context?];
      const parent = at ?? context.active();
      const span = startSpan(name, options, parent);
      return context.with(trace.setSpan(parent, span), () => run(span)) as never;
    },
  };
}

/** By the trace's id, so that all processes decide alike; pure. */
export function isSampledTrace(
  traceId: string,
  parent: SpanContext | undefined,
  { ratio, followsParent }: TracerDeps['sampling'],
): boolean {
  if (parent && followsParent) return (parent.traceFlags & TraceFlags.SAMPLED) !== 0;
  // As the specification has it: the last 7 bytes of the id against the share of what they can be.
  return Number.parseInt(traceId.slice(18), 16) < ratio * 2 ** 56;
}

const SILENT_TRACER: Tracer = {
  startSpan: () => trace.wrapSpanContext(INVALID_SPAN_CONTEXT),
  startActiveSpan: (_name: string, ...rest: unknown[]) => {
    const run = rest.at(-1) as (span: Span) => unknown;
    return run(trace.wrapSpanContext(INVALID_SPAN_CONTEXT)) as never;
  },
};

/** Carries the context through awaits. */
export function createContextManager(): ContextManager {
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (at, run, self, ...args) => storage.run(at, () => run.apply(self as never, args)),
    bind: (at, target) =>
      typeof target === 'function'
        ? (((...args: unknown[]) => storage.run(at, () => target(...args))) as unknown as typeof target)
        : target,
    enable: () => manager,
    disable: () => {
      storage.disable();
      return manager;
    },
  };
  return manager;
}
