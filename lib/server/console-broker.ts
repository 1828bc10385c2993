import { openBroker } from '@/lib/broker';
import { readEnv } from './environment';
import { singleton } from './singleton';

/** The one broker of this process. Connects on first use, so building and starting need no Redis. */
export const getBroker = singleton('broker', () => {
  const env = readEnv(process.env);
  return openBroker({
    ...env.redis,
    prefix: env.REDRIVE_PREFIX,
    allowEviction: env.REDRIVE_ALLOW_EVICTION === 'yes',
  });
});
