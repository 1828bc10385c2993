/** What is changed about the queue while jobs run, and when. */

import type { ConfigPatch } from '@/lib/contract/queues/queue-config';
import type { Broker } from '@/testing/create-broker';
import { QUEUE } from './soak-plan';

const BY = { actor: 'operator', reason: 'a soak' };

export interface Change {
  /** Once this share of the jobs is sent. */
  readonly at: number;
  readonly what: string;
  apply(broker: Broker): Promise<unknown>;
}
const configure = (at: number, what: string, patch: ConfigPatch): Change => ({
  at,
  what,
  apply: (broker) => broker.config.change(QUEUE, patch, BY),
});

const NO_LIMITS: ConfigPatch = { tenantLimit: null, tenantLimits: {}, concurrency: null, rate: null };
const PAUSED = ['tenant:t-3', 'type:soak.image'] as const;

/** Limits, fairness and pauses are on for a part of the way each, so that what they keep has to be given back, too. */
export const CHANGES: readonly Change[] = [
  configure(0.1, 'tenant limits on', {
    tenantLimit: { concurrency: 3, rate: { perSecond: 200, burst: 200 } },
    tenantLimits: { 't-7': { concurrency: 1, rate: { perSecond: 50, burst: 10 } } },
  }),
  configure(0.3, 'tenant limits off', NO_LIMITS),
  {
    at: 0.35,
    what: 'a tenant and a type paused',
    apply: async (broker) => {
      for (const scope of PAUSED) await broker.pause(QUEUE, { scope, reason: BY.reason }, BY);
    },
  },
  {
    at: 0.5,
    what: 'both resumed',
    apply: async (broker) => {
      for (const scope of PAUSED) await broker.resume(QUEUE, scope, BY);
    },
  },
  configure(0.6, 'fairness on', { fair: 'tenant' }),
  configure(0.8, 'fairness off', { fair: 'none' }),
];
