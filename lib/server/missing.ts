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

/** As lib/broker/bulk/records.ts says it. */
export const noSuchOperation = (id: string): RedriveError =>
  new RedriveError(
    'OPERATION_NOT_FOUND',
    `There is no operation ${id.slice(0, 60)}. The latest 500 are kept.`,
    {
      fields: [{ field: 'id', message: 'names no operation' }],
    },
  );

/** As lib/broker/bulk/previews.ts says it. */
export const noSuchPreview = (): RedriveError =>
  new RedriveError(
    'PREVIEW_STALE',
    'There is no such preview: it is kept for 15 minutes. Look at a new one, then confirm that.',
    { fields: [{ field: 'previewToken', message: 'names no preview that is kept' }] },
  );

/** As lib/broker/schedules/records.ts says it. */
export const noSuchSchedule = (id: string): RedriveError =>
  new RedriveError(
    'SCHEDULE_NOT_FOUND',
    `There is no schedule ${id.slice(0, 100)}. It may have been deleted.`,
    {
      fields: [{ field: 'id', message: 'names no schedule' }],
    },
  );

/** What an address that names no route is told. */
export const noSuchPage = (pathname: string): RedriveError =>
  new RedriveError('NOT_FOUND', `There is nothing at ${pathname.slice(0, 200)}.`, {
    fields: [{ field: 'path', message: 'names no route' }],
  });
