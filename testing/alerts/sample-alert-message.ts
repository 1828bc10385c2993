/** A message about an alert, for tests of what is sent. */
import type { AlertMessage } from '@/lib/contract/alerts/alert-schemas';

type Changes = Partial<Omit<AlertMessage, 'alert'>> & { readonly alert?: Partial<AlertMessage['alert']> };

export const SEEN_AT = Date.UTC(2026, 0, 2, 3, 4, 5);

export function alertMessage({ alert, ...changes }: Changes = {}): AlertMessage {
  return {
    id: 'FAILING-1:fired:1',
    event: 'fired',
    at: SEEN_AT + 30_000,
    alert: {
      id: 'FAILING-1',
      code: 'FAILING',
      state: 'firing',
      level: 'bad',
      sentence: '40% of runs in billing fail (objective: under 5%).',
      queues: { total: 1, named: ['billing'] },
      evidence: { page: 'dead', q: 'queue:billing age:<5m' },
      seenAt: SEEN_AT,
      firedAt: SEEN_AT + 30_000,
      endedAt: null,
      acknowledged: null,
      silencedBy: null,
      ...alert,
    },
    link: 'https://redrive.example.com/dead?q=queue%3Abilling+age%3A%3C5m&sort=a|b',
    alertsLink: 'https://redrive.example.com/alerts',
    environment: 'production',
    ...changes,
  };
}
