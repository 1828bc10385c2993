/** What a channel is told: a stored message with the addresses of this console. */
import type { StoredMessage } from '@/lib/broker/alerts';
import type { AlertMessage } from '@/lib/contract/alerts/alert-schemas';
import { evidencePath } from '@/lib/contract/queues/evidence-path';
import { ownOrigin } from '../authentication/sign-in-methods';
import { consoleEnvironment } from '../environment';

export function alertMessage({
  id,
  event,
  at,
  alert,
}: Omit<StoredMessage, 'after' | 'channel'>): AlertMessage {
  return {
    id,
    event,
    at,
    alert,
    link: ownOrigin() + evidencePath(alert.evidence),
    alertsLink: `${ownOrigin()}/alerts`,
    environment: consoleEnvironment()?.name ?? null,
  };
}
