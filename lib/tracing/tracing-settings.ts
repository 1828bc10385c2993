/**
 * The OpenTelemetry variables that console and demo worker read. They have the names and meanings of the OpenTelemetry specification,
 * with one difference: without an endpoint nothing is sent.
 */

export interface TracingSettings {
  /** Where batches of spans are posted. May hold a password: not for logs. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly sendEveryMs: number;
  /** What the process says about itself, `service.name` among it. */
  readonly resource: Readonly<Record<string, string>>;
  /** Share of the traces that begin here and are recorded, 0 to 1. */
  readonly ratio: number;
  /** Whether a trace that began elsewhere is recorded as it was there. */
  readonly followsParent: boolean;
}

/** Null: no spans are sent. */
export type TracingChoice = { readonly settings: TracingSettings | null } | { readonly problems: string[] };

type Environment = Readonly<Record<string, string | undefined>>;

const SAMPLERS = ['always_on', 'always_off', 'traceidratio'];
const PROTOCOLS = ['http/json', 'http/protobuf'];
const TIMEOUT_MS = 10_000;
const TIMEOUT_MAX_MS = 60_000;
const SEND_EVERY_MS = 5_000;

/** All problems at once, one sentence each, without the values: headers hold tokens. */
export function readTracingSettings(env: Environment, service: string): TracingChoice {
  const problems: string[] = [];
  const given = (...names: string[]) => names.map((name) => env[name]?.trim()).find(Boolean);
  const exporter = given('OTEL_TRACES_EXPORTER') ?? 'otlp';
  const base = given('OTEL_EXPORTER_OTLP_ENDPOINT');
  const own = given('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  const url = own ?? (base && `${base.replace(/\/+$/, '')}/v1/traces`);
  if (given('OTEL_SDK_DISABLED')?.toLowerCase() === 'true' || exporter === 'none' || !url)
    return { settings: null };
  if (exporter !== 'otlp') problems.push('OTEL_TRACES_EXPORTER must be otlp or none.');
  if (!isHttp(url))
    problems.push(
      `${own ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' : 'OTEL_EXPORTER_OTLP_ENDPOINT'} must be an http address, such as http://127.0.0.1:4318.`,
    );
  const protocol = given('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL');
  if (protocol && !PROTOCOLS.includes(protocol))
    problems.push(
      'OTEL_EXPORTER_OTLP_PROTOCOL must be http/json or http/protobuf: Redrive sends JSON over HTTP, which collectors take at port 4318.',
    );
  const resource = pairs(given('OTEL_RESOURCE_ATTRIBUTES'), 'OTEL_RESOURCE_ATTRIBUTES', problems);
  const headers = pairs(
    given('OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'OTEL_EXPORTER_OTLP_HEADERS'),
    'OTEL_EXPORTER_OTLP_HEADERS',
    problems,
  );
  const timeoutMs = wholeNumber(
    given('OTEL_EXPORTER_OTLP_TRACES_TIMEOUT', 'OTEL_EXPORTER_OTLP_TIMEOUT'),
    'OTEL_EXPORTER_OTLP_TIMEOUT',
    TIMEOUT_MS,
    problems,
  );
  const sendEveryMs = wholeNumber(
    given('OTEL_BSP_SCHEDULE_DELAY'),
    'OTEL_BSP_SCHEDULE_DELAY',
    SEND_EVERY_MS,
    problems,
  );
  const sampler = given('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on';
  const followsParent = sampler.startsWith('parentbased_');
  const kind = sampler.replace(/^parentbased_/, '');
  if (!SAMPLERS.includes(kind))
    problems.push(
      `OTEL_TRACES_SAMPLER must be ${SAMPLERS.join(', ')} or one of these after parentbased_, such as parentbased_traceidratio.`,
    );
  const share = Number(given('OTEL_TRACES_SAMPLER_ARG') ?? 1);
  if (!(share >= 0 && share <= 1)) problems.push('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.');
  if (problems.length > 0) return { problems };
  const ratio = kind === 'always_on' ? 1 : kind === 'always_off' ? 0 : share;
  const name = given('OTEL_SERVICE_NAME') ?? resource['service.name'] ?? service;
  return {
    settings: {
      url,
      headers,
      timeoutMs,
      sendEveryMs,
      resource: { ...resource, 'service.name': name },
      ratio,
      followsParent,
    },
  };
}

function isHttp(text: string): boolean {
  try {
    return /^https?:$/.test(new URL(text).protocol);
  } catch {
    return false;
  }
}

/** `name=value,name=value`, percent-encoded. */
function pairs(text: string | undefined, variable: string, problems: string[]): Record<string, string> {
  const entries = (text ?? '')
    .split(',')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const at = part.indexOf('=');
      return [part.slice(0, Math.max(0, at)).trim(), decoded(part.slice(at + 1).trim())] as const;
    });
  if (entries.some(([name, value]) => !/^[!#$%&'*+.^_`|~\w-]+$/.test(name) || value === null)) {
    problems.push(`${variable} must be a list such as name=value,other=value, percent-encoded.`);
    return {};
  }
  return Object.fromEntries(entries.map(([name, value]) => [name, value ?? '']));
}

function decoded(text: string): string | null {
  try {
    const value = decodeURIComponent(text);
    // A line break would end a header.
    return /[\r\n]/.test(value) ? null : value;
  } catch {
    return null;
  }
}

function wholeNumber(text: string | undefined, variable: string, otherwise: number, problems: string[]) {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= TIMEOUT_MAX_MS) return value;
  problems.push(`${variable} must be a whole number of milliseconds, 1 to ${TIMEOUT_MAX_MS}.`);
  return otherwise;
}
