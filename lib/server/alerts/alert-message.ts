/** What a channel is told: a stored message with the addresses of this console. */
import type { StoredMessage } from '@/lib/broker/alerts';
import { hostsOf } from '@/lib/broker/redis/connection/redis-setting';
import type { AlertMessage } from '@/lib/contract/alerts/alert-schemas';
import { evidencePath } from '@/lib/contract/queues/evidence-path';
import { ownAddress } from '../authentication/sign-in-methods';
import { consoleEnvironment, readEnv } from '../environment';

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
    alert: alert.code === 'REDIS' ? { ...alert, sentence: withHosts(alert.sentence) } : alert,
    link: ownAddress() + evidencePath(alert.evidence),
    alertsLink: `${ownAddress()}/alerts`,
    environment: consoleEnvironment()?.name ?? null,
  };
}

/** Channels are of those who repair it. Pages and answers do not say where Redis is. */
const withHosts = (sentence: string): string => {
  const redis = `Redis (${hostsOf(readEnv(process.env).redis)})`;
  return sentence.startsWith('Redis ') ? redis + sentence.slice('Redis'.length) : `${redis}: ${sentence}`;
};
