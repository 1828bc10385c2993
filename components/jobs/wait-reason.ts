/** Why a job does not run now, and about when it will. Each sentence stands only under the condition beside it. Pure. */
import { aboutDuration } from '@/components/shared/drain/drain-text';
import { heldReason } from '@/components/shared/pause/held-reason';
import { blockingPauses, pauseScopeLabel } from '@/lib/browser/queues/pause-scope';
import type { JobDetail } from '@/lib/contract/jobs/job-schemas';
import { JOB_STATE_MEANING, type JobState } from '@/lib/contract/jobs/job-states';
import type { Pause } from '@/lib/contract/queues/pause-schemas';
import type { QueueConfig } from '@/lib/contract/queues/queue-config';
import type { QueueNumbers } from '@/lib/contract/queues/queue-schemas';
import { missingCoverage, tablesOfQueue } from '@/lib/contract/workers/handler-coverage';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { fullNumber, rate } from '@/lib/format/number';
import { count } from '@/lib/format/plural';

export const IS_WAITING: ReadonlySet<JobState> = new Set(['ready', 'held', 'scheduled', 'retry']);

/** What the page knows; undefined: not yet, or not for this viewer. */
export interface WaitContext {
  readonly queue: Pick<QueueNumbers, 'pauses' | 'workers' | 'counts' | 'flow'> | undefined;
  readonly workers: readonly Pick<Worker, 'status' | 'queues' | 'handlers' | 'breakers'>[] | undefined;
  readonly config: Pick<QueueConfig, 'concurrency' | 'rate' | 'tenantLimit' | 'tenantLimits'> | undefined;
}

export interface WaitSentence {
  readonly text: string;
  /** Something keeps the job from running, apart from jobs before it. */
  readonly isBlocked: boolean;
}

const blocked = (text: string): WaitSentence => ({ text, isBlocked: true });
const said = (text: string): WaitSentence => ({ text, isBlocked: false });
/** Slower queues tell no time. */
const RATE_MIN_PER_SECOND = 0.5;

export function waitReason(job: JobDetail, context: WaitContext): WaitSentence {
  const meaning = said(`${JOB_STATE_MEANING[job.state]}.`);
  if (job.state === 'ready') return blockerOf(job, context) ?? inOrder(job, context) ?? meaning;
  if (job.state === 'held') return heldBy(job, context) ?? meaning;
  if (job.state !== 'scheduled' && job.state !== 'retry') return meaning;
  const later = blockerOf(job, context);
  return later
    ? blocked(`${meaning.text} As things stand, it will not run when it is due: ${later.text}`)
    : meaning;
}

/** What keeps a ready job from being claimed; null: nothing that is known. */
function blockerOf(job: JobDetail, { queue, workers, config }: WaitContext): WaitSentence | null {
  if (!queue) return null;
  const { jobType, jobVersion, tenantId } = job.envelope;
  const pauses = blockingPauses({ jobType, tenantId }, queue.pauses);
  if (pauses.length > 0) return blocked(pauses.map(pausedText).join(' '));
  if (queue.workers === 0) return blocked('No live worker serves the queue.');
  const serving = workers?.filter(({ queues }) => Object.hasOwn(queues, job.queue)) ?? [];
  const running = serving.filter(({ status }) => status === 'running');
  // The list of workers is cut: what holds for the listed ones need not hold for all.
  if (serving.length < queue.workers) return limitOf(queue, config);
  if (workers && serving.length > 0 && running.length === 0)
    return blocked('No worker of the queue takes new jobs: all of them are quiet, draining or gone.');
  const missing = missingCoverage(tablesOfQueue(running, job.queue), jobType, jobVersion);
  if (missing?.takeVersion === 0) {
    const which = missing.takeType === 0 ? jobType : `version ${jobVersion} of ${jobType}`;
    return blocked(`No worker of the queue runs ${which} (${count(running.length, 'worker')}).`);
  }
  const isOpen = ({ breakers }: (typeof running)[number]) =>
    breakers.some((breaker) => breaker.jobType === jobType && breaker.state === 'open');
  if (running.length > 0 && running.every(isOpen))
    return blocked(`The circuit breaker of ${jobType} is open on every worker: its calls keep failing.`);
  return limitOf(queue, config);
}

function limitOf(
  { counts }: NonNullable<WaitContext['queue']>,
  config: WaitContext['config'],
): WaitSentence | null {
  const limit = config?.concurrency ?? null;
  if (limit === null || counts['in-flight'] < limit) return null;
  return blocked(
    `The queue is at its limit of ${fullNumber(limit)} ${limit === 1 ? 'job' : 'jobs'} in flight.`,
  );
}

function pausedText({ scope, until, actor, reason }: Pause): string {
  const what = scope === 'queue' ? 'The queue' : capital(pauseScopeLabel(scope));
  const end = until === null ? 'until it is resumed' : 'until the pause ends or is resumed';
  return `${what} is paused by ${revealHidden(actor)}, “${revealHidden(reason)}”, ${end}.`;
}

/** How many jobs are before it; null: not known. */
function inOrder({ ahead }: JobDetail, { queue, config }: WaitContext): WaitSentence | null {
  if (!queue || ahead === null) return null;
  const limit = config?.rate ? ` The queue is limited to ${rate(config.rate.perSecond)}.` : '';
  if (ahead === 0) return said(`First in order.${limit}`);
  const { donePerSecond } = queue.flow;
  const when =
    donePerSecond < RATE_MIN_PER_SECOND
      ? ''
      : `, ${aboutDuration((ahead / donePerSecond) * 1_000)} at the present ${rate(twoDigits(donePerSecond))}`;
  return said(`Behind ${count(ahead, 'ready job')}${when}.${limit}`);
}

function heldBy(job: JobDetail, { queue, config }: WaitContext): WaitSentence | null {
  if (!queue || !config) return null;
  const reason = heldReason(job.envelope, queue.pauses, config);
  return reason
    ? blocked(`Held by the ${reason.by}: ${reason.why}.`)
    : said('Nothing holds it any more: maintenance puts it back among the ready jobs.');
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const twoDigits = (value: number): number => Number(value.toPrecision(2));
