import { expect, test } from 'vitest';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import type { Pause } from '@/lib/contract/queues/pause-schemas';
import type { QueueConfig } from '@/lib/contract/queues/queue-config';
import { QUEUE_CONFIG_DEFAULT } from '@/lib/contract/queues/queue-config-default';
import { heldReason } from './held-reason';

const job = { tenantId: 'acme', jobType: 'email.send' } as JobSummary;
const pause: Pause = { scope: 'tenant:acme', since: 0, until: 60_000, actor: 'Ada', reason: 'refunds' };
const config: QueueConfig = {
  ...QUEUE_CONFIG_DEFAULT,
  tenantLimit: { rate: null, concurrency: 2 },
  tenantLimits: {
    globex: { rate: null, concurrency: null },
    initech: { rate: { perSecond: 0.5, burst: 1 }, concurrency: 1 },
  },
};

test('a pause that is on comes before a limit', () =>
  expect(heldReason(job, [pause], config)).toEqual({
    by: 'pause of tenant acme',
    why: '“refunds” (Ada, for 1 m)',
  }));
test('several pauses are named, all of them: to end one frees nothing', () =>
  expect(
    heldReason(job, [{ ...pause, scope: 'type:email.send', until: null, reason: 'bounces' }, pause], config),
  ).toEqual({
    by: 'pauses of tenant acme and job type email.send',
    why: '“refunds” (Ada, for 1 m) and “bounces” (Ada)',
  }));
test('without one it is the limit of its tenant', () =>
  expect(heldReason(job, [], config)).toEqual({ by: 'limit of tenant acme', why: '2 at once' }));
test('an exception for the tenant counts instead of the rest', () => {
  expect(heldReason({ ...job, tenantId: 'initech' }, [], config)).toEqual({
    by: 'limit of tenant initech',
    why: '1 at once, 30/min',
  });
  expect(heldReason({ ...job, tenantId: 'globex' }, [], config)).toBeNull();
});
test('a tenant called like something every object has is a tenant like any other', () =>
  expect(heldReason({ ...job, tenantId: 'constructor' }, [], config)?.why).toBe('2 at once'));
test('what nothing holds is on its way back, and nothing is claimed before the settings are known', () => {
  expect(heldReason(job, [], QUEUE_CONFIG_DEFAULT)).toBeNull();
  expect(heldReason(job, [], undefined)).toBeNull();
});
