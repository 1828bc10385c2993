import { createBroker } from '@/lib/broker';
import { readEnv } from './env';
import { singleton } from './singleton';

/** The one broker of this process. Connects on first use, so building and starting need no Redis. */
export const getBroker = singleton('broker', () => {
  const env = readEnv(process.env);
  return createBroker({
    url: env.REDIS_URL,
    prefix: env.REDRIVE_PREFIX,
    allowEviction: env.REDRIVE_ALLOW_EVICTION === 'yes',
  });
});
