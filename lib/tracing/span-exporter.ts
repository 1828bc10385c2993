/** Sends ended spans to a collector in batches. It never holds up what it traces: a full queue drops spans, and says so. */
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { exportRequest } from './otlp-json';
import type { SpanRecord } from './recorded-span';
import type { TracingSettings } from './tracing-settings';

/** As the OpenTelemetry SDKs have them. */
const QUEUE_MAX = 2_048;
const BATCH_MAX = 512;
/** How often trouble with the collector is logged. */
const REMIND_EVERY_MS = 60_000;
/** Answers after which the same batch may be sent again. */
const TRY_AGAIN: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export interface ExportLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface SpanExporter {
  add(span: SpanRecord): void;
  /** Sends what is left, within `withinMs`. */
  stop(withinMs: number): Promise<void>;
}

export interface ExporterDeps {
  readonly settings: Pick<TracingSettings, 'url' | 'headers' | 'timeoutMs' | 'sendEveryMs' | 'resource'>;
  readonly logger: ExportLogger;
  readonly nowMs?: () => number;
}

export function createSpanExporter({
  settings,
  logger,
  nowMs = () => performance.now(),
}: ExporterDeps): SpanExporter {
  const queue: SpanRecord[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | null = null;
  let dropped = 0;
  let failures = 0;
  let remindAtMs = 0;

  function schedule(inMs: number): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      void send(settings.timeoutMs);
    }, inMs);
    timer.unref();
  }

  /** One batch at a time; what comes meanwhile waits for the next. */
  function send(timeoutMs: number): Promise<void> {
    sending ??= sendBatch(timeoutMs).finally(() => {
      sending = null;
      if (queue.length > 0) schedule(queue.length >= BATCH_MAX && failures === 0 ? 0 : settings.sendEveryMs);
    });
    return sending;
  }

  async function sendBatch(timeoutMs: number): Promise<void> {
    const batch = queue.splice(0, BATCH_MAX);
    if (batch.length === 0) return;
    const problem = await post(settings, exportRequest(batch, settings.resource), timeoutMs);
    if (problem === null) {
      if (failures > 0) logger.info({ failures, dropped }, 'spans reach the collector again');
      failures = 0;
      dropped = 0;
      return;
    }
    failures += 1;
    const room = problem.mayTryAgain ? QUEUE_MAX - queue.length : 0;
    queue.unshift(...batch.slice(0, room));
    dropped += batch.length - Math.min(room, batch.length);
    if (failures > 1 && nowMs() < remindAtMs) return;
    remindAtMs = nowMs() + REMIND_EVERY_MS;
    logger.warn({ reason: problem.reason, failures, dropped }, 'spans did not reach the collector');
  }

  return {
    add(span) {
      if (queue.length >= QUEUE_MAX) {
        dropped += 1;
        return;
      }
      queue.push(span);
      if (queue.length === BATCH_MAX && failures === 0) {
        clearTimeout(timer);
        timer = undefined;
        schedule(0);
      } else schedule(settings.sendEveryMs);
    },
    async stop(withinMs) {
      clearTimeout(timer);
      const endsAtMs = nowMs() + withinMs;
      const leftMs = () => Math.max(1, Math.min(settings.timeoutMs, endsAtMs - nowMs()));
      if (sending !== null) await Promise.race([sending, afterMs(leftMs())]);
      // A collector that fails is not waited for twice.
      while (queue.length > 0 && failures === 0 && nowMs() < endsAtMs && sending === null)
        await send(leftMs());
      clearTimeout(timer);
    },
  };
}

const afterMs = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref());

interface PostProblem {
  /** Without the address, which may hold a password. */
  readonly reason: string;
  readonly mayTryAgain: boolean;
}

/** Not `fetch`: the framework replaces it. Null: the collector has the spans. */
function post(
  { url, headers }: Pick<TracingSettings, 'url' | 'headers'>,
  body: string,
  timeoutMs: number,
): Promise<PostProblem | null> {
  return new Promise((resolve) => {
    const fail = (reason: string, mayTryAgain = true) => resolve({ reason, mayTryAgain });
    const sent = (url.startsWith('https:') ? httpsRequest : httpRequest)(
      url,
      {
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
        },
      },
      (response) => {
        response.resume();
        const status = response.statusCode ?? 0;
        if (status >= 200 && status < 300) resolve(null);
        else fail(`status ${status}`, TRY_AGAIN.has(status));
      },
    );
    const deadline = setTimeout(() => sent.destroy(new Error('timeout')), timeoutMs);
    deadline.unref();
    sent.on('close', () => clearTimeout(deadline));
    sent.on('error', (error: NodeJS.ErrnoException) =>
      fail(error.code ?? `no answer within ${timeoutMs} ms`),
    );
    sent.end(body);
  });
}
