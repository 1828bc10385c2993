/** Everything a Redis is asked, by its own account (MONITOR). */
import type { Redis } from 'ioredis';
import type { TestRedis } from './redis-server';

/**
 * A connection that emits `monitor` for each command. The one it is made from greets Redis first: ioredis takes what is told in the
 * moment MONITOR is answered for a reply that nobody waits for.
 */
export async function startMonitor(server: TestRedis): Promise<Redis> {
  const connection = server.connect();
  await connection.ping();
  return connection.monitor();
}
