/** Messages to receivers on loopback; the signed ones to the examples of the documentation, which verify them by themselves. */
import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { webhookMessageSchema } from '@/lib/contract/alerts/webhook-message';
import { type AlertReceiver, startAlertReceiver } from '@/testing/alerts/alert-receiver';
import { alertMessage } from '@/testing/alerts/sample-alert-message';
import { type AlertChannel, alertConfigSchema } from '../settings/alert-config-schema';
import { sendAlert, sendHeartbeat } from './send-alert';

const SECRET = 'a secret of 24 characters';
const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
let receiver: AlertReceiver;
beforeEach(async () => {
  receiver = await startAlertReceiver();
});
afterEach(() => receiver.stop());

function channelOf(channel: object): AlertChannel {
  const { channels } = alertConfigSchema.parse({
    channels: [{ name: 'a', url: `${receiver.url}/hook?key=1`, ...channel }],
    allowedHosts: [receiver.host],
  });
  return channels[0] as AlertChannel;
}
const send = (channel: object, message = alertMessage()): Promise<void> =>
  sendAlert(channelOf(channel), message, { allowedHosts: [receiver.host], now: NOW });

describe('a webhook', () => {
  it('gets the whole message, with a signature over moment and body', async () => {
    await send({ kind: 'webhook', secret: SECRET });
    const [{ body = '', headers = {}, path } = {}] = receiver.received;
    expect(JSON.parse(body)).toEqual({ version: 1, ...alertMessage() });
    expect(z.strictObject(webhookMessageSchema.shape).safeParse(JSON.parse(body)).error).toBeUndefined();
    expect(path).toBe('/hook?key=1');
    expect(headers['content-type']).toBe('application/json');
    expect(headers['redrive-message']).toBe('FAILING-1:fired:1');
    expect(headers['redrive-timestamp']).toBe(String(Math.floor(NOW / 1_000)));
    const digest = createHmac('sha256', SECRET)
      .update(`${Math.floor(NOW / 1_000)}.${body}`)
      .digest('hex');
    expect(headers['redrive-signature']).toBe(`v1=${digest}`);
  });
});

describe('the other kinds', () => {
  it.each([
    ['slack', 'blocks'],
    ['teams', 'attachments'],
  ])('%s gets JSON with %s', async (kind, field) => {
    await send({ kind });
    const [{ body = '', headers = {} } = {}] = receiver.received;
    expect(headers['content-type']).toBe('application/json');
    expect(headers['redrive-signature']).toBeUndefined();
    expect(JSON.parse(body)).toHaveProperty(field);
  });

  it('a test of PagerDuty opens an incident and ends it', async () => {
    await send({ kind: 'pagerduty', routingKey: '0'.repeat(32) }, alertMessage({ event: 'test' }));
    expect(receiver.received.map(({ body }) => JSON.parse(body).event_action)).toEqual([
      'trigger',
      'resolve',
    ]);
  });

  it('a heartbeat is a GET', async () => {
    const { channels } = alertConfigSchema.parse({
      channels: [{ name: 'a', kind: 'heartbeat', url: `${receiver.url}/ping` }],
      allowedHosts: [receiver.host],
    });
    const [channel] = channels;
    if (channel?.kind !== 'heartbeat') throw new Error('not a heartbeat');
    await sendHeartbeat(channel, { allowedHosts: [receiver.host], now: NOW });
    expect(receiver.received).toMatchObject([{ method: 'GET', path: '/ping', body: '' }]);
  });
});
