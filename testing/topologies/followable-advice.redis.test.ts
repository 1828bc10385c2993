/** C22: a Redis that evicts keys is refused with advice that this server and this user can follow. */
import { expect, it } from 'vitest';
import { createBroker } from '@/testing/create-broker';
import { startRedis } from '@/testing/worlds/redis-server';

const EVICTS = ['--maxmemory-policy', 'volatile-lru'];
it.each([
  ['a user with CONFIG', [], [], / Run CONFIG SET maxmemory-policy noeviction/],
  [
    'a user without it',
    [],
    ['-config'],
    / As a Redis user that may use CONFIG, set maxmemory-policy noeviction/,
  ],
  [
    'a server without it',
    ['--rename-command', 'CONFIG', ''],
    [],
    / This server takes no CONFIG: set maxmemory/,
  ],
] as const)('%s', async (_, args, rights, words) => {
  const redis = await startRedis([...EVICTS, ...args]);
  await redis.connect().call('ACL', 'SETUSER', 'app', 'on', '>one', '~*', '&*', '+@all', ...rights);
  const broker = createBroker({ url: `unix://app:one@${redis.path}` });
  try {
    const error = await broker.ready().then(
      () => 'none',
      ({ message }: Error) => message,
    );
    expect(error).toMatch(words);
    expect(error).toMatch(/REDRIVE_ALLOW_EVICTION=yes for console and demo/);
  } finally {
    broker.close();
    await redis.stop();
  }
});
