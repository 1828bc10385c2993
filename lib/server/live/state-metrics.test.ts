import { expect, it } from 'vitest';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { BREAKER_TYPES_MAX, workerMetrics } from './state-metrics';

it('names the job types with the most open breakers, and the others together', () => {
  const worker = (types: number): Worker =>
    ({
      status: 'running',
      concurrency: 1,
      jobs: [],
      breakers: Array.from({ length: types }, (_, i) => ({
        jobType: `type-${String(i).padStart(2, '0')}`,
        state: i === 1 ? 'closed' : 'open',
      })),
    }) as unknown as Worker;
  const lines = workerMetrics([worker(BREAKER_TYPES_MAX + 5), worker(BREAKER_TYPES_MAX + 5), worker(1)]);
  const open = lines.filter((line) => line.startsWith('redis_job_breakers_open{'));
  expect(open[0]).toBe('redis_job_breakers_open{type="type-00"} 3');
  expect(open).toHaveLength(BREAKER_TYPES_MAX + 1);
  // Four more types on two workers; the closed one counts as none.
  expect(open.at(-1)).toBe('redis_job_breakers_open{type="other"} 8');
});
