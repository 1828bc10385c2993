import { expect, it } from 'vitest';
import { impatient, setUpWorld } from '@/testing/worlds/world';
import { DeadlineList } from './deadline-list';
import { ScriptKeys, sendScript, takesCommands } from './script-command';

const world = await setUpWorld();
const ECHO = 'return { #KEYS, KEYS[1], KEYS[2], unpack(ARGV) }';
const keys = new ScriptKeys(['k:{ü}', 'second']);

it('sends keys and arguments of every kind as they are', async () => {
  const sha = String(await world.redis.script('LOAD', ECHO));
  const args = ['', 'ä\r\n$3', 12, Buffer.from([0, 13, 10, 255]), 'end'];
  const reply = (await sendScript(world.redis, sha, keys, args, true)) as unknown[];
  expect(reply.slice(0, 3).map(String)).toEqual(['2', 'k:{ü}', 'second']);
  expect(reply.slice(3)).toEqual(args.map((arg) => (Buffer.isBuffer(arg) ? arg : Buffer.from(String(arg)))));
  expect(await sendScript(world.redis, sha, new ScriptKeys([]), ['x'], false)).toEqual(
    [0, null, null, 'x'].slice(0, 1),
  );
});

it('gives up at the deadline of its connection, and only what has no answer', async () => {
  const sha = String(await world.redis.script('LOAD', ECHO));
  const redis = impatient(world.server.path, 150);
  const send = () => sendScript(redis, sha, keys, [], false);
  try {
    await send();
    await world.server.kill('SIGSTOP');
    const outcomes = await Promise.allSettled([send(), send()]);
    await world.server.kill('SIGCONT');
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(outcomes[1]).toMatchObject({ reason: { message: 'Command timed out' } });
    expect(await send()).toEqual([2, 'k:{ü}', 'second']);
  } finally {
    redis.disconnect();
  }
});

it('leaves connections that change keys to make their own commands', () => {
  const prefixed = world.server.connect({ keyPrefix: 'p:' });
  expect([takesCommands(world.redis), takesCommands(prefixed)]).toEqual([true, false]);
});

it('keeps no call that has its answer behind one that has none', () => {
  const list = new DeadlineList(60_000);
  const reject = () => undefined;
  list.add({ isSettled: false, reject });
  for (let i = 0; i < 10_000; i++) list.add({ isSettled: true, reject });
  expect(list.size).toBeLessThan(50);
});
