/**
 * The stored row of a job, written once: a line the scripts can read, a line of the envelope's rest, then the payload's
 * bytes untouched. See lua/rows/job_row.lua for the same format from the other side.
 */

import { parseJsonObject } from '@/lib/broker/redis/parse-json';
import type { EnqueueJob, Envelope, Unique } from '@/lib/contract/jobs/envelope';
import { ENVELOPE_VERSION, PAYLOAD_MAX_BYTES, UNIQUE_SCOPES } from '@/lib/contract/jobs/job-limits';
import { RedriveError } from '@/lib/contract/redrive-error';

const ONLY_AT = /^\{"at":(\d{1,15})\}$/;

interface Rest {
  at: number;
  notBefore?: number;
  key?: string;
  trace?: string;
  tp?: string;
  correlation?: string;
  ref?: string;
}

/** @throws RedriveError PAYLOAD_TOO_LARGE over 64 KiB */
export function checkPayload({ payload = '' }: Pick<EnqueueJob, 'payload'>): void {
  // No letter takes more than three bytes: short texts need not be measured.
  const short = typeof payload === 'string' && payload.length * 3 <= PAYLOAD_MAX_BYTES;
  const bytes = short ? 0 : typeof payload === 'string' ? Buffer.byteLength(payload) : payload.byteLength;
  if (bytes > PAYLOAD_MAX_BYTES)
    throw new RedriveError(
      'PAYLOAD_TOO_LARGE',
      `The payload is ${bytes} bytes; at most ${PAYLOAD_MAX_BYTES} are taken. Keep large data elsewhere and enqueue a reference in payloadRef.`,
      { fields: [{ field: 'payload', message: `is ${bytes} bytes; store it elsewhere and use payloadRef` }] },
    );
}

/** The payload must be checked before. */
export function encodeRow(job: EnqueueJob, createdAt: number): string | Buffer {
  const payload = job.payload ?? '';
  const unique = job.unique ? ` u=${uniqueSpec(job.unique)}` : '';
  const head = `${ENVELOPE_VERSION} ${job.priority} ${job.maxAttempts} ${job.deadline ?? 0} ${job.timeoutMs} ${job.jobType} ${job.jobVersion} ${job.tenantId}${unique}\n${restText(job, createdAt)}\n`;
  return typeof payload === 'string' ? head + payload : Buffer.concat([Buffer.from(head), payload]);
}

/** What the scripts read of a uniqueness key: the scope's first letter, the time to live, the key. See lua/jobs/unique_keys.lua. */
export const uniqueSpec = ({ scope, ttlMs, key }: Unique): string => `${scope.charAt(0)}:${ttlMs}:${key}`;

function parseUnique(field: string | undefined): Envelope['unique'] {
  const match = field?.match(/^u=([cdw]):\d+:(.+)$/);
  const scope = UNIQUE_SCOPES.find((name) => name.startsWith(match?.[1] ?? '?'));
  return match?.[2] && scope ? { key: match[2], scope } : null;
}

/** Reads the two head lines; null when the row is not ours (then a person must look at it). */
export function decodeEnvelope(jobId: string, head: string): Envelope | null {
  const lineEnd = head.indexOf('\n');
  const fields = head.slice(0, lineEnd === -1 ? undefined : lineEnd).split(' ');
  if (
    (fields.length !== 8 && fields.length !== 9) ||
    fields[0] !== String(ENVELOPE_VERSION) ||
    lineEnd === -1
  )
    return null;
  const rest = parseRest(head.slice(lineEnd + 1));
  if (!rest) return null;
  const [, priority, maxAttempts, deadline, timeoutMs, jobType, jobVersion, tenantId, unique] = fields;
  return {
    version: ENVELOPE_VERSION,
    jobId,
    jobType: jobType ?? '',
    jobVersion: Number(jobVersion),
    tenantId: tenantId ?? '',
    idempotencyKey: rest.key ?? null,
    createdAt: rest.at,
    notBefore: rest.notBefore ?? null,
    deadline: Number(deadline) || null,
    maxAttempts: Number(maxAttempts),
    priority: Number(priority),
    unique: parseUnique(unique),
    traceId: rest.trace ?? null,
    traceParent: rest.tp ?? null,
    correlationId: rest.correlation ?? null,
    payloadRef: rest.ref ?? null,
    timeoutMs: Number(timeoutMs),
  };
}

/** What read-rows.lua answers for each job. */
export const ROWS_FIELDS = 8;

/** The two head lines of a row, and the payload's bytes. A row without heads is not ours: all of it is payload. */
export function splitRow(row: Buffer): { head: string; payload: Buffer } {
  const first = row.indexOf(10);
  const second = first === -1 ? -1 : row.indexOf(10, first + 1);
  return second === -1
    ? { head: '', payload: row }
    : { head: row.toString('utf8', 0, second), payload: row.subarray(second + 1) };
}

export function decodeRow(jobId: string, row: Buffer): { envelope: Envelope | null; payload: Buffer } {
  const { head, payload } = splitRow(row);
  return { envelope: decodeEnvelope(jobId, head), payload };
}

/** Most jobs have only the time of their making, which needs no object to say. */
function restText(job: EnqueueJob, at: number): string {
  const { notBefore, idempotencyKey: key, traceId: trace, traceParent: tp, correlationId, payloadRef } = job;
  const some = notBefore ?? key ?? trace ?? tp ?? correlationId ?? payloadRef;
  if (some === undefined) return `{"at":${at}}`;
  const rest: Rest = { at, notBefore, key, trace, tp, correlation: correlationId, ref: payloadRef };
  return JSON.stringify(rest);
}

function parseRest(line: string): Rest | null {
  const only = ONLY_AT.exec(line);
  if (only) return { at: Number(only[1]) };
  const rest = parseJsonObject(line);
  return typeof rest?.at === 'number' ? { ...rest, at: rest.at } : null;
}
