/** A worker that does nothing, for tests of what is made of its reports: each names only what it is about. */
import type { Worker } from '@/lib/contract/workers/worker-schemas';

/** What a worker reports of itself. */
export const IDLE_REPORT = {
  workerId: 'w-1',
  status: 'running',
  host: 'h',
  pid: 1,
  version: '1',
  startedAt: 0,
  queues: {},
  concurrency: 2,
  leaseMs: 1_000,
  jobs: [],
  completed: 0,
  failed: 0,
  breakers: [],
  unknownJobs: [],
  handlers: [],
  schemasDigest: '',
  memoryBytes: 1,
  eventLoopDelayMs: 1,
  end: null,
  actions: ['quiet', 'resume', 'stop'],
} satisfies Omit<Worker, 'lastSeenAt' | 'request'>;

export const IDLE_WORKER: Worker = { ...IDLE_REPORT, lastSeenAt: 0, request: null };
