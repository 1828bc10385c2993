/** The watch of one console: from a cause in Redis to a receiver, and to its end, also when Redis lost the alert meanwhile. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '@/testing/poll';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';
import { BY, jobs } from '@/testing/worlds/world';

const world = await setUpConsole();
const told: { event: string; code: string; link: string }[] = [];
let beats = 0;
const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (part) => {
    body += part;
  });
  request.on('end', () => {
    if (request.method === 'GET') beats += 1;
    else {
      const message = JSON.parse(body);
      told.push({ event: message.event, code: message.alert.code, link: message.link });
    }
    response.writeHead(204).end();
  });
});
const watch = async () => (await import('./alert-watch')).getAlertWatch();

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  configure([host]);
  (await watch()).start();
});
const configure = (hosts: string[], ...more: object[]) => {
  const [host] = hosts;
  process.env.REDRIVE_ALERTS = JSON.stringify({
    channels: [
      { name: 'night', kind: 'webhook', url: `http://${host}/`, secret: 'a secret of 16 characters' },
      { name: 'alive', kind: 'heartbeat', url: `http://${host}/`, everySeconds: 10 },
      ...more,
    ],
    rules: { NO_WORKERS: { forSeconds: 0 } },
    resolveAfterSeconds: 5,
    allowedHosts: hosts,
  });
};
afterAll(async () => {
  (await watch()).stop();
  delete process.env.REDRIVE_ALERTS;
  receiver.close();
});
const heard = () => told.map(({ event, code }) => `${event} ${code}`);

test('a queue without workers is told with a link to it, and once more when it is empty again', async () => {
  await world.broker.enqueueMany('mail', jobs(1));
  await until(() => heard().length > 0, { what: 'the receiver to be told' });
  expect(heard()).toEqual(['fired NO_WORKERS']);
  expect(told[0]?.link).toMatch(/^http:\/\/.+\/queues\/mail\?state=ready$/);
  await world.broker.remove('mail', ['j000000'], BY);
  await until(() => heard().length > 1, { what: 'the receiver to be told of the end', timeoutMs: 60_000 });
  expect(heard()).toEqual(['fired NO_WORKERS', 'ended NO_WORKERS']);
}, 90_000);

test('heartbeats are called meanwhile', async () => {
  await until(() => beats > 0, { what: 'a heartbeat' });
});

test('heartbeats follow the hosts that are allowed now', async () => {
  let calls = 0;
  const later = createServer((_, response) => {
    calls += 1;
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => later.listen(0, '127.0.0.1', resolve));
  const [first, second] = [receiver, later].map(
    (server) => `127.0.0.1:${(server.address() as AddressInfo).port}`,
  );
  if (!first || !second) throw new Error('no address');
  configure([first, second], {
    ...{ name: 'later', kind: 'heartbeat', url: `http://${second}/`, everySeconds: 10 },
  });
  await until(() => calls > 0, { what: 'a heartbeat to the new host', timeoutMs: 60_000 });
  configure([first]);
  later.close();
}, 90_000);

test('channels made in the console are encrypted, survive a loss of data, and are gone once they were removed', async () => {
  const { alerts } = world.broker;
  const url = 'https://hooks.example.com/made';
  await alerts.addChannel(
    {
      ...{ name: 'made', kind: 'slack', target: 'hooks.example.com', levels: ['bad'] },
      ...{ codes: ['DEEP'], queues: null, from: null, to: null, everySeconds: null },
      ...{ secrets: JSON.stringify({ url }), intent: null, id: 'made-1' },
    },
    BY,
  );
  process.env.REDRIVE_AUDIT_KEY = 'k'.repeat(32);
  const client = world.redis.connect();
  const stored = async () => (await alerts.made()).map(({ secrets }) => secrets.includes(url));
  await until(async () => (await stored())[0] === false, {
    what: 'the secrets to be encrypted',
    timeoutMs: 60_000,
  });
  // The watch has read the channel by its second look.
  const looks = async (count: number) => {
    const before = Number((await alerts.read()).version);
    await until(async () => Number((await alerts.read()).version) >= before + count, {
      what: 'looks',
      timeoutMs: 60_000,
    });
  };
  await looks(2);
  await client.flushall();
  await until(async () => (await stored()).length > 0, { what: 'the channel to be back', timeoutMs: 60_000 });
  const removed = await callApi('DELETE', '/api/v1/alerts/channels/made', { body: {} });
  await client.flushall();
  expect(removed.status).toBe(200);
  await looks(2);
  expect(await stored()).toEqual([]);
  delete process.env.REDRIVE_AUDIT_KEY;
  client.disconnect();
}, 150_000);

test('Redis stays unread while nobody looks but the watch: no reading each second', async () => {
  const { getSampler } = await import('../live/sampler');
  const { version } = await getSampler().recent(60_000);
  const before = (await world.broker.alerts.read()).version;
  await until(async () => Number((await world.broker.alerts.read()).version) >= Number(before) + 2, {
    what: 'two more looks',
    timeoutMs: 60_000,
  });
  expect((await getSampler().recent(60_000)).version - version).toBeLessThanOrEqual(3);
}, 90_000);

test('an alert that Redis lost with its data is told to be over all the same', async () => {
  told.length = 0;
  await world.broker.enqueueMany('sms', jobs(1));
  await until(() => heard().includes('fired NO_WORKERS'), {
    what: 'the receiver to be told',
    timeoutMs: 60_000,
  });
  const client = world.redis.connect();
  await client.flushall();
  client.disconnect();
  await until(() => heard().includes('ended NO_WORKERS'), { what: 'the end of it', timeoutMs: 60_000 });
  expect(heard().filter((one) => one === 'fired NO_WORKERS')).toHaveLength(1);
}, 150_000);
