/** A broker straight at the Redis of `--redis`, for commands that need no console. */
import { type Broker, openBroker } from '@/lib/broker';
import { redisUrlProblem } from '@/lib/broker/redis/redis-address';
import { CommandError, EXIT } from './exit-codes';
import type { Terminal } from './terminal';

/** @throws CommandError for a wrong address, which may hold a password: the sentence does not repeat it */
export async function withRedis<T>(
  url: string,
  { env }: Terminal,
  use: (broker: Broker) => Promise<T>,
): Promise<T> {
  const problem = redisUrlProblem(url);
  if (problem !== null) throw new CommandError(`--redis ${problem}.`, EXIT.usage);
  const broker = openBroker({ url, prefix: env.REDRIVE_PREFIX || 'rd' });
  try {
    return await use(broker);
  } finally {
    broker.close();
  }
}
