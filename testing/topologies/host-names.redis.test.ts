/** C21: names that have several addresses, or none: what can be reached is reached, and what cannot says why. */
import dns from 'node:dns';
import { isIP } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type Broker, createBroker } from '@/testing/create-broker';
import { startCluster, type TestCluster } from '@/testing/worlds/redis-cluster';
import { startRedisOnPort, type TestRedis } from '@/testing/worlds/redis-server';
import { jobs } from '@/testing/worlds/world';

let cluster: TestCluster;
let server: TestRedis & { url: string };
beforeAll(async () => {
  [cluster, server] = await Promise.all([startCluster({ masters: 2 }), startRedisOnPort()]);
});
afterAll(() => Promise.all([cluster.stop(), server.stop()]));

type Answer = (error: Error | null, address?: unknown, family?: number) => void;
/** The servers listen on 127.0.0.1 alone. */
const NAMES: Record<string, string[]> = { 'two.test': ['::1', '127.0.0.1'], 'one.test': ['127.0.0.1'] };

beforeEach(() => {
  const lookup = (host: string, options: { all?: boolean; family?: number }, answer: Answer) => {
    const known = isIP(host) ? [host] : (NAMES[host] ?? []);
    const found = known
      .map((address) => ({ address, family: isIP(address) }))
      .filter(({ family }) => !options.family || options.family === family);
    const [first] = found;
    if (!first) answer(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }));
    else if (options.all) answer(null, found);
    else answer(null, first.address, first.family);
  };
  vi.spyOn(dns, 'lookup').mockImplementation(lookup as never);
});
const open: Broker[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const broker of open.splice(0)) broker.close();
});
const outcome = async (url: string): Promise<string> => {
  const broker = createBroker({ url });
  open.push(broker);
  try {
    const [result] = await broker.enqueueMany('email', jobs(1));
    return result?.outcome ?? 'none';
  } catch (error) {
    return (error as Error).message;
  }
};
const seed = (name: string) => `${name}:${cluster.masters[0]?.port}`;
const server0 = (name: string) => `redis://${name}:${new URL(server.url).port}`;
const IN = /^(?:ready|duplicate)$/;
const UNKNOWN =
  /^Redis cannot be reached: (?:no node of the Cluster answered: )?its host name is not known \(\w+\.test\)\. Nothing was changed/;

it.each<[string, () => string, RegExp]>([
  ['a server whose first address is dead', () => server0('two.test'), IN],
  ['either version of IP', () => `${server0('one.test')}?family=0`, IN],
  ['a seed whose first address is dead', () => `redis+cluster://${seed('two.test')}`, IN],
  ['the same by one version of IP', () => `redis+cluster://${seed('two.test')}?family=4`, IN],
  [
    'a seed that nobody knows before one that works',
    () => `redis+cluster://${seed('gone.test')},${seed('one.test')}`,
    IN,
  ],
  [
    'a seed that nobody knows behind one that works',
    () => `redis+cluster://${seed('one.test')},${seed('gone.test')}`,
    IN,
  ],
  ['seeds that nobody knows', () => `redis+cluster://${seed('gone.test')},${seed('left.test')}`, UNKNOWN],
  ['a server that nobody knows', () => server0('gone.test'), UNKNOWN],
  ['a name without the wanted version of IP', () => `${server0('one.test')}?family=6`, UNKNOWN],
])('%s', async (_, url, expected) => {
  expect(await outcome(url())).toMatch(expected);
});
