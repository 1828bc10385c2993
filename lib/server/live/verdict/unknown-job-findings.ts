/** Jobs that failed because no worker knew their type or version, as a finding that names both. Pure. */
import type { Evidence, QueueSnapshot } from '@/lib/contract/queues/queue-schemas';
import { HOUR_MS } from '@/lib/contract/time-units';
import { createHandlerTable, findHandler } from '@/lib/contract/workers/handler-table';
import type { Worker, WorkersPage } from '@/lib/contract/workers/worker-schemas';
import { coarseDuration } from '@/lib/format/duration';
import { count } from '@/lib/format/plural';
import type { NewFailure } from './failure-findings';
import type { Finding } from './queue-rules';

type UnknownJob = Worker['unknownJobs'][number];

/** Leaves out what a worker that takes jobs knows by now: its jobs will run. */
export function withoutKnownJobs(page: WorkersPage): WorkersPage {
  if (page.workers.every(({ unknownJobs }) => unknownJobs.length === 0)) return page;
  const running = page.workers
    .filter(({ status }) => status === 'running')
    .map(({ queues, handlers }) => ({ queues, table: createHandlerTable(handlers) }));
  const isKnown = ({ queue, jobType, jobVersion }: UnknownJob): boolean =>
    running.some(
      ({ queues, table }) =>
        Object.hasOwn(queues, queue) && typeof findHandler(table, jobType, jobVersion) !== 'string',
    );
  const workers = page.workers.map((worker) => ({
    ...worker,
    unknownJobs: worker.unknownJobs.filter((job) => !isKnown(job)),
  }));
  return { ...page, workers };
}

/** Those of the last hour, each once with the runs of all workers, the one with most runs first. */
export function recentUnknownJobs(workers: readonly Worker[], now: number): UnknownJob[] {
  const jobs = new Map<string, UnknownJob>();
  for (const job of workers.flatMap(({ unknownJobs }) => unknownJobs)) {
    if (now - job.lastAt > HOUR_MS) continue;
    const key = `${job.queue} ${job.jobType} ${job.jobVersion}`;
    const other = jobs.get(key);
    const runs = job.runs + (other?.runs ?? 0);
    jobs.set(key, { ...job, runs, lastAt: Math.max(job.lastAt, other?.lastAt ?? 0) });
  }
  return [...jobs.values()].sort(
    (a, b) => b.runs - a.runs || (`${a.queue} ${a.jobType}` < `${b.queue} ${b.jobType}` ? -1 : 1),
  );
}

/** One finding for all of them. @param unknown as `recentUnknownJobs` returns them */
export function unknownJobFindings(
  unknown: readonly UnknownJob[],
  queues: readonly QueueSnapshot[],
  now: number,
  named: (queues: readonly { queue: string }[]) => Finding['queues'],
): Finding[] {
  const [first] = unknown;
  if (!first) return [];
  const names = [...new Set(unknown.map(({ queue }) => queue))].sort();
  const isOne = unknown.length === 1;
  const lastAt = Math.max(...unknown.map((job) => job.lastAt));
  const runs = unknown.reduce((sum, job) => sum + job.runs, 0);
  const failed = `${count(runs, 'run')} failed, the last ${coarseDuration(Math.max(0, now - lastAt))} ago`;
  return [
    {
      id: 'UNKNOWN_JOB',
      level: 'warn',
      code: 'UNKNOWN_JOB',
      queue: names.length === 1 ? first.queue : null,
      queues: named(names.map((queue) => ({ queue }))),
      sentence: isOne
        ? `No worker of ${first.queue} knew ${nameOf(first)}: ${failed}.`
        : `No worker knew ${unknown.length} types or versions of jobs, among them ${nameOf(first)} in ${first.queue}: ${failed}.`,
      evidence: evidenceOf(first, queues),
      actions: ['workers'],
    },
  ];
}

const nameOf = ({ jobType, jobVersion, missing }: UnknownJob): string =>
  missing === 'unknown-type'
    ? `the job type ${jobType} (version ${jobVersion})`
    : `version ${jobVersion} of the job type ${jobType}`;

/** Where its jobs are now: they wait for a retry, or are dead. */
function evidenceOf({ queue, jobType }: UnknownJob, queues: readonly QueueSnapshot[]): Evidence {
  const retrying = queues.find((row) => row.queue === queue)?.counts.retry ?? 0;
  return retrying > 0
    ? { page: 'queue', queue, state: 'retry' }
    : { page: 'dead', q: `queue:${queue} type:${jobType} class:unsupported-version` };
}

/** The same incident is no new failure besides. */
export const isOfUnknownJobs = (failure: NewFailure, unknown: readonly UnknownJob[]): boolean =>
  failure.class === 'unsupported-version' && unknown.some(({ jobType }) => jobType === failure.type);
