/** Spans in the JSON of OTLP 1 (ExportTraceServiceRequest). Pure. */
import type { AttributeValue } from '@opentelemetry/api';
import { TRACER_NAME } from './active-tracer';
import type { SpanRecord } from './recorded-span';

/** Trace flags in the low byte; bits 8 and 9 say whether a parent or a link came from another process. */
const HAS_REMOTE = 0x100;
const IS_REMOTE = 0x200;
const remoteFlags = (span: { isRemote?: boolean | undefined; traceFlags: number }) =>
  span.traceFlags | HAS_REMOTE | (span.isRemote ? IS_REMOTE : 0);

/** The body of one request. */
export function exportRequest(
  spans: readonly SpanRecord[],
  resource: Readonly<Record<string, string>>,
): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: TRACER_NAME }, spans: spans.map(spanJson) }],
      },
    ],
  });
}

const spanJson = ({ name, kind, own, parent, links, attributes, status, startMs, endMs }: SpanRecord) => ({
  traceId: own.traceId,
  spanId: own.spanId,
  ...(parent ? { parentSpanId: parent.spanId } : {}),
  flags: parent ? remoteFlags({ ...parent, traceFlags: own.traceFlags }) : own.traceFlags,
  name,
  // The API counts from 0, OTLP from 1.
  kind: kind + 1,
  startTimeUnixNano: nanoseconds(startMs),
  endTimeUnixNano: nanoseconds(endMs),
  attributes: attributesOf(attributes),
  ...(links.length > 0
    ? {
        links: links.map(({ context, attributes: more = {} }) => ({
          traceId: context.traceId,
          spanId: context.spanId,
          flags: remoteFlags(context),
          attributes: attributesOf(more),
        })),
      }
    : {}),
  status: { code: status.code, ...(status.message ? { message: status.message } : {}) },
});

/** Beyond 2^53, where numbers of JavaScript have gaps. */
const nanoseconds = (ms: number): string => String(BigInt(Math.round(ms * 1_000)) * 1_000n);

const attributesOf = (attributes: Readonly<Record<string, AttributeValue | undefined>>) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: valueJson(value) }],
  );

function valueJson(value: AttributeValue | null | undefined): object {
  if (Array.isArray(value)) return { arrayValue: { values: value.map(valueJson) } };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { stringValue: String(value) };
}
