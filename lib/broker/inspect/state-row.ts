/** Turns the stored rows of a job into what lists and details show. One place for the row formats on the reading side. */
import { errorClassSchema } from '@/lib/contract/failures';
import { type HistoryEntry, historyKindSchema } from '@/lib/contract/job';
import { readNote } from '../note';

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

/** A results row: "<token> <worker>[@<tenant>] <claimedAt> <attempt> <losses> <redrives> <bytes> <result>". */
export function parseResult(row: string): (ClaimRow & { result: string | null }) | null {
  const claim = parseClaim(row);
  if (!claim) return null;
  claim.worker = claim.worker.replace(/@.*$/, '');
  const result = row.split(' ').slice(7).join(' ');
  return { ...claim, result: result === '' ? null : result };
}

export function parseHistory(log: string): HistoryEntry[] {
  return log === '' ? [] : log.split('\n').flatMap((line) => parseHistoryLine(line) ?? []);
}

export function parseHistoryLine(line: string): HistoryEntry | null {
  const [at, kind, delivery, claimedAt, worker, errorClass, errorCode] = line.split(' ', 7);
  const known = historyKindSchema.safeParse(kind);
  if (!known.success || errorCode === undefined) return null;
  const note = readNote(line.split(' ').slice(7).join(' '));
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
