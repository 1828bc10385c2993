/** A collector of traces for tests: takes OTLP over HTTP on loopback, and keeps every span. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const attributesSchema = z
  .array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) }))
  .transform((list) =>
    Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0] as unknown])),
  );
const linkSchema = z.object({ traceId: z.string(), spanId: z.string(), flags: z.number() });
/** As the JSON mapping of OTLP has it; an unknown member is a mistake of ours. */
const spanSchema = z.strictObject({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
  flags: z.number().int().min(0).max(0x3ff),
  name: z.string().min(1),
  kind: z.number().int().min(1).max(5),
  startTimeUnixNano: z.string().regex(/^\d{19}$/),
  endTimeUnixNano: z.string().regex(/^\d{19}$/),
  attributes: attributesSchema,
  links: z.array(linkSchema.extend({ attributes: attributesSchema })).default([]),
  status: z.strictObject({ code: z.number().int().min(0).max(2), message: z.string().optional() }),
});
const requestSchema = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes: attributesSchema }),
      scopeSpans: z.array(
        z.strictObject({ scope: z.object({ name: z.string() }), spans: z.array(spanSchema) }),
      ),
    }),
  ),
});

export type ReceivedSpan = z.output<typeof spanSchema> & { readonly service: unknown };

export interface TraceReceiver {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Headers of every request. */
  readonly requests: readonly Readonly<Record<string, unknown>>[];
  /** What was sent and is no OTLP. */
  readonly problems: readonly string[];
  /** Answers with this status from now on; spans are kept for 200 only. */
  answerWith(status: number): void;
  stop(): Promise<void>;
}

export async function startTraceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  const requests: Record<string, unknown>[] = [];
  const problems: string[] = [];
  let status = 200;
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part;
    requests.push({ ...request.headers, method: request.method, url: request.url });
    const parsed = requestSchema.safeParse(JSON.parse(text));
    if (!parsed.success) problems.push(z.prettifyError(parsed.error));
    else if (status === 200)
      for (const { resource, scopeSpans } of parsed.data.resourceSpans)
        for (const scope of scopeSpans)
          spans.push(
            ...scope.spans.map((span) => ({ ...span, service: resource.attributes['service.name'] })),
          );
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    requests,
    problems,
    answerWith: (next) => {
      status = next;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
