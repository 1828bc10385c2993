/** For the tests of this folder: jobs as a claim would give them. */
import type { Envelope } from '@/lib/contract/jobs/envelope';
import { RunningJob } from './run/running-job';
import type { ClaimedJob } from './worker-types';

interface JobOptions {
  queue?: string;
  jobId?: string;
  payload?: string;
  attempt?: number;
  leaseLosses?: number;
  envelope?: Partial<Envelope>;
}

export function claimedJob({
  queue = 'q',
  jobId = 'job-1',
  payload = '{}',
  attempt = 1,
  leaseLosses = 0,
  envelope,
}: JobOptions = {}): ClaimedJob {
  const { jobType = 'demo.run', jobVersion = 1, tenantId = 'default', timeoutMs = 0 } = envelope ?? {};
  return {
    queue,
    jobId,
    createdAt: envelope?.createdAt ?? 0,
    jobType,
    jobVersion,
    tenantId,
    timeoutMs,
    token: `${attempt}-abcdefgh`,
    attempt,
    leaseLosses,
    delivery: attempt,
    leaseUntil: 10_000,
    payload: Buffer.from(payload),
    envelope: {
      version: 1,
      jobId,
      jobType,
      jobVersion,
      tenantId,
      idempotencyKey: null,
      createdAt: 0,
      notBefore: null,
      deadline: null,
      maxAttempts: 8,
      priority: 0,
      unique: null,
      traceId: null,
      traceParent: null,
      correlationId: null,
      payloadRef: null,
      timeoutMs,
      ...envelope,
    },
  };
}

export function runningJob(
  options: JobOptions & { leaseEndsAtMs?: number; graceMs?: number } = {},
): RunningJob {
  const { leaseEndsAtMs = Number.POSITIVE_INFINITY, graceMs = 10 } = options;
  return new RunningJob(claimedJob(options), { claimedAt: 0, takenAtMs: 0, leaseEndsAtMs }, graceMs);
}
