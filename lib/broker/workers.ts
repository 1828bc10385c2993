/** The registry of workers: who lives, what each holds, and what became of those that vanished. */
import type { Worker, WorkersPage } from '@/lib/contract/workers';
import { workerSchema } from '@/lib/contract/workers';
import type { BrokerContext } from './context';
import { serverNow } from './now';
import { evalScript, scriptKeys } from './script';

/** A worker silent for this long is shown as lost. It beats every second. */
export const LOST_AFTER_MS = 6_000;
export const WORKERS_MAX = 200;
const reportSchema = workerSchema.omit({ lastSeenAt: true });
export type WorkerReport = Omit<Worker, 'lastSeenAt'>;

/** Enters a worker's report. @param schemas what its handlers take, as JSON; empty: as it was; `-`: forgets it */
export async function reportWorker(ctx: BrokerContext, report: WorkerReport, schemas = ''): Promise<void> {
  const json = JSON.stringify(reportSchema.parse(report));
  ctx.dataset.touch();
  await ctx.plain(() =>
    evalScript(
      ctx.redis,
      'heartbeat',
      scriptKeys(ctx.keys, 'heartbeat', 'unused'),
      [ctx.clock ? String(ctx.clock()) : '', report.workerId, json, schemas],
      false,
    ),
  );
}

/** Marks a worker as ended: by whom it was seen, how it ended, and how many of its jobs went back. */
export async function reportWorkerEnd(
  ctx: BrokerContext,
  workerId: string,
  status: 'crashed' | 'stopped',
  end: NonNullable<Worker['end']>,
): Promise<void> {
  const row = await ctx.plain((redis) => redis.hget(ctx.keys.global('workersInfo'), workerId));
  const known = row === null ? null : parseReport(row);
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
    const report = parseReport(rows[i] ?? '');
    if (!report) return [];
    const lastSeenAt = Number(seen[i * 2 + 1]);
    const alive = report.status === 'running' || report.status === 'draining';
    const status = alive && now - lastSeenAt > LOST_AFTER_MS ? ('lost' as const) : report.status;
    return [{ ...report, status, lastSeenAt }];
  });
  return { at: now, workers };
}

function parseReport(json: string): WorkerReport | null {
  try {
    const parsed = reportSchema.safeParse(JSON.parse(json));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
