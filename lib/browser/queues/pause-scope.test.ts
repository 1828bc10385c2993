import { describe, expect, it } from 'vitest';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import type { Pause, PauseScope } from '@/lib/contract/queues/pause-schemas';
import { blockingPauses, pauseScopeLabel, pauseTarget, queuePause } from './pause-scope';

const pause = (scope: PauseScope): Pause => ({ scope, since: 1, until: null, actor: 'ada', reason: 'why' });
const job = { tenantId: 'acme', jobType: 'email.send' } as JobSummary;

describe('pauses', () => {
  it('reads and says what a scope stops', () => {
    expect(pauseTarget('type:email.send')).toEqual({ kind: 'type', name: 'email.send' });
    expect(pauseScopeLabel('queue')).toBe('whole queue');
    expect(pauseScopeLabel('tenant:acme')).toBe('tenant acme');
    expect(pauseScopeLabel('type:email.send')).toBe('job type email.send');
  });

  it('finds the pause of the queue, and all that hold a job', () => {
    const holding = (...scopes: PauseScope[]) =>
      blockingPauses(job, scopes.map(pause)).map(({ scope }) => scope);
    expect(queuePause([pause('tenant:acme')])).toBeNull();
    expect(holding('tenant:other', 'type:email.send')).toEqual(['type:email.send']);
    expect(holding('tenant:acme', 'queue')).toEqual(['queue', 'tenant:acme']);
    expect(holding()).toEqual([]);
  });
});
