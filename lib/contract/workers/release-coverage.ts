/** Whether a release of workers can run a job, from what its workers report: one rule for workers and for screens. Pure. */
import { type HandlerSchemas, payloadProblem } from './handler-schemas';
import { createHandlerTable, findHandler, type MissingHandler } from './handler-table';

interface Release {
  readonly queues: readonly string[];
  /** Empty: unknown. */
  readonly handlers: HandlerSchemas;
  readonly lastSeenAt: number;
}
interface WantedJob {
  readonly queue: string;
  readonly jobType: string;
  readonly jobVersion: number;
}
/** `perhaps`: the release reports no handlers, or only the handler itself can check the payload. */
export type ReleaseAnswer = 'yes' | 'perhaps' | 'no';

/** Workers report their release every half minute; a report may be late. A release without a report for longer has no live worker. */
export const RELEASE_LIVE_MS = 45_000;

/** @param payload what another handler of this type refused; null: no handler has looked at the payload */
export function canRun(
  { handlers }: Pick<Release, 'handlers'>,
  { jobType, jobVersion }: WantedJob,
  payload: string | null = null,
): ReleaseAnswer {
  if (handlers.length === 0) return 'perhaps';
  const handler = findHandler(createHandlerTable(handlers), jobType, jobVersion);
  if (typeof handler === 'string') return 'no';
  if (payload === null) return 'yes';
  return handler.schema !== null && payloadProblem(handler.schema, payload) !== null ? 'no' : 'perhaps';
}

/** What live workers of the queue lack for the job. Null: a worker has a handler, no worker is live, or a worker reports no handlers. */
export function missingInReleases(
  { at, releases }: { readonly at: number; readonly releases: readonly Release[] },
  job: WantedJob,
): MissingHandler | null {
  const live = releases.filter(
    ({ queues, lastSeenAt }) => queues.includes(job.queue) && at - lastSeenAt <= RELEASE_LIVE_MS,
  );
  if (live.length === 0 || live.some((release) => canRun(release, job) !== 'no')) return null;
  const isTypeKnown = live.some(({ handlers }) => handlers.some(({ type }) => type === job.jobType));
  return isTypeKnown ? 'unknown-version' : 'unknown-type';
}
