/** Runs a handler in a test, without Redis: the payload takes the way it would take, and nothing else happens. */

import type { Envelope } from '@/lib/contract/jobs/envelope';
import { DEFAULT_MAX_ATTEMPTS, ENVELOPE_VERSION } from '@/lib/contract/jobs/job-limits';
import { type Handler, type HandlerContext, type Once, SILENT } from '@/lib/worker';

export interface TestRun extends Partial<Omit<HandlerContext, 'job'>> {
  /** What the handler looks at in its envelope. */
  readonly job?: Partial<Envelope>;
}

/**
 * @example await expect(runHandler(sendInvoice, { invoiceId: 'in_42' })).resolves.toEqual({ sent: true });
 * @returns what the handler returned, before it is turned into JSON
 * @throws MalformedError when the schema refuses the payload, and whatever the handler throws
 */
export async function runHandler(handler: Handler, payload: unknown, run: TestRun = {}): Promise<unknown> {
  const { job: given, ...context } = run;
  const job = envelope(handler, given);
  const text = JSON.stringify(payload) as string | undefined;
  const checked = handler.check(text === undefined ? undefined : JSON.parse(text));
  return handler.run(checked, {
    job,
    attempt: 1,
    delivery: 1,
    signal: new AbortController().signal,
    logger: SILENT,
    once: memoryOnce(),
    ...context,
  });
}

/**
 * `ctx.once` without Redis. Give the same one to several runs, and the later ones find what the first has done.
 * @example const once = memoryOnce();
 *          await runHandler(sendInvoice, invoice, { once });
 *          await runHandler(sendInvoice, invoice, { once, attempt: 2 }); // sends nothing
 */
export function memoryOnce(): Once {
  const done = new Map<string, string | undefined>();
  return async (key, fn) => {
    if (done.has(key)) {
      const text = done.get(key);
      return { value: text === undefined ? undefined : JSON.parse(text), reused: true };
    }
    const value = await fn({ signal: new AbortController().signal });
    // As Redis would give it back.
    done.set(key, JSON.stringify(value));
    return { value, reused: false };
  };
}

const envelope = (handler: Handler, given: Partial<Envelope> = {}): Envelope => ({
  version: ENVELOPE_VERSION,
  jobId: 'test-job',
  jobType: handler.type,
  jobVersion: Math.max(...handler.versions),
  tenantId: 'default',
  idempotencyKey: null,
  createdAt: Date.now(),
  notBefore: null,
  deadline: null,
  maxAttempts: DEFAULT_MAX_ATTEMPTS,
  priority: 0,
  unique: null,
  traceId: null,
  traceParent: null,
  correlationId: null,
  payloadRef: null,
  timeoutMs: 0,
  ...given,
});
