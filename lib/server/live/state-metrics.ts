/** Metrics of workers, findings and operations, with labels that are bounded whatever comes and goes. Pure. */
import type { Operation } from '@/lib/contract/operations/operation';
import { OPERATION_STATUSES } from '@/lib/contract/operations/operation-kinds';
import type { Verdict } from '@/lib/contract/queues/queue-schemas';
import { WORKER_STATUSES } from '@/lib/contract/workers/worker-limits';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { label, metric } from './metric-lines';

/** Job types whose breakers have a series of their own. */
export const BREAKER_TYPES_MAX = 20;

/** By status or job type, not by worker: workers come and go, and each would leave a series behind. */
export function workerMetrics(workers: readonly Worker[]): string[] {
  const live = workers.filter(({ status }) => status === 'running' || status === 'draining');
  const sum = (of: (worker: Worker) => number) => live.reduce((total, worker) => total + of(worker), 0);
  return [
    ...metric(
      'redrive_workers',
      'gauge',
      'Workers of the last day by status',
      WORKER_STATUSES.map((status) => [
        `{status="${status}"}`,
        workers.filter((worker) => worker.status === status).length,
      ]),
    ),
    ...metric('redrive_workers_slots', 'gauge', 'Jobs that live workers may run at once', [
      ['', sum(({ concurrency }) => concurrency)],
    ]),
    ...metric('redrive_workers_busy', 'gauge', 'Jobs that live workers say they hold, 100 a worker at most', [
      ['', sum(({ jobs }) => jobs.length)],
    ]),
    ...metric(
      'redis_job_breakers_open',
      'gauge',
      `Live workers with an open or half-open circuit breaker for this job type: the ${BREAKER_TYPES_MAX} types with the most, and \`other\``,
      [...openBreakers(live)].map(([jobType, count]) => [`{type="${label(jobType)}"}`, count]),
    ),
  ];
}

/** The job types with the most, by letter where they have as many; the others together as `other`. */
function openBreakers(live: readonly Worker[]): Map<string, number> {
  const open = new Map<string, number>();
  for (const { breakers } of live)
    for (const { jobType, state } of breakers)
      open.set(jobType, (open.get(jobType) ?? 0) + (state === 'closed' ? 0 : 1));
  const byCount = [...open].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const others = byCount.splice(BREAKER_TYPES_MAX).reduce((sum, [, count]) => sum + count, 0);
  return new Map(others > 0 ? [...byCount, ['other', others]] : byCount);
}

/** The verdict of the overview: the same findings, under the codes of the runbook. */
export function findingMetrics({ findings, total }: Verdict): string[] {
  return [
    ...metric('redrive_findings', 'gauge', 'Findings of the verdict by level; see the runbook', [
      ['{level="bad"}', total.bad],
      ['{level="warn"}', total.warn],
    ]),
    ...metric(
      'redrive_finding',
      'gauge',
      '1 for each finding of the verdict, by its code in the runbook; absent without it',
      findings.map(({ code, level }) => [`{code="${label(code)}",level="${level}"}`, 1]),
    ),
  ];
}

export const operationMetrics = (operations: readonly Operation[]): string[] =>
  metric(
    'redrive_operations',
    'gauge',
    'Operations that have not ended, or did in the last minute, by status',
    OPERATION_STATUSES.map((status) => [
      `{status="${status}"}`,
      operations.filter((operation) => operation.status === status).length,
    ]),
  );
