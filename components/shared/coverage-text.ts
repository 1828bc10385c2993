/** How many workers have a handler for a job, in words; pure. */
import type { HandlerCoverage } from '@/lib/contract/workers/handler-coverage';
import type { MissingHandler } from '@/lib/contract/workers/handler-table';
import { fullNumber } from '@/lib/format/number';
import { count } from '@/lib/format/plural';

/** "4 workers take webhook.deliver, none knows v99". */
export function coverageText({
  queue,
  jobType,
  jobVersion,
  workers,
  takeType,
  takeVersion,
}: HandlerCoverage & { queue: string; jobType: string; jobVersion: number }): string {
  const all = count(workers, 'worker');
  const without = workers - takeVersion;
  if (takeVersion > 0)
    return `${fullNumber(without)} of ${all} of ${queue} ${without === 1 ? 'does' : 'do'} not know ${jobType} v${jobVersion}`;
  if (takeType === 0) return `none of ${all} of ${queue} takes ${jobType}`;
  return `${count(takeType, 'worker')} ${takeType === 1 ? 'takes' : 'take'} ${jobType}, none knows v${jobVersion}`;
}

/** "No worker of mail knows the job type email.sned." Null: a worker does, or it is not known. */
export function missingHandlerLabel({
  queue,
  job: { jobType, jobVersion },
  missingHandler,
}: {
  readonly queue: string;
  readonly job: { readonly jobType: string; readonly jobVersion: number };
  readonly missingHandler: MissingHandler | null;
}): string | null {
  if (missingHandler === null) return null;
  const what = missingHandler === 'unknown-type' ? 'the job type' : `version ${jobVersion} of the job type`;
  return `No worker of ${queue} knows ${what} ${jobType}.`;
}
