/** How a setting of Redis is changed, in a way that this user of this server can follow. Pure. */

/** @param setting as in redis.conf, such as `maxmemory-policy noeviction` */
export function howToSet({ config, isDenied }: ConfigAccess, setting: string): string {
  if (config !== null) return `Run CONFIG SET ${setting} (and put it into redis.conf).`;
  return isDenied
    ? `As a Redis user that may use CONFIG, set ${setting} (and put it into redis.conf).`
    : `This server takes no CONFIG: set ${setting} where its provider keeps its settings, or in redis.conf, and restart it.`;
}

interface ConfigAccess {
  /** Null: CONFIG was refused. */
  readonly config: unknown;
  /** Whether the ACL refused a question. */
  readonly isDenied: boolean;
}
