/** Says once a second that this worker lives, and what it holds; the answer is what an operator asks of it. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { ReportedRelease, WorkerReport } from '@/lib/broker/application';
import type { PendingRequest } from '@/lib/contract/workers/worker-requests';
import { startBackgroundLoop } from '@/lib/process/background-loop';
import { withCallDeadline } from '../worker-deadline';
import type { Logger, WorkerBroker } from '../worker-types';

const EVERY_MS = 1_000;
const DEADLINE_MS = 5_000;
/** A stopping worker does not wait long to say goodbye: silence says the same, only later. */
const GOODBYE_DEADLINE_MS = 1_000;
const RESOLUTION_MS = 20;
const JOBS_MAX = 100;
/** Payload schemas are stored apart from the reports, and sent again this often: Redis may have lost them. */
const SCHEMAS_EVERY_REPORTS = 30;

export interface WorkerReporter {
  /** Reports now, besides the beat. */
  now(): Promise<void>;
  /** The last report: how it ended. */
  end(cause: string, released: number, at: number): Promise<void>;
}

export interface ReportDeps {
  readonly broker: Pick<WorkerBroker, 'workers' | 'dataset'>;
  readonly workerId: string;
  readonly random: () => number;
  readonly logger: Logger;
  /** The payload schemas, as JSON; empty: none. */
  readonly schemas: string;
  readonly release: ReportedRelease;
  read(): Omit<WorkerReport, 'workerId' | 'pid' | 'memoryBytes' | 'eventLoopDelayMs' | 'end'>;
  /** An operator asks for something, once. */
  onRequest(request: PendingRequest): void;
  onTrouble(where: string, error: unknown): void;
}

export function startWorkerReporter(deps: ReportDeps): WorkerReporter {
  const { broker, workerId, random, logger, schemas, release, read, onRequest, onTrouble } = deps;
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let delayMs = 0;
  /** Reports until the schemas are due again. */
  let untilSchemas = 0;
  /** The last request, as stored: each report is answered with it. */
  let requestRow = '';

  async function send(deadlineMs: number): Promise<void> {
    const { jobs, ...rest } = read();
    const report: WorkerReport = {
      ...rest,
      workerId,
      pid: process.pid,
      jobs: jobs.slice(0, JOBS_MAX),
      memoryBytes: process.memoryUsage.rss(),
      eventLoopDelayMs: delayMs,
      end: null,
    };
    const due = untilSchemas === 0;
    const reported = broker.workers.report(report, due ? schemas : '', due ? release : null);
    const request = await withCallDeadline(reported, deadlineMs, 'worker report');
    untilSchemas = due ? SCHEMAS_EVERY_REPORTS - 1 : Math.max(0, untilSchemas - 1);
    if (!request || request.row === requestRow) return;
    requestRow = request.row;
    onRequest(request);
  }
  /** The report is how the worker registers: it goes at once, with all that it says now and then. */
  const stopWatching = broker.dataset.onLoss(({ kind, lastSeenAt }) => {
    logger.warn(
      { workerId, lastSeenAt: new Date(lastSeenAt).toISOString() },
      kind === 'emptied'
        ? 'this Redis lost its data: it was emptied, or started again without them; the worker registers anew'
        : 'this Redis holds other data than before; the worker registers anew',
    );
    untilSchemas = 0;
    loop.hasten(0);
  });
  const loop = startBackgroundLoop({
    name: 'worker report',
    everyMs: EVERY_MS,
    random,
    logger,
    run: () => {
      // The longest the loop kept a timer waiting since the last report; the timer's own period is not a delay.
      delayMs = Math.max(0, Math.round((delay.max / 1e6 - RESOLUTION_MS) * 10) / 10);
      delay.reset();
      return send(DEADLINE_MS);
    },
    onTrouble: (error) => onTrouble('worker report', error),
  });

  return {
    now: () => send(GOODBYE_DEADLINE_MS).catch((error) => onTrouble('worker report', error)),
    async end(cause, released, at) {
      stopWatching();
      await withCallDeadline(loop.stop(), GOODBYE_DEADLINE_MS, 'the last worker report').catch(
        () => undefined,
      );
      delay.disable();
      const goodbye = broker.workers.ended(workerId, 'stopped', { at, cause, reclaimed: released });
      await withCallDeadline(goodbye, GOODBYE_DEADLINE_MS, 'the goodbye').catch((error) =>
        onTrouble('the goodbye', error),
      );
    },
  };
}
