/** Listeners on a connection that an application shares among brokers. */
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { listen } from '@/lib/broker/redis/connection/shared-listeners';
import { createWorker, defineHandler } from '@/lib/worker';
import { createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { setUpRedis } from '@/testing/worlds/set-up-redis';

const redis = await setUpRedis();
const warnings: Error[] = [];
const onWarning = (warning: Error) => warnings.push(warning);
process.on('warning', onWarning);
afterEach(() => warnings.splice(0));

const connect = () => redis.connect({ commandTimeout: 5_000 });
type Connection = ReturnType<typeof connect>;
const listeners = (connection: Connection) =>
  connection.eventNames().map((event) => [event, connection.listenerCount(event)]);

describe('brokers on one connection', () => {
  it('share a listener an event, and leave none when the last is closed', async () => {
    const connection = connect();
    const before = listeners(connection);
    const brokers = Array.from({ length: 12 }, () => createBroker({ redis: connection }));
    // All wait for the connection, and each for its own check.
    await Promise.all(brokers.map((broker) => broker.ready()));
    const own = new Map(before.map(([event, count]) => [event, Number(count)]));
    for (const [event, count] of listeners(connection))
      expect(Number(count) - (own.get(event as string) ?? 0), String(event)).toBeLessThanOrEqual(1);
    expect(listeners(connection).length).toBeGreaterThan(before.length);
    for (const broker of brokers.slice(1)) broker.close();
    connection.disconnect(true);
    await until(() => connection.status === 'ready', { what: 'the new connection' });
    // The one that is left still hears of it: it checks the new connection.
    expect(await brokers[0]?.enqueue('q', { jobType: 'demo.run', payload: '{}' })).toMatchObject({
      outcome: 'ready',
    });
    brokers[0]?.close();
    expect(listeners(connection)).toEqual(before);
    expect(warnings).toEqual([]);
  });

  it('fifty workers, made and stopped in turn, leave none', async () => {
    const connection = connect();
    const before = listeners(connection);
    const broker = createBroker({ redis: connection });
    await broker.ready();
    const withBroker = listeners(connection);
    const handler = defineHandler({ type: 'demo.run', schema: z.unknown(), run: () => undefined });
    for (let n = 0; n < 50; n++) {
      const worker = createWorker(broker, { queues: { q: 1 }, concurrency: 1, handlers: [handler] });
      worker.start();
      await worker.stop();
    }
    expect(listeners(connection)).toEqual(withBroker);
    broker.close();
    expect(listeners(connection)).toEqual(before);
    expect(warnings).toEqual([]);
  });
});

describe('a listener', () => {
  it('that stops during an event is not called by it, and stops once', () => {
    const connection = connect();
    const before = listeners(connection);
    const calls: string[] = [];
    const stopFirst = listen(connection, 'an event', () => {
      calls.push('first');
      stopSecond();
    });
    const stopSecond = listen(connection, 'an event', () => calls.push('second'));
    connection.emit('an event');
    stopSecond();
    stopFirst();
    stopFirst();
    connection.emit('an event');
    expect(calls).toEqual(['first']);
    expect(listeners(connection)).toEqual(before);
  });
});
