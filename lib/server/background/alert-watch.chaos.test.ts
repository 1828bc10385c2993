/**
 * Two consoles on one Redis and a real receiver: one message for one cause, also when the console that sends it is killed; and a message
 * from memory when it is Redis that is gone. Needs a build; `npm test` makes one.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Broker, createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { Processes, portFree, requireBuild, type Spawned } from '@/testing/worlds/processes';
import { setUpRedis } from '@/testing/worlds/set-up-redis';
import { BY, jobs } from '@/testing/worlds/world';

const BEAT_SECONDS = 10;
const ROOT = join(import.meta.dirname, '../../..');
requireBuild();
const processes = new Processes();
const redis = await setUpRedis();
let broker: Broker;
const received: { id: string; event: string; code: string }[] = [];
/** Requests that are never answered, as long as it is set. */
let holding: ServerResponse[] | null = null;
/** When the heartbeat address was called. */
const beats: number[] = [];
const receiver = createServer((request, response) => {
  if (request.url === '/alive') {
    beats.push(Date.now());
    response.writeHead(204).end();
    return;
  }
  let body = '';
  request.on('data', (part) => {
    body += part;
  });
  request.on('end', () => {
    const { id, event, alert } = JSON.parse(body);
    received.push({ id, event, code: alert.code });
    if (holding) holding.push(response);
    else response.writeHead(204).end();
  });
});

beforeAll(async () => {
  broker = createBroker({ url: redis.path });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await processes.stopAll();
  broker.close();
  receiver.closeAllConnections();
  receiver.close();
});

async function startConsole(name: string): Promise<Spawned> {
  const port = await portFree();
  const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const alerts = {
    channels: [
      { name: 'night', kind: 'webhook', url: `http://${host}/`, secret: 'a secret of 16 characters' },
      { name: 'alive', kind: 'heartbeat', url: `http://${host}/alive`, everySeconds: BEAT_SECONDS },
    ],
    rules: { NO_WORKERS: { forSeconds: 0 }, REDIS: { forSeconds: 5 }, DATA_LOST: { off: true } },
    resolveAfterSeconds: 5,
    allowedHosts: [host],
  };
  const env = {
    REDIS_URL: redis.path,
    HOST: '127.0.0.1',
    PORT: String(port),
    AUTH: 'none',
    REDRIVE_ALERTS: JSON.stringify(alerts),
  };
  const child = processes.spawn(process.execPath, ['scripts/serve.mjs'], { name, cwd: ROOT, env });
  await until(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok, {
    what: `${name} to be ready`,
    timeoutMs: 60_000,
  });
  return child;
}
const heard = (code: string) => received.filter((one) => one.code === code).map(({ event }) => event);
const waitFor = async (code: string, events: readonly string[], timeoutMs = 90_000) => {
  const startedAt = Date.now();
  const same = () => JSON.stringify(heard(code)) === JSON.stringify(events);
  await until(same, { what: `${code}: ${events.join(', ')} (${JSON.stringify(received)})`, timeoutMs });
  console.log(`${code} ${events.at(-1)}: ${((Date.now() - startedAt) / 1_000).toFixed(1)} s`);
};

test('two consoles tell of one cause once; the message of a killed one is sent by the other', async () => {
  let [first, second] = [await startConsole('console A'), await startConsole('console B')];
  await broker.enqueueMany('mail', jobs(1));
  await waitFor('NO_WORKERS', ['fired']);
  await broker.remove('mail', ['j000000'], BY);
  await waitFor('NO_WORKERS', ['fired', 'ended']);

  // Only A is there, so it is A that sends; then B is there, and A dies while it waits for the answer.
  second.kill();
  await until(() => !second.running(), { what: 'console B to die' });
  received.length = 0;
  holding = [];
  await broker.enqueueMany('mail', jobs(1, 1));
  await until(() => received.length === 1, { what: 'A to send', timeoutMs: 60_000 });
  second = await startConsole('console B again');
  first.kill();
  holding = null;
  await waitFor('NO_WORKERS', ['fired', 'fired']);
  expect(new Set(received.map(({ id }) => id)).size).toBe(1);
  await broker.remove('mail', ['j000001'], BY);
  await waitFor('NO_WORKERS', ['fired', 'fired', 'ended']);
  const recorded = async () =>
    (await broker.alerts.deliveries({ limit: 100 })).deliveries.map(
      ({ event, state }) => `${event} ${state}`,
    );
  // The receiver has a message before its sender has recorded that.
  await expect
    .poll(recorded, { timeout: 30_000 })
    .toEqual(['ended sent', 'fired sent', 'ended sent', 'fired sent']);
  first = second;
});

test('Redis killed: each console tells it from memory, under one id, and heartbeats stop; that it is back is on record', async () => {
  await startConsole('console C');
  await until(() => beats.length > 0, { what: 'a heartbeat', timeoutMs: 60_000 });
  await redis.kill();
  await waitFor('REDIS', ['fired', 'fired']);
  expect(new Set(received.filter(({ code }) => code === 'REDIS').map(({ id }) => id)).size).toBe(1);
  const silentMs = 2.5 * BEAT_SECONDS * 1_000;
  await until(() => Date.now() - (beats.at(-1) ?? 0) > silentMs, {
    what: 'the heartbeats to stop',
    timeoutMs: 60_000,
  });
  const beatsBefore = beats.length;
  await redis.restart();
  // One of them ends it.
  await waitFor('REDIS', ['fired', 'fired', 'ended']);
  await until(() => beats.length > beatsBefore, { what: 'heartbeats again', timeoutMs: 60_000 });
  await until(
    async () => (await broker.alerts.ended({ limit: 10 })).alerts.some(({ code }) => code === 'REDIS'),
    {
      what: 'it to be on record',
    },
  );
  expect(
    (await broker.alerts.ended({ limit: 10 })).alerts.filter(({ code }) => code === 'REDIS'),
  ).toHaveLength(1);
});
