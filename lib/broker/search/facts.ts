/** What a query may ask about a job, made of everything that is stored of it: search-facts.lua in Node's words. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { parseOrThrow } from '@/lib/contract/errors';
import { jobIdSchema } from '@/lib/contract/names';
import type { JobFacts } from '@/lib/contract/query';
import { type Redaction, redactText } from '@/lib/contract/redaction';
import type { JobState } from '@/lib/contract/states';
import type { BrokerContext } from '../context';
import { NO_PRINT } from '../fingerprint';
import { parseHistoryLine, parseTries } from '../inspect/state-row';
import { shownTexts } from '../redaction';
import { list, text } from '../reply';
import { parseDeath } from './death';
import { DEATHS } from './reads';

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

/**
 * Everything stored of some jobs, in their order, a few at a time: payloads may be large.
 * @param operations which to look for among those that put completed jobs back
 */
export async function storedJobs(
  ctx: BrokerContext,
  name: string,
  ids: readonly string[],
  operations: readonly string[] = [],
): Promise<StoredJob[]> {
  const found: StoredJob[] = [];
  while (found.length < ids.length) {
    const some = ids.slice(found.length, found.length + JOBS_PER_CALL);
    for (const id of some) parseOrThrow(jobIdSchema, id, 'jobId');
    const reply = list(
      await ctx.runBuffer('search-rows', name, [BYTES_PER_CALL, operations.length, ...operations, ...some]),
      'search-rows',
    );
    if (reply.length < FIELDS) throw new Error('search-rows: no reply for the first job');
    for (let i = 0; i + FIELDS <= reply.length; i += FIELDS) {
      const [row, ...rest] = reply.slice(i, i + FIELDS);
      const [claim = '', tries = '', death = '', history = '', result = '', operation = '', waiting = ''] =
        rest.map(text);
      found.push({
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
  return found;
}

const HEAD = /^1 (-?\d+) \d+ \d+ \d+ (\S+) (\d+) (\S+)[^\n]*$/;
const CREATED = /^\{"at":(\d+)/;

/** @param hides what is hidden of its payload, and wherever its message repeats that; null: both are left out */
export function factsOf(
  queue: string,
  state: JobState,
  { jobId, score }: { jobId: string; score: number },
  stored: StoredJob,
  hides: Redaction | null,
  withPayload = true,
): JobFacts {
  const { line, rest, payload } = partsOf(stored.row);
  const [, priority = '0', type = 'unknown', version = '0', tenant = 'unknown'] = HEAD.exec(line) ?? [];
  const death = DEATHS.has(state) ? parseDeath(stored.death) : null;
  const said = lastError(state, stored.history);
  const references = referencesIn(rest);
  const texts = hides && shownTexts(stored.row.length > 0 ? payload : null, hides);
  const facts = death ?? {
    type: DEATHS.has(state) ? 'unknown' : type,
    version: DEATHS.has(state) ? 0 : Number(version),
    tenant: DEATHS.has(state) ? 'unknown' : tenant,
    priority: DEATHS.has(state) ? 0 : Number(priority),
    attempts: DEATHS.has(state) ? 0 : attemptsOf(state, stored),
    code: DEATHS.has(state) ? null : said.code,
    class: DEATHS.has(state) ? null : said.class,
    group: DEATHS.has(state) ? null : groupOf(type, said),
    operation: DEATHS.has(state) ? null : stored.operation.split(' ', 1)[0] || null,
  };
  return {
    ...facts,
    queue,
    id: jobId,
    key: references.key,
    correlation: references.correlation,
    trace: references.trace,
    enteredAt: enteredAt(state, score, stored, said.at, rest),
    payload:
      hides && withPayload && payload.length > 0 && isUtf8(payload)
        ? redactText(payload.toString('utf8'), hides).text
        : null,
    message: texts?.text(said.message) ?? null,
  };
}

function partsOf(row: Buffer): { line: string; rest: string; payload: Buffer } {
  const first = row.indexOf(10);
  const second = first === -1 ? -1 : row.indexOf(10, first + 1);
  if (second === -1) return { line: '', rest: '', payload: row };
  return {
    line: row.toString('latin1', 0, first),
    rest: row.toString('utf8', first + 1, second),
    payload: row.subarray(second + 1),
  };
}

function referencesIn(rest: string): Record<'key' | 'correlation' | 'trace', string | null> {
  let read: unknown = null;
  try {
    read = JSON.parse(rest);
  } catch {
    // A row that is not ours refers to nothing.
  }
  const fields = new Map(Object.entries(typeof read === 'object' && read !== null ? read : {}));
  const one = (field: string) => {
    const value: unknown = fields.get(field);
    return typeof value === 'string' ? value : null;
  };
  return { key: one('key'), correlation: one('correlation'), trace: one('trace') };
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
  saidAt: number | null,
  rest: string,
): number {
  switch (state) {
    case 'ready':
      return Number(waiting) || 0;
    case 'in-flight':
      return Number(claim.split(' ')[2]) || score;
    case 'retry':
      return saidAt ?? score;
    case 'scheduled':
    case 'held':
      return Number(CREATED.exec(rest)?.[1] ?? 0);
    default:
      return score;
  }
}

interface Said {
  readonly at: number | null;
  readonly class: string | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly print: string;
}
const NOTHING_SAID: Said = { at: null, class: null, code: null, message: null, print: NO_PRINT };
const PRINT = /^(?:\S+ ){7}\{"print":"([0-9a-f]+)"/;

/** Of a job that died the last line that has an error, of others the last line. */
function lastError(state: JobState, history: string): Said {
  if (state === 'completed' || history === '') return NOTHING_SAID;
  const lines = history.split('\n');
  const line = DEATHS.has(state)
    ? lines.findLast((one) => (one.split(' ', 6)[5] ?? '-') !== '-')
    : lines.at(-1);
  const entry = line === undefined ? null : parseHistoryLine(line);
  if (!entry) return NOTHING_SAID;
  return {
    at: entry.at,
    class: entry.errorClass,
    code: entry.errorCode,
    message: entry.message ?? entry.reason,
    print: PRINT.exec(line ?? '')?.[1] ?? NO_PRINT,
  };
}

/** The group it would fall into, were it to die of this: as lua/include/group-name.lua names it. */
function groupOf(type: string, said: Said): string | null {
  if (said.class === null) return null;
  return createHash('sha1')
    .update([type, said.class, said.code ?? '-', said.print].join('\n'))
    .digest('hex')
    .slice(0, 12);
}
