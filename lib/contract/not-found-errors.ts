/** Errors for objects that do not exist, or that the principal must not see: the same words for both. */
import { OPERATIONS_KEPT, PREVIEW_TTL_MS } from './operations/operation-kinds';
import { type ErrorCode, RedriveError } from './redrive-error';

const missing = (code: ErrorCode, detail: string, field: string, message: string): RedriveError =>
  new RedriveError(code, detail, { fields: [{ field, message }] });

export const noSuchQueue = (queue: string): RedriveError =>
  missing(
    'QUEUE_NOT_FOUND',
    `There is no queue ${queue}. A queue exists from its first job on.`,
    'queue',
    'names no queue',
  );

export const noSuchJob = (queue: string, jobId: string): RedriveError =>
  missing(
    'JOB_NOT_FOUND',
    `There is no job ${jobId} in ${queue}. Redrive keeps a limited number of completed jobs.`,
    'id',
    'names no job',
  );

export const noSuchOperation = (id: string): RedriveError =>
  missing(
    'OPERATION_NOT_FOUND',
    `There is no operation ${id.slice(0, 60)}. Redrive keeps ${OPERATIONS_KEPT} that have ended, of each user a share, and those that can be undone.`,
    'id',
    'names no operation',
  );

export const noSuchPreview = (): RedriveError =>
  missing(
    'PREVIEW_STALE',
    `There is no such preview: Redrive keeps it for ${PREVIEW_TTL_MS / 60_000} minutes. Look at a new one, then confirm that.`,
    'previewToken',
    'names no stored preview',
  );

export const noSuchSchedule = (id: string): RedriveError =>
  missing(
    'SCHEDULE_NOT_FOUND',
    `There is no schedule ${id.slice(0, 100)}. It may have been deleted.`,
    'id',
    'names no schedule',
  );

export const noSuchAlert = (id: string): RedriveError =>
  missing(
    'ALERT_NOT_FOUND',
    `There is no firing alert ${id.slice(0, 60)}. It may have ended.`,
    'id',
    'names no firing alert',
  );

export const noSuchSilence = (id: string): RedriveError =>
  missing(
    'SILENCE_NOT_FOUND',
    `There is no silence ${id.slice(0, 60)}. It may have ended, or a user removed it.`,
    'id',
    'names no silence',
  );

export const noSuchChannel = (name: string): RedriveError =>
  missing(
    'CHANNEL_NOT_FOUND',
    `There is no channel ${name.slice(0, 60)}. A user may have removed it.`,
    'name',
    'names no channel',
  );

export const noSuchPage = (pathname: string): RedriveError =>
  missing('NOT_FOUND', `There is nothing at ${pathname.slice(0, 200)}.`, 'path', 'names no route');
