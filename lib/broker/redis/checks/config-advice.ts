/** How a setting of Redis is changed on this server, by the user of this connection. */
import type { Redis } from 'ioredis';
import { askServer, wasDenied } from './ask-server';

/** @param setting as in redis.conf, such as `maxmemory-policy noeviction` @returns what to do, as a sentence without its full stop */
export async function howToSet(redis: Redis, setting: string): Promise<string> {
  const [name = ''] = setting.split(' ');
  const ask = (...question: [string, string, string]) => askServer(redis, Date.now(), ...question);
  if ((await ask('CONFIG', 'GET', name)) !== null)
    return `Run CONFIG SET ${setting} (and put it into redis.conf)`;
  return wasDenied(redis)
    ? `As a Redis user that may use CONFIG, run CONFIG SET ${setting} (and put it into redis.conf)`
    : `This server takes no CONFIG: set ${setting} where its provider keeps its settings, or in redis.conf, and restart it`;
}
