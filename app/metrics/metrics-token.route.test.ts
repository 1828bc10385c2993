/** The token of the settings reads metrics of everything, and opens nothing else. */
import { expect, test } from 'vitest';
import { digestOf } from '@/lib/server/authentication/session-cookie';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';
import { signInAs } from '@/testing/worlds/users';

const world = await setUpConsole();
const TOKEN = `rdt_${'m'.repeat(43)}`;
const headers = { authorization: `Bearer ${TOKEN}` };
const statusOf = async (path: string, given: Record<string, string> = headers) =>
  (await callApi('GET', path, { headers: given })).status;

test('is taken for metrics, not for other routes, and not once its hash is another', async () => {
  await signInAs(world, { name: 'ann', grants: [{ role: 'viewer', queues: ['*'], tenants: null }] });
  await world.broker.enqueue('mail', { jobType: 'a' });
  expect(await statusOf('/metrics')).toBe(401);
  process.env.REDRIVE_METRICS_TOKEN_HASH = digestOf(TOKEN);
  expect(await statusOf('/metrics')).toBe(200);
  for (const path of ['/stats', '/api/v1/queues', '/api/v1/me', '/api/v1/audit'])
    expect([path, await statusOf(path)]).toEqual([path, 401]);
  expect(await statusOf('/metrics', { authorization: `Bearer ${TOKEN.replace('m', 'n')}` })).toBe(401);
  expect(await statusOf('/metrics', {})).toBe(401);
  process.env.REDRIVE_METRICS_TOKEN_HASH = digestOf('another');
  expect(await statusOf('/metrics')).toBe(401);
});
