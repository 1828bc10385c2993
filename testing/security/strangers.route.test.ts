/** Who has no session: limited by where they come from on every route that answers them, and in what they leave in Redis. */
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { RATES } from '@/lib/server/http/request-rate-limits';
import { INVENTORY } from '@/testing/security/route-inventory';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';
import { signInAs } from '@/testing/worlds/users';

const PROBES = ['GET /healthz', 'GET /readyz'];
const ATTEMPTS = 'rd:{.access}:attempts';
const RECORDS = 'rd:{.access}:audit';

const world = await setUpConsole();
let client: Redis;
beforeAll(async () => {
  client = world.redis.connect();
  await signInAs(world, { name: 'ann', grants: [{ role: 'admin', queues: ['*'], tenants: null }] });
});
afterAll(async () => {
  client.disconnect();
});
beforeEach(async () => {
  process.env.REDRIVE_RATE_FACTOR = '0.1';
  await client.del(ATTEMPTS, RECORDS);
});

const at = (address: string, more: Record<string, string> = {}) => ({
  'x-redrive-address': address,
  ...more,
});
const isLimited = ({ status, body }: Awaited<ReturnType<typeof callApi>>) =>
  status === 429 && (body.code === undefined || body.code === 'RATE_LIMITED');

/** From one /64, each time from another address of it. How many were answered before one was limited; null: all were. */
async function answersBeforeLimit(
  place: number,
  method: string,
  path: string,
  options: Parameters<typeof callApi>[2] = {},
): Promise<number | null> {
  // Some come back while they are asked for.
  const most = 3 * RATES.read.burst * 0.1;
  for (let i = 0; i < most; i++) {
    const headers = at(`2001:db8:0:${place.toString(16)}::${i.toString(16)}`, options.headers);
    if (isLimited(await callApi(method, path, { ...options, headers }))) return i;
  }
  return null;
}

const ROUTES = Object.entries(INVENTORY).map(([key, { body }], place) => {
  const [method = '', pattern = ''] = key.split(' ');
  return { key, method, path: pattern.replace(/\[(?:\.\.\.)?\w+\]/g, 'x'), body, place };
});

test.each(ROUTES.filter(({ key }) => !PROBES.includes(key) && !key.startsWith('HEAD ')))(
  'M1: $key is limited for those without a session, by place',
  async ({ method, path, body, place }) => {
    expect(await answersBeforeLimit(place, method, path, { body })).not.toBeNull();
  },
);

test.each(PROBES)('M1: %s is answered as often as it is asked', async (key) => {
  expect(await answersBeforeLimit(60_000, 'GET', key.split(' ')[1] ?? '')).toBeNull();
});

test('M1: so is what another site sends, and a token that is none', async () => {
  const headers = { origin: 'https://evil.example' };
  expect(await answersBeforeLimit(60_001, 'DELETE', '/api/v1/session', { headers })).toBeLessThanOrEqual(
    RATES['signed-out'].burst,
  );
  const authorization = `Bearer rdt_${'x'.repeat(43)}`;
  expect(
    await answersBeforeLimit(60_002, 'GET', '/api/v1/queues', { headers: { authorization } }),
  ).toBeLessThanOrEqual(RATES['signed-out'].burst);
});

test('H1: one /64 leaves five entries a minute in the audit log, however often it tries to sign in', async () => {
  process.env.REDRIVE_RATE_FACTOR = '100';
  const tries = Array.from({ length: 120 }, (_, i) =>
    callApi('POST', '/api/v1/session', {
      body: { name: i % 2 === 0 ? 'ann' : `name ${i}`, password: 'wrong' },
      headers: at(`2001:db8:a:b::${i.toString(16)}`),
    }),
  );
  for (const { status } of await Promise.all(tries)) expect([401, 429]).toContain(status);
  const left = await client.xlen(RECORDS);
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(5);
});

test('H1: a sign-in by link is refused before it is counted or recorded where AUTH has no link', async () => {
  const { status, body } = await callApi('POST', '/api/v1/session/link', {
    body: { code: 'x' },
    headers: at('203.0.113.9'),
  });
  expect([status, body.code]).toEqual([401, 'SIGN_IN_FAILED']);
  expect(await client.exists(ATTEMPTS, RECORDS)).toBe(0);
});
