/** The registry of workers: who lives, what each holds, and what became of those that vanished. */
import type { Worker, WorkersPage } from '@/lib/contract/workers/worker-schemas';
import { workerSchema } from '@/lib/contract/workers/worker-schemas';
import type { BrokerContext } from '../redis/broker-context';
import { parseJsonRow } from '../redis/parse-json';
import { serverNow } from '../redis/server-info';

/** A worker silent for this long is shown as lost. It beats every second. */
export const LOST_AFTER_MS = 6_000;
export const WORKERS_MAX = 200;
const reportSchema = workerSchema.omit({ lastSeenAt: true });
export type WorkerReport = Omit<Worker, 'lastSeenAt'>;

/** Stores a worker's report. @param schemas the payload schemas of its handlers, as JSON; empty: unchanged; `-`: deleted */
export async function reportWorker(ctx: BrokerContext, report: WorkerReport, schemas = ''): Promise<void> {
  const json = JSON.stringify(reportSchema.parse(report));
  ctx.dataset.touch();
  await ctx.run('heartbeat', null, [report.workerId, json, schemas]);
}

/** Marks a worker as ended: by whom it was seen, how it ended, and how many of its jobs went back. */
export async function reportWorkerEnd(
  ctx: BrokerContext,
  workerId: string,
  status: 'crashed' | 'stopped',
  end: NonNullable<Worker['end']>,
): Promise<void> {
  const row = await ctx.plain((redis) => redis.hget(ctx.keys.global('workersInfo'), workerId));
  const known = parseJsonRow(reportSchema, row);
  if (known) await reportWorker(ctx, { ...known, status, end, jobs: [] }, '-');
}

/** The workers last seen within a day, most recent first, at most 200. */
export async function listWorkers(ctx: BrokerContext): Promise<WorkersPage> {
  const now = await serverNow(ctx);
  const seen = await ctx.plain((redis) =>
    redis.zrevrange(ctx.keys.global('workersSeen'), 0, WORKERS_MAX - 1, 'WITHSCORES'),
  );
  const ids = seen.filter((_, i) => i % 2 === 0);
  if (ids.length === 0) return { at: now, workers: [] };
  const rows = await ctx.plain((redis) => redis.hmget(ctx.keys.global('workersInfo'), ...ids));
  const workers = ids.flatMap((_, i) => {
    const report = parseJsonRow(reportSchema, rows[i]);
    if (!report) return [];
    const lastSeenAt = Number(seen[i * 2 + 1]);
    const alive = report.status === 'running' || report.status === 'draining';
    const status = alive && now - lastSeenAt > LOST_AFTER_MS ? ('lost' as const) : report.status;
    return [{ ...report, status, lastSeenAt }];
  });
  return { at: now, workers };
}
