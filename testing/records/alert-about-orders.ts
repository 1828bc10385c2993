import type { Alert } from '@/lib/contract/alerts/alert-schemas';

/** An alert about one queue that people were told of. */
export const FIRING_ALERT: Alert = {
  id: 'alert-1',
  code: 'FAILING',
  state: 'firing',
  level: 'bad',
  sentence: '60% of runs in orders fail (objective: under 20%).',
  queues: { total: 1, named: ['orders'] },
  evidence: { page: 'queue', queue: 'orders', state: 'retry' },
  seenAt: 1_000_000,
  firedAt: 1_030_000,
  endedAt: null,
  acknowledged: null,
  silencedBy: null,
};
