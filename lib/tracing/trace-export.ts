/** Turns spans on by environment variables alone, where no SDK is registered already. */
import { context, trace } from '@opentelemetry/api';
import { activeTracer } from './active-tracer';
import { createSpanExporter, type ExportLogger } from './span-exporter';
import { createContextManager, createTracerProvider } from './tracer-provider';
import { readTracingSettings } from './tracing-settings';

export interface TraceExport {
  /** Sends the spans that have ended, for at most so long. */
  stop(withinMs?: number): Promise<void>;
}

const STOP_WITHIN_MS = 1_000;
const NONE: TraceExport = { stop: async () => undefined };

/**
 * Sends the spans of this process to the collector that `OTEL_EXPORTER_OTLP_ENDPOINT` names; without one, or beside an SDK that was
 * registered before (`node --import`), it does nothing.
 * @param service `service.name`, where the environment gives none
 * @returns or one sentence for every variable that cannot be used
 */
export function startTraceExport(
  env: Readonly<Record<string, string | undefined>>,
  service: string,
  logger: ExportLogger,
): TraceExport | { readonly problems: readonly string[] } {
  const choice = readTracingSettings(env, service);
  if ('problems' in choice) return choice;
  const { settings } = choice;
  if (settings === null || activeTracer() !== undefined) return NONE;
  const exporter = createSpanExporter({ settings, logger });
  context.setGlobalContextManager(createContextManager());
  trace.setGlobalTracerProvider(createTracerProvider({ sampling: settings, onEnd: exporter.add }));
  return { stop: (withinMs = STOP_WITHIN_MS) => exporter.stop(withinMs) };
}
