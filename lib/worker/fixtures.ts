/** For the tests of this folder: jobs as a claim would give them. */
import type { Envelope } from '@/lib/contract/envelope';
import { JobInHand } from './job-in-hand';
import type { ClaimedJob } from './types';

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
  return {
    queue,
    jobId,
    token: `${attempt}-abcdefgh`,
    attempt,
    leaseLosses,
    delivery: attempt,
    leaseUntil: 10_000,
    payload: Buffer.from(payload),
    envelope: {
      version: 1,
      jobId,
      jobType: 'demo.run',
      jobVersion: 1,
      tenantId: 'default',
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
      timeoutMs: 0,
      ...envelope,
    },
  };
}

export function jobInHand(
  options: JobOptions & { leaseEndsAtMs?: number; graceMs?: number } = {},
): JobInHand {
  const { leaseEndsAtMs = Number.POSITIVE_INFINITY, graceMs = 10 } = options;
  return new JobInHand(claimedJob(options), { claimedAt: 0, leaseEndsAtMs }, graceMs);
}
