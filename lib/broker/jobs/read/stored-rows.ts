/** The rows that scripts write about a job, one function a module of lua/rows. stored-rows.redis.test.ts holds both sides together. */

import { parseHistoryFields } from '@/lib/broker/access/actor';
import { type HistoryEntry, historyKindSchema } from '@/lib/contract/jobs/job-schemas';
import { errorClassSchema } from '@/lib/contract/jobs/job-state-schemas';

export interface Tries {
  attempt: number;
  deliveries: number;
  losses: number;
  redrives: number;
}

export function parseTries(row: string): Tries {
  const [attempt = '0', deliveries = '0', losses = '0', redrives = '0'] = row.split(' ');
  return {
    attempt: Number(attempt) || 0,
    deliveries: Number(deliveries) || 0,
    losses: Number(losses) || 0,
    redrives: Number(redrives) || 0,
  };
}

export interface ClaimRow extends Tries {
  token: string;
  worker: string;
  claimedAt: number;
}

export function parseClaim(row: string): ClaimRow | null {
  const [token, worker, claimedAt, attempt, losses, redrives] = row.split(' ');
  if (!token || !worker || !claimedAt) return null;
  return {
    token,
    worker,
    claimedAt: Number(claimedAt),
    deliveries: Number(token.split('-')[0]),
    attempt: Number(attempt),
    losses: Number(losses),
    redrives: Number(redrives),
  };
}

/** A results row: that of the claim, and behind a newline the result, if there is one. */
export function parseResult(row: string): (ClaimRow & { result: string | null }) | null {
  const claim = parseClaim(row);
  if (!claim) return null;
  const end = row.indexOf('\n');
  return { ...claim, result: end === -1 ? null : row.slice(end + 1) };
}

export function parseHistory(log: string): HistoryEntry[] {
  return log === '' ? [] : log.split('\n').flatMap((line) => parseHistoryLine(line) ?? []);
}

/** Where the field behind so many spaces begins. */
function indexOfField(line: string, spaces: number): number {
  let at = 0;
  for (let n = 0; n < spaces; n++) {
    at = line.indexOf(' ', at) + 1;
    if (at === 0) return line.length;
  }
  return at;
}

export function parseHistoryLine(line: string): HistoryEntry | null {
  const [at, kind, delivery, claimedAt, worker, errorClass, errorCode] = line.split(' ', 7);
  const known = historyKindSchema.safeParse(kind);
  if (!known.success || errorCode === undefined) return null;
  const note = parseHistoryFields(line.slice(indexOfField(line, 7)));
  const parsedClass = errorClassSchema.safeParse(errorClass);
  return {
    at: Number(at),
    kind: known.data,
    delivery: Number(delivery),
    worker: worker === '-' || worker === undefined ? null : worker,
    errorClass: parsedClass.success ? parsedClass.data : null,
    errorCode: errorCode === '-' ? null : errorCode,
    message: note.message ?? null,
    stack: note.stack ?? null,
    actor: note.actor ?? null,
    reason: note.reason ?? null,
    claimedAt: Number(claimedAt) || null,
  };
}

/** A row of `deaths`. */
export interface DeathRow {
  readonly class: string;
  readonly code: string;
  readonly group: string;
  readonly type: string;
  readonly version: number;
  readonly tenant: string;
  readonly priority: number;
  readonly attempts: number;
  /** The one that moved it to where it is, or had put it back before it died again. */
  readonly operation: string | null;
}

const DEATH_ROW = /^\d+ (\S+) (\S+) (\S+) (\S+) (\d+) (\S+) (-?\d+) (\d+) (\S+)$/;

export function parseDeathRow(row: string): DeathRow | null {
  const [, errorClass, code, group, type, version, tenant, priority, attempts, operation] =
    DEATH_ROW.exec(row) ?? [];
  if (!errorClass || !code || !group || !type || !tenant) return null;
  return {
    class: errorClass,
    code,
    group,
    type,
    version: Number(version),
    tenant,
    priority: Number(priority),
    attempts: Number(attempts),
    operation: operation === undefined || operation === '-' ? null : operation,
  };
}
