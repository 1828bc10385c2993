/** The facts a query is judged by, from everything that is stored of a job. Mirrors search-facts.lua. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { NO_PRINT } from '@/lib/broker/jobs/failure-fingerprint';
import { splitRow } from '@/lib/broker/jobs/job-row';
import { parseDeathRow, parseHistoryLine, parseTries } from '@/lib/broker/jobs/read/stored-rows';
import { textRedactor } from '@/lib/broker/queues/settings/queue-redaction';
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { parseJsonObject } from '@/lib/broker/redis/parse-json';
import { replyList, replyText } from '@/lib/broker/redis/script-reply';
import type { JobState } from '@/lib/contract/jobs/job-states';
import { jobIdSchema } from '@/lib/contract/name-schemas';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import { type Redaction, redactText } from '@/lib/contract/redaction';
import type { JobFacts } from '@/lib/contract/search/query';
import { isDeathState } from '../plan/columns-to-read';

export interface StoredJob {
  readonly row: Buffer;
  readonly claim: string;
  readonly tries: string;
  readonly death: string;
  readonly history: string;
  readonly result: string;
  readonly operation: string;
  readonly waiting: string;
}

const JOBS_PER_CALL = 50;
const BYTES_PER_CALL = 256 * 1024;
const FIELDS = 8;

/** All rows of some jobs, in their order. @param operations looked for among those that re-drove completed jobs */
export async function readStoredJobs(
  ctx: BrokerContext,
  name: string,
  ids: readonly string[],
  operations: readonly string[] = [],
): Promise<StoredJob[]> {
  const stored: StoredJob[] = [];
  while (stored.length < ids.length) {
    const batch = ids.slice(stored.length, stored.length + JOBS_PER_CALL);
    for (const id of batch) parseOrThrow(jobIdSchema, id, 'jobId');
    const reply = replyList(
      await ctx.runBuffer('search-rows', name, [BYTES_PER_CALL, operations.length, ...operations, ...batch]),
      'search-rows',
    );
    if (reply.length < FIELDS) throw new Error('search-rows: no reply for the first job');
    for (let i = 0; i + FIELDS <= reply.length; i += FIELDS) {
      const [row, ...rest] = reply.slice(i, i + FIELDS);
      const [claim = '', tries = '', death = '', history = '', result = '', operation = '', waiting = ''] =
        rest.map(replyText);
      stored.push({
        row: Buffer.isBuffer(row) ? row : Buffer.alloc(0),
        claim,
        tries,
        death,
        history,
        result,
        operation,
        waiting,
      });
    }
  }
  return stored;
}

const HEAD = /^1 (-?\d+) \d+ \d+ \d+ (\S+) (\d+) (\S+)[^\n]*$/;
const CREATED = /^\{"at":(\d+)/;

/** A dead job whose death row is lost or unreadable. */
const UNKNOWN_DEATH = {
  type: 'unknown',
  version: 0,
  tenant: 'unknown',
  priority: 0,
  attempts: 0,
  code: null,
  class: null,
  group: null,
  operation: null,
};

/** @param redaction hides parts of the payload, and of the message what repeats them; null: both are left out */
export function jobFactsOf(
  queue: string,
  state: JobState,
  { jobId, score }: { jobId: string; score: number },
  stored: StoredJob,
  redaction: Redaction | null,
  withPayload = true,
): JobFacts {
  const { head, payload } = splitRow(stored.row);
  const [line = '', rest = ''] = head.split('\n');
  const [, priority = '0', type = 'unknown', version = '0', tenant = 'unknown'] = HEAD.exec(line) ?? [];
  const error = lastError(state, stored.history);
  const references = referencesIn(rest);
  const texts = redaction && textRedactor(stored.row.length > 0 ? payload : null, redaction);
  const facts = isDeathState(state)
    ? (parseDeathRow(stored.death) ?? UNKNOWN_DEATH)
    : {
        type,
        version: Number(version),
        tenant,
        priority: Number(priority),
        attempts: attemptsOf(state, stored),
        code: error.code,
        class: error.class,
        group: groupOf(type, error),
        operation: stored.operation.split(' ', 1)[0] || null,
      };
  return {
    ...facts,
    queue,
    id: jobId,
    key: references.key,
    correlation: references.correlation,
    trace: references.trace,
    enteredAt: enteredAt(state, score, stored, error.at, rest),
    payload:
      redaction && withPayload && payload.length > 0 && isUtf8(payload)
        ? redactText(payload.toString('utf8'), redaction).text
        : null,
    message: texts?.text(error.message) ?? null,
  };
}

function referencesIn(rest: string): Record<'key' | 'correlation' | 'trace', string | null> {
  const fields = parseJsonObject(rest);
  const textOf = (value: unknown) => (typeof value === 'string' ? value : null);
  return { key: textOf(fields?.key), correlation: textOf(fields?.correlation), trace: textOf(fields?.trace) };
}

function attemptsOf(state: JobState, { claim, result, tries }: StoredJob): number {
  if (state === 'in-flight') return Number(claim.split(' ')[3]) || 0;
  if (state === 'completed') return Number(result.split(' ')[3]) || 0;
  return parseTries(tries).attempt;
}

function enteredAt(
  state: JobState,
  score: number,
  { claim, waiting }: StoredJob,
  failedAt: number | null,
  rest: string,
): number {
  switch (state) {
    case 'ready':
      return Number(waiting) || 0;
    case 'in-flight':
      return Number(claim.split(' ')[2]) || score;
    case 'retry':
      return failedAt ?? score;
    case 'scheduled':
    case 'held':
      return Number(CREATED.exec(rest)?.[1] ?? 0);
    default:
      return score;
  }
}

interface LastError {
  readonly at: number | null;
  readonly class: string | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly print: string;
}
const NO_ERROR: LastError = { at: null, class: null, code: null, message: null, print: NO_PRINT };
const PRINT = /^(?:\S+ ){7}\{"print":"([0-9a-f]+)"/;

/** Of a dead job the last history line with an error, of others the last line. */
export function lastErrorLine(state: JobState, history: string): string | undefined {
  const lines = history.split('\n');
  const isError = (text: string) => (text.split(' ', 6)[5] ?? '-') !== '-';
  return isDeathState(state) ? lines.findLast(isError) : lines.at(-1);
}

function lastError(state: JobState, history: string): LastError {
  if (state === 'completed' || history === '') return NO_ERROR;
  const line = lastErrorLine(state, history);
  const entry = line === undefined ? null : parseHistoryLine(line);
  if (!entry) return NO_ERROR;
  return {
    at: entry.at,
    class: entry.errorClass,
    code: entry.errorCode,
    message: entry.message ?? entry.reason,
    print: PRINT.exec(line ?? '')?.[1] ?? NO_PRINT,
  };
}

/** The failure group a job that is not dead would be added to; mirrors group-name.lua. */
function groupOf(type: string, error: LastError): string | null {
  if (error.class === null) return null;
  return createHash('sha1')
    .update([type, error.class, error.code ?? '-', error.print].join('\n'))
    .digest('hex')
    .slice(0, 12);
}
