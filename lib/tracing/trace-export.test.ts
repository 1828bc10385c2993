/** Spans as a collector gets them, over a real socket; and the variables that decide about it. */
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTraceReceiver, type TraceReceiver } from '@/testing/observability/trace-receiver';
import { until } from '@/testing/poll';
import { activeTracer, traceParentOf } from './active-tracer';
import { createSpanExporter } from './span-exporter';
import { startTraceExport, type TraceExport } from './trace-export';
import { isSampledTrace } from './tracer-provider';
import { readTracingSettings } from './tracing-settings';

let receiver: TraceReceiver;
let running: TraceExport | undefined;
const lines: { fields: object; message: string }[] = [];
const logger = {
  info: (fields: object, message: string) => void lines.push({ fields, message }),
  warn: (fields: object, message: string) => void lines.push({ fields, message }),
};

beforeAll(async () => {
  receiver = await startTraceReceiver();
});
afterAll(() => receiver.stop());
afterEach(async () => {
  await running?.stop();
  running = undefined;
  trace.disable();
  context.disable();
  receiver.answerWith(200);
  lines.length = 0;
});

function start(env: Record<string, string> = {}): void {
  const started = startTraceExport(
    { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: '20', ...env },
    'a-service',
    logger,
  );
  if ('problems' in started) throw new Error(started.problems.join(' '));
  running = started;
}
const received = (name: string) =>
  until(() => receiver.spans.find((span) => span.name === name), {
    what: `the span ${name}`,
    timeoutMs: 10_000,
  });

describe('with an endpoint', () => {
  it('a span arrives whole: ids, parent, kind, times, attributes, links and status', async () => {
    start({
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc,x-tenant=a',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
    const tracer = activeTracer();
    const outer = tracer?.startSpan('outer');
    if (!tracer || !outer) throw new Error('no tracer');
    const before = Date.now();
    await context.with(trace.setSpan(context.active(), outer), async () => {
      await new Promise(setImmediate);
      const inner = tracer.startSpan('inner', {
        kind: SpanKind.CONSUMER,
        links: [{ context: { ...outer.spanContext(), isRemote: true } }],
        attributes: { text: 'a', whole: 3, part: 0.5, yes: true, list: ['x', 'y'] },
      });
      inner.setStatus({ code: SpanStatusCode.ERROR, message: 'HTTP_503' });
      inner.end();
      inner.setAttribute('late', 1);
      inner.end();
    });
    outer.end();
    const inner = await received('inner');
    const { traceId, spanId } = outer.spanContext();
    expect(inner).toMatchObject({
      service: 'a-service',
      traceId,
      parentSpanId: spanId,
      flags: 0x101,
      kind: 5,
      attributes: { text: 'a', whole: '3', part: 0.5, yes: true },
      links: [{ traceId, spanId, flags: 0x301 }],
      status: { code: 2, message: 'HTTP_503' },
    });
    expect(inner.attributes).not.toHaveProperty('late');
    expect(Number(BigInt(inner.startTimeUnixNano) / 1_000_000n)).toBeGreaterThanOrEqual(before - 1);
    expect(BigInt(inner.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(inner.startTimeUnixNano));
    expect((await received('outer')).parentSpanId).toBeUndefined();
    expect(receiver.spans.filter(({ name }) => name === 'inner')).toHaveLength(1);
    expect(receiver.problems).toEqual([]);
    expect(receiver.requests.at(-1)).toMatchObject({
      method: 'POST',
      url: '/v1/traces',
      authorization: 'Bearer abc',
      'x-tenant': 'a',
      'content-type': 'application/json',
    });
  });

  it('spans of other tracers, such as the framework’s, are not sent, and their code runs', () => {
    start();
    const other = trace.getTracer('next.js');
    expect(other.startActiveSpan('page', (span) => span.isRecording())).toBe(false);
  });

  it('a trace that is not sampled keeps its id and sends nothing', async () => {
    start({ OTEL_TRACES_SAMPLER: 'always_off' });
    const span = activeTracer()?.startSpan('unseen');
    expect(traceParentOf(span?.spanContext())).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    span?.end();
    await running?.stop();
    expect(receiver.spans.map(({ name }) => name)).not.toContain('unseen');
  });

  it('what has ended is sent at the stop', async () => {
    start({ OTEL_BSP_SCHEDULE_DELAY: '60000' });
    activeTracer()?.startSpan('last').end();
    await running?.stop();
    expect(receiver.spans.map(({ name }) => name)).toContain('last');
  });
});

describe('a collector in trouble', () => {
  it('gets the spans when it is back, and the log says both once', async () => {
    receiver.answerWith(503);
    start();
    activeTracer()?.startSpan('late').end();
    await until(() => lines.length > 0, { what: 'a line', timeoutMs: 10_000 });
    expect(lines).toEqual([
      {
        fields: expect.objectContaining({ reason: 'status 503', dropped: 0 }),
        message: 'spans did not reach the collector',
      },
    ]);
    receiver.answerWith(200);
    await received('late');
    await until(() => lines.length === 2, { what: 'the second line', timeoutMs: 10_000 });
    expect(lines[1]?.message).toBe('spans reach the collector again');
  });

  it('a full queue drops spans and counts them; the address is in no line', async () => {
    const exporter = createSpanExporter({
      settings: {
        url: 'http://user:secret@127.0.0.1:1/v1/traces',
        headers: {},
        timeoutMs: 1_000,
        sendEveryMs: 1,
        resource: {},
      },
      logger,
      nowMs: () => 0,
    });
    const own = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 };
    const span = {
      name: 'x',
      kind: 0,
      own,
      parent: undefined,
      links: [],
      attributes: {},
      status: { code: 0 },
      startMs: 0,
      endMs: 0,
    };
    for (let i = 0; i < 3_000; i++) exporter.add(span);
    await until(() => lines.length > 0, { what: 'a line', timeoutMs: 10_000 });
    await exporter.stop(100);
    expect(lines[0]?.fields).toMatchObject({ reason: 'ECONNREFUSED', dropped: 3_000 - 2_048 });
    expect(JSON.stringify(lines)).not.toContain('secret');
  });
});

describe('the variables', () => {
  const read = (env: Record<string, string>) => readTracingSettings(env, 'redrive-console');
  const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };

  it.each([
    ['no endpoint', {}],
    ['an empty endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
    ['OTEL_SDK_DISABLED', { ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }],
    ['OTEL_TRACES_EXPORTER=none', { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
  ])('%s: nothing is sent', (_, env) => {
    expect(read(env)).toEqual({ settings: null });
  });

  it('have defaults, and traces have variables of their own', () => {
    expect(read(ENDPOINT)).toEqual({
      settings: {
        url: 'http://collector:4318/v1/traces',
        headers: {},
        timeoutMs: 10_000,
        sendEveryMs: 5_000,
        resource: { 'service.name': 'redrive-console' },
        ratio: 1,
        followsParent: true,
      },
    });
    expect(
      read({
        ...ENDPOINT,
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://other/spans',
        OTEL_SERVICE_NAME: 'mine',
        OTEL_TRACES_SAMPLER: 'traceidratio',
        OTEL_TRACES_SAMPLER_ARG: '0.25',
      }),
    ).toMatchObject({
      settings: {
        url: 'https://other/spans',
        resource: { 'service.name': 'mine' },
        ratio: 0.25,
        followsParent: false,
      },
    });
  });

  it('that are wrong are named all at once, without their values', () => {
    const wrong = read({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_HEADERS: 'secret',
      OTEL_EXPORTER_OTLP_TIMEOUT: '5s',
      OTEL_TRACES_SAMPLER: 'sometimes',
      OTEL_TRACES_SAMPLER_ARG: '2',
    });
    if (!('problems' in wrong)) throw new Error('accepted');
    expect(wrong.problems).toHaveLength(6);
    expect(wrong.problems.join(' ')).not.toContain('secret');
    for (const problem of wrong.problems) expect(problem).toMatch(/^OTEL_\w+ must be .*\.$/);
  });

  it('the share of traces is decided by their id, and a parent decides where it counts', () => {
    const half = { ratio: 0.5, followsParent: true };
    const of = (digit: string) => `${'0'.repeat(18)}${digit.repeat(14)}`;
    expect(isSampledTrace(of('7'), undefined, half)).toBe(true);
    expect(isSampledTrace(of('8'), undefined, half)).toBe(false);
    const parent = { traceId: of('8'), spanId: '1'.repeat(16), traceFlags: 1 };
    expect(isSampledTrace(of('8'), parent, half)).toBe(true);
    expect(isSampledTrace(of('8'), parent, { ...half, followsParent: false })).toBe(false);
  });
});
