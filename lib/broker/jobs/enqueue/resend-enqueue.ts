/**
 * Sends jobs again under the same ids until they are in or a deadline has passed. The queue remembers ids for longer than this, so a job
 * that an earlier try entered is found, not doubled.
 */

import { withDeadline } from '@/lib/broker/redis/call-deadline';
import { withoutUnchanged } from '@/lib/broker/shards/partial-change';
import { errorText } from '@/lib/contract/describe-error';
import {
  type ParsedResendOptions,
  RESEND_FOR_MAX_MS,
  type ResendOptions,
  resendOptionsSchema,
} from '@/lib/contract/jobs/claim-options';
import { retryDelayMs } from '@/lib/contract/jobs/retry-policy';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import { RedriveError } from '@/lib/contract/redrive-error';
import { type EnqueueEntry, entryBytes } from './enqueue-entries';
import { isFull } from './enqueue-replies';

/** Soon enough after a lost connection, late enough that thousands of producers leave room for what Redis has to do first. */
const WAITS = { baseMs: 25, factor: 2, maxMs: 1_000, jitter: 1 };
/** No other try would succeed until a person acts: an address, a password or a right is wrong. */
const HOPELESS =
  /^-?(NOAUTH|WRONGPASS|NOPERM|MOVED|ASK)\b|certificate|altnames|self.signed|wrong version number/i;

/** Redis looked: the job is not in, or another has its id. */
const JUDGED: ReadonlySet<string> = new Set([
  'VALIDATION',
  'PAYLOAD_TOO_LARGE',
  'ID_CONFLICT',
  'NOT_UNIQUE',
  'QUEUE_FULL',
  'QUEUE_DRAINING',
]);

export interface Resender {
  /**
   * @param send one try, with all of the entries
   * @throws RedriveError UNKNOWN_OUTCOME when a try may have entered jobs and none was answered in time
   */
  send<T>(
    entries: readonly EnqueueEntry[],
    options: ResendOptions,
    send: (entries: readonly EnqueueEntry[]) => Promise<T>,
  ): Promise<T>;
  /** Ends every wait: what may be in ends as an unknown outcome. */
  close(): void;
}

/** @param ready asks whether Redis is there; cheap while it is not */
export function createResender(ready: () => Promise<unknown>, random: () => number = Math.random): Resender {
  let waitingBytes = 0;
  let closed = false;
  const waiting = new Set<() => void>();
  let looking = false;

  /** Until `ms` are over, `group` lets it go, its signal is aborted, or all is closed. */
  function wait(ms: number, signal: AbortSignal | undefined, group?: Set<() => void>): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        waiting.delete(end);
        group?.delete(end);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      waiting.add(end);
      group?.add(end);
      signal?.addEventListener('abort', end);
      if (closed || signal?.aborted) end();
    });
  }

  /** One loop asks for all whether Redis is back: thousands of calls trying on their own would keep this process too busy to connect. */
  const away = new Set<() => void>();
  async function lookForAll(): Promise<void> {
    if (looking) return;
    looking = true;
    for (let looks = 1; away.size > 0 && !closed; looks++) {
      const isBack = await ready().then(
        () => true,
        () => false,
      );
      if (isBack) for (const end of [...away]) end();
      else await wait(retryDelayMs(looks, WAITS, random), undefined);
    }
    looking = false;
  }
  async function untilBack(ms: number, signal: AbortSignal | undefined): Promise<void> {
    const endsAtMs = performance.now() + ms;
    const gone = wait(ms, signal, away);
    void lookForAll();
    await gone;
    const spreadMs = Math.min(1_000, waiting.size / 10);
    await wait(Math.max(0, Math.min(random() * spreadMs, endsAtMs - performance.now())), signal);
  }

  return {
    async send(entries, input, send) {
      const { forMs, maxBytes, signal } = parseResend(input);
      signal?.throwIfAborted();
      const startedAtMs = performance.now();
      const ageMs = () => performance.now() - startedAtMs;
      const isOver = () => ageMs() >= forMs || closed || signal?.aborted === true;
      let mayBeIn = false;
      let bytes = 0;
      try {
        for (let tries = 1; ; tries++) {
          try {
            const trying = send(mayBeIn ? entries.map((entry) => aged(entry, ageMs())) : entries);
            return await (forMs === 0 ? trying : withDeadline(trying, Math.max(1, forMs - ageMs()), late));
          } catch (error) {
            const verdict = verdictOn(error, mayBeIn);
            if (verdict === 'final') throw error;
            if (verdict === 'hopeless') throw mayBeIn ? unknown(entries, tries, null, error) : error;
            mayBeIn ||= verdict === 'unknown';
            if (bytes === 0) {
              bytes = entries.reduce((sum, entry) => sum + entryBytes(entry), 0);
              waitingBytes += bytes;
            }
            const full = waitingBytes > maxBytes;
            if (!full && !isOver()) {
              await wait(Math.min(retryDelayMs(tries, WAITS, random), forMs - ageMs()), signal);
              if (!isOver()) await untilBack(forMs - ageMs(), signal);
            }
            if (!full && !isOver()) continue;
            if (mayBeIn && forMs > 0) throw unknown(entries, tries, full ? maxBytes : null, error);
            if (!mayBeIn) signal?.throwIfAborted();
            throw error;
          }
        }
      } finally {
        waitingBytes -= bytes;
      }
    },
    close() {
      closed = true;
      for (const end of [...waiting]) end();
    },
  };
}

/** The usual options, without the schema. @throws RedriveError VALIDATION */
export function parseResend(input: ResendOptions): ParsedResendOptions {
  const { forMs, maxBytes, signal, ...others } = input ?? {};
  const isUsual =
    isWithin(forMs, RESEND_FOR_MAX_MS) &&
    isWithin(maxBytes, Number.MAX_SAFE_INTEGER) &&
    signal === undefined &&
    Object.keys(others).length === 0;
  return isUsual ? { forMs, maxBytes } : parseOrThrow(resendOptionsSchema, input, 'resend options');
}

const isWithin = (value: unknown, max: number): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max;

/** `translate`'s words are for calls; this one is the end of several. */
const late = () => new RedriveError('UNKNOWN_OUTCOME', 'Redis did not answer in time.');

/** Sent before: a queue that no longer remembers its id must refuse it. */
const aged = (entry: EnqueueEntry, ageMs: number): EnqueueEntry => ({
  ...entry,
  isNew: false,
  ageMs: (entry.ageMs ?? 0) + ageMs,
});

/**
 * `unknown`: the try may have entered jobs. `not-in`: it certainly did not. `final`: no other try is called for. `hopeless`: none would
 * succeed.
 */
function verdictOn(error: unknown, mayBeIn: boolean): 'unknown' | 'not-in' | 'final' | 'hopeless' {
  const code = error instanceof RedriveError ? error.code : null;
  if (isFull(error)) return 'hopeless';
  if (code === 'UNKNOWN_OUTCOME') return 'unknown';
  const cause = error instanceof RedriveError ? errorText(error.cause) : '';
  if (code === 'REDIS_UNAVAILABLE') return HOPELESS.test(cause) ? 'hopeless' : 'not-in';
  // Whatever else went wrong says nothing about earlier tries.
  const judged = code !== null && JUDGED.has(code);
  return judged || !mayBeIn ? 'final' : 'not-in';
}

function unknown(
  entries: readonly EnqueueEntry[],
  tries: number,
  maxBytes: number | null,
  cause: unknown,
): RedriveError {
  const [first] = entries;
  const what =
    entries.length === 1
      ? `The job ${first?.jobId}`
      : `Each of the ${entries.length} jobs, from ${first?.jobId} on,`;
  const why =
    maxBytes === null
      ? ''
      : ` It was not sent again: ${maxBytes} bytes of jobs wait for Redis already (resendMaxBytes).`;
  const last = cause instanceof Error ? ` The last of ${tries} tries: ${withoutUnchanged(cause)}` : '';
  return new RedriveError(
    'UNKNOWN_OUTCOME',
    `${what} may or may not be in: Redis gave no answer in time.${why} Send it again under the same id within the queue's resendWindowMs, and it is there once.${last}`,
    { cause },
  );
}
