import { describe, expect, it } from 'vitest';
import { missingCoverage, tablesOfQueue } from './handler-coverage';
import type { Worker } from './worker-schemas';

type Reported = Parameters<typeof tablesOfQueue>[0][number];
const worker = (versions: number[], status: Worker['status'] = 'running', queue = 'low'): Reported => ({
  status,
  queues: { [queue]: 1 },
  handlers: versions.length === 0 ? [] : [{ type: 'hook', versions }],
});
const missing = (workers: Reported[], jobType: string, jobVersion: number) =>
  missingCoverage(tablesOfQueue(workers, 'low'), jobType, jobVersion);

describe('the workers without a handler for a job', () => {
  const workers = [worker([1, 2]), worker([1]), worker([9], 'draining'), worker([9], 'running', 'other')];
  it('are those that take new jobs of its queue', () => {
    expect(missing(workers, 'hook', 1)).toBeNull();
    expect(missing(workers, 'hook', 2)).toEqual({ workers: 2, takeType: 2, takeVersion: 1 });
    expect(missing(workers, 'hook', 9)).toEqual({ workers: 2, takeType: 2, takeVersion: 0 });
    expect(missing(workers, 'mail', 1)).toEqual({ workers: 2, takeType: 0, takeVersion: 0 });
  });
  it('are unknown when a worker does not report its handlers, and none when no worker takes jobs', () => {
    expect(missing([...workers, worker([])], 'hook', 9)).toBeNull();
    expect(missing([worker([9], 'draining')], 'hook', 1)).toBeNull();
  });
});
