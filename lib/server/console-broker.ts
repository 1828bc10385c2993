import { type BrokerOptions, openBroker } from '@/lib/broker';
import { readEnv } from './environment';
import { singleton } from './singleton';

/** The Redis of this console. */
export function brokerOptions(): BrokerOptions {
  const env = readEnv(process.env);
  return {
    ...env.redis,
    prefix: env.REDRIVE_PREFIX,
    allowEviction: env.REDRIVE_ALLOW_EVICTION === 'yes',
  };
}

/** The one broker of this process. Connects on first use, so building and starting need no Redis. */
export const getBroker = singleton('broker', () => openBroker(brokerOptions()));
