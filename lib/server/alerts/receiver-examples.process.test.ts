/** The receivers in examples/alert-receiver, run as they stand: they verify what the console sends, and refuse everything else. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { alertMessage } from '@/testing/alerts/sample-alert-message';
import { Processes } from '@/testing/worlds/processes';
import { alertConfigSchema } from '../settings/alert-config-schema';
import { webhookBody, webhookHeaders } from './formats/webhook-format';
import { sendAlert } from './send-alert';

const EXAMPLES = join(import.meta.dirname, '../../../examples/alert-receiver');
const SECRET = 'the secret of both: ü';
/** Redrive itself needs no Python. */
const hasPython = spawnSync('python3', ['--version']).status === 0;
const processes = new Processes();
afterAll(() => processes.stopAll());

test.each([
  ['python3', 'receiver.py'],
  ['node', 'receiver.mjs'],
])('%s %s', async (command, file) => {
  if (command === 'python3' && !hasPython) return;
  const receiver = processes.spawn(command, [join(EXAMPLES, file), '0'], { env: { ALERT_SECRET: SECRET } });
  const [, port] = await receiver.prints(/listening on (\d+)/);
  const host = `127.0.0.1:${port}`;
  const url = `http://${host}/`;
  const send = (secret: string, id: string, now = Date.now()) => {
    const { channels } = alertConfigSchema.parse({
      channels: [{ name: 'a', kind: 'webhook', url, secret }],
      allowedHosts: [host],
    });
    const [channel] = channels;
    if (channel?.kind !== 'webhook') throw new Error('not a webhook');
    return sendAlert(channel, alertMessage({ id }), { allowedHosts: [host], now });
  };
  await send(SECRET, 'first');
  // Sent again, as after a lost reply: it counts once.
  await send(SECRET, 'first');
  await expect(send('another secret, not the same', 'forged')).rejects.toThrow('answers with 401');
  await expect(send(SECRET, 'old', Date.now() - 600_000)).rejects.toThrow('answers with 401');
  const body = webhookBody(alertMessage({ id: 'changed' }));
  const changed = await fetch(url, {
    method: 'POST',
    headers: webhookHeaders(body, 'changed', SECRET, Date.now()),
    body: body.replace('billing', 'mailing'),
    signal: AbortSignal.timeout(10_000),
  });
  expect(changed.status).toBe(401);
  await send(SECRET, 'last');
  await expect
    .poll(() => receiver.output().match(/^fired FAILING 40% of runs in billing fail/gm)?.length)
    .toBe(2);
});
