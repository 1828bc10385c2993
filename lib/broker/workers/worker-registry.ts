/** The registry of workers: who lives, what each holds, and what became of those that vanished. */
import { HELD_JOBS_MAX, LIVE_STATUSES } from '@/lib/contract/workers/worker-limits';
import { pendingRequestSchema } from '@/lib/contract/workers/worker-requests';
import {
  type HeldJob,
  type Worker,
  type WorkerRecord,
  type WorkersPage,
  workerRecordSchema,
  workerSchema,
} from '@/lib/contract/workers/worker-schemas';
import { readFields, readMembers } from '../redis/bounded-reads';
import type { BrokerContext } from '../redis/broker-context';
import { parseJsonRow } from '../redis/parse-json';
import { replyText } from '../redis/script-reply';
import { serverNow } from '../redis/server-info';
import { parseRequestRow, type StoredRequest } from './request-row';
import type { ReportedRelease } from './worker-releases';

/** A worker silent for this long is shown as lost. It beats every second. */
export const LOST_AFTER_MS = 6_000;
export const WORKERS_MAX = 200;
const WORKERS_INFO = { queue: null, index: 'workersInfo' } as const;
const WORKER_ID_MAX_BYTES = 400;
/** A report with 1,000 jobs is about 150 KB. Every worker's Redis user can write the rows, so larger ones are skipped. */
const ROWS = { eachBytes: 262_144, allBytes: 4_194_304 };
const reportSchema = workerSchema.omit({ lastSeenAt: true, request: true });
export type WorkerReport = Omit<Worker, 'lastSeenAt' | 'request'>;

/**
 * Stores a worker's report, and answers with what an operator asks of it.
 * @param schemas the payload schemas of its handlers, as JSON; empty: unchanged; `-`: the worker has ended
 * @param release what workers of its kind can run; null: as before
 */
export async function reportWorker(
  ctx: BrokerContext,
  report: WorkerReport,
  schemas = '',
  release: ReportedRelease | null = null,
): Promise<StoredRequest | null> {
  const row = await store(ctx, reportSchema.parse(report), schemas, release);
  return parseRequestRow(row, report.startedAt);
}

async function store(
  ctx: BrokerContext,
  row: WorkerReport,
  schemas: string,
  release: ReportedRelease | null = null,
): Promise<string> {
  ctx.dataset.touch();
  const told = [release?.digest ?? '', release?.json ?? ''];
  return replyText(await ctx.run('heartbeat', null, [row.workerId, JSON.stringify(row), schemas, ...told]));
}

/**
 * Marks a worker as ended: by whom it was seen, how it ended, and how many of its jobs went back.
 * @param held the jobs it held; by default those of its last report
 */
export async function reportWorkerEnd(
  ctx: BrokerContext,
  workerId: string,
  status: 'crashed' | 'stopped',
  end: NonNullable<Worker['end']>,
  held?: readonly HeldJob[],
): Promise<void> {
  const known = await readReport(ctx, workerId);
  if (!known) return;
  const jobs = (held ?? heldJobs(known)).slice(0, HELD_JOBS_MAX);
  await store(ctx, workerRecordSchema.parse({ ...known, status, end, jobs: [], held: jobs }), '-');
}

const readReport = async (ctx: BrokerContext, workerId: string) =>
  parseJsonRow(workerRecordSchema, (await readFields(ctx, WORKERS_INFO, [workerId], ROWS))[0]);

const heldJobs = ({ jobs, held }: WorkerRecord): HeldJob[] =>
  held.length > 0 ? held : jobs.map(({ queue, jobId }) => ({ queue, jobId }));

/** The jobs that a worker held when it ended; of a live or lost one, those of its last report. At most 50. */
export async function readHeldJobs(ctx: BrokerContext, workerId: string): Promise<HeldJob[]> {
  const known = await readReport(ctx, workerId);
  return known ? heldJobs(known).slice(0, HELD_JOBS_MAX) : [];
}

/** The workers last seen within a day, most recent first, at most 200. */
export async function listWorkers(ctx: BrokerContext): Promise<WorkersPage> {
  const now = await serverNow(ctx);
  const key = { queue: null, index: 'workersSeen' } as const;
  const seen = await readMembers(ctx, key, { members: WORKERS_MAX, bytes: WORKER_ID_MAX_BYTES });
  const [ids, lastSeenAt] = [seen.map(([id]) => id), seen.map(([, at]) => at)];
  return { at: now, workers: await readReports(ctx, ids, lastSeenAt, now) };
}

/** The named workers, in that order, without unknown ones. The list forgets the longest silent of more than 200; an id finds any. */
export async function findWorkers(ctx: BrokerContext, ids: readonly string[]): Promise<Worker[]> {
  if (ids.length === 0) return [];
  const now = await serverNow(ctx);
  const scores = await ctx.plain((redis) => redis.zmscore(ctx.keys.global('workersSeen'), ...ids));
  const lastSeenAt = scores.map((score) => (score === null ? null : Number(score)));
  return readReports(ctx, ids, lastSeenAt, now);
}

async function readReports(
  ctx: BrokerContext,
  ids: readonly string[],
  lastSeenAt: readonly (number | null)[],
  now: number,
): Promise<Worker[]> {
  if (ids.length === 0) return [];
  const [rows, requests] = await Promise.all([
    readFields(ctx, WORKERS_INFO, ids, ROWS),
    readFields(ctx, { queue: null, index: 'workersRequests' }, ids, ROWS),
  ]);
  return ids.flatMap((_, i) => {
    const report = parseJsonRow(reportSchema, rows[i]);
    const seenAt = lastSeenAt[i] ?? null;
    if (!report || seenAt === null) return [];
    const isLive = LIVE_STATUSES.has(report.status);
    const status = isLive && now - seenAt > LOST_AFTER_MS ? ('lost' as const) : report.status;
    const stored = isLive ? parseRequestRow(requests[i], report.startedAt) : null;
    const request = stored && pendingRequestSchema.parse(stored);
    return [{ ...report, status, lastSeenAt: seenAt, request }];
  });
}
