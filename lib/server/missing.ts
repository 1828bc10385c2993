/** What is said of something that is not there, or that the asker may not know to be there: the same words. */
import { RedriveError } from '@/lib/contract/errors';

export const noSuchQueue = (queue: string): RedriveError =>
  new RedriveError('QUEUE_NOT_FOUND', `There is no queue ${queue}. A queue exists from its first job on.`, {
    fields: [{ field: 'queue', message: 'names no queue' }],
  });

/** As lib/broker/inspect/job.ts says it. */
export const noSuchJob = (queue: string, jobId: string): RedriveError =>
  new RedriveError(
    'JOB_NOT_FOUND',
    `There is no job ${jobId} in ${queue}. Completed jobs are kept for a capped history only.`,
    { fields: [{ field: 'id', message: 'names no job' }] },
  );
