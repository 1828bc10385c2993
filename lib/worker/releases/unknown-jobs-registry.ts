/** What jobs this worker failed because no worker knows their type or version. A finding of the verdict is made of it. */
import type { WorkerReport } from '@/lib/broker/application';
import { HOUR_MS } from '@/lib/contract/time-units';
import type { MissingHandler } from '@/lib/contract/workers/handler-table';
import { UNKNOWN_JOBS_MAX } from '@/lib/contract/workers/worker-limits';
import type { ClaimedJob } from '../worker-types';

type UnknownJobs = WorkerReport['unknownJobs'];
type Row = UnknownJobs[number];

export interface UnknownJobsRegistry {
  /** @param nowMs Redis's clock */
  note(
    job: Pick<ClaimedJob, 'queue' | 'jobType' | 'jobVersion'>,
    missing: MissingHandler,
    nowMs: number,
  ): void;
  /** Those of the last hour. @param nowMs Redis's clock */
  report(nowMs: number): UnknownJobs;
}

export function createUnknownJobs(): UnknownJobsRegistry {
  /** The one that was met longest ago first. */
  const rows = new Map<string, Row>();
  return {
    note({ queue, jobType, jobVersion }, missing, nowMs) {
      const key = `${queue} ${jobType} ${jobVersion}`;
      const runs = (rows.get(key)?.runs ?? 0) + 1;
      rows.delete(key);
      rows.set(key, { queue, jobType, jobVersion, missing, runs, lastAt: Math.round(nowMs) });
      // Types are what producers send: there may be any number.
      const [oldest] = rows.keys();
      if (rows.size > UNKNOWN_JOBS_MAX && oldest !== undefined) rows.delete(oldest);
    },
    report(nowMs) {
      for (const [key, { lastAt }] of rows) if (nowMs - lastAt > HOUR_MS) rows.delete(key);
      return [...rows.values()];
    },
  };
}
