/** How a setting of Redis is changed, in a way that this user of this server can follow. */
import type { Redis } from 'ioredis';
import { askServer, wasDenied } from './ask-server';

interface ConfigAccess {
  /** Null: CONFIG was refused. */
  readonly config: unknown;
  /** Whether the ACL refused a question. */
  readonly isDenied: boolean;
}

/** For where a setting must change: Redis counts and logs a refusal. */
export async function readConfigAccess(redis: Redis, name: string): Promise<ConfigAccess> {
  const ask = (...question: [string, string, string]) => askServer(redis, Date.now(), ...question);
  const config = await ask('CONFIG', 'GET', name);
  return { config, isDenied: wasDenied(redis) };
}

/** @param setting as in redis.conf, such as `maxmemory-policy noeviction` */
export function howToSet({ config, isDenied }: ConfigAccess, setting: string): string {
  if (config !== null) return `Run CONFIG SET ${setting} (and put it into redis.conf).`;
  return isDenied
    ? `As a Redis user that may use CONFIG, set ${setting} (and put it into redis.conf).`
    : `This server takes no CONFIG: set ${setting} where its provider keeps its settings, or in redis.conf, and restart it.`;
}
