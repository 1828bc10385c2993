/**
 * A schedule as it is stored: a line the scripts read and write, a line of JSON that only people change, then the payload's
 * bytes untouched. The same three parts as a job's row.
 */

import { type OperationRights, operationRightsSchema } from '@/lib/contract/operations/operation-rights';
import {
  occurrenceOutcomeSchema,
  type Schedule,
  type ScheduleSummary,
  scheduleSchema,
  scheduleSummarySchema,
} from '@/lib/contract/schedules/schedule-schemas';

/** A schedule with its internal fields. */
export interface ScheduleRecord {
  readonly schedule: Schedule;
  /** The request that made it, so that a resend finds it. */
  readonly requestId: string | null;
  /** Part of the ids of its jobs, so that no producer can take an id before the schedule does. Never shown. */
  readonly secret: string;
  /** Who answers for what it does; null: a call of the library. */
  readonly rights: OperationRights | null;
}
export interface StoredSchedule extends ScheduleRecord {
  /** The very text that is stored: what a write compares with. */
  readonly text: string;
}

/** 100 bits of chance. */
export const SECRET_CHARS = 20;

const HEAD = /^1 (\d+) (\d+) (\d+) (\S+) (\S+) (\d+) (\d+)$/;

export function encodeSchedule({ schedule, requestId, secret, rights }: ScheduleRecord): string {
  const { id: _, generation, nextAt, last, entered, skipped, job, ...rest } = schedule;
  const { payload, ...envelope } = job;
  const head = [1, generation, nextAt ?? 0, ...lastRunFields(last), entered, skipped];
  return `${head.join(' ')}\n${JSON.stringify({ ...rest, job: envelope, requestId, secret, rights })}\n${payload}`;
}

/** Null when the text is not ours: it must not take the list of all others with it. */
export function decodeSchedule(id: string, text: string): StoredSchedule | null {
  const cut = text.indexOf('\n', text.indexOf('\n') + 1);
  const fields = cut < 0 ? null : decodeHeadLines(id, text.slice(0, cut));
  if (!fields) return null;
  const { requestId, secret, rights, ...rest } = fields;
  const parsed = scheduleSchema.safeParse({ ...rest, job: { ...rest.job, payload: text.slice(cut + 1) } });
  return parsed.success ? { schedule: parsed.data, requestId, secret, rights, text } : null;
}

export interface ScheduleListItem extends Pick<ScheduleRecord, 'secret'> {
  readonly summary: ScheduleSummary;
  readonly rights: OperationRights | null;
}

export function decodeSummary(id: string, head: string, payloadBytes: number): ScheduleListItem | null {
  const fields = decodeHeadLines(id, head);
  if (!fields) return null;
  const parsed = scheduleSummarySchema.safeParse({ ...fields, job: { ...fields.job, payloadBytes } });
  const { rights, secret } = fields;
  return parsed.success ? { summary: parsed.data, rights, secret } : null;
}

function decodeHeadLines(id: string, head: string) {
  const lineEnd = head.indexOf('\n');
  const match = HEAD.exec(head.slice(0, lineEnd));
  const json = parseJson(head.slice(lineEnd + 1));
  // Without its secret it would enter jobs under ids that anybody can foresee.
  if (!match || !json || typeof json.secret !== 'string' || json.secret.length < SECRET_CHARS) return null;
  const [, generation, nextAt, occurrence, jobId, outcome, entered, skipped] = match;
  return {
    ...json,
    id,
    job: typeof json.job === 'object' ? json.job : {},
    requestId: typeof json.requestId === 'string' ? json.requestId : null,
    secret: json.secret,
    rights: operationRightsSchema.safeParse(json.rights).data ?? null,
    generation: Number(generation),
    nextAt: Number(nextAt) || null,
    last: parseLastRun(Number(occurrence), jobId ?? '-', outcome ?? '-'),
    entered: Number(entered),
    skipped: Number(skipped),
  };
}

/** The last run as scripts read and write it. */
export const lastRunFields = (last: Schedule['last']): (string | number)[] => [
  last?.fireTime ?? 0,
  last?.jobId ?? '-',
  last?.outcome ?? '-',
];

/** Null: no run yet. */
export function parseLastRun(occurrence: number, jobId: string, outcome: string): Schedule['last'] {
  const known = occurrenceOutcomeSchema.safeParse(outcome);
  return known.success
    ? { fireTime: occurrence, jobId: jobId === '-' ? null : jobId, outcome: known.data }
    : null;
}

function parseJson(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
