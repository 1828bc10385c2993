/** GET /api/v1/redis: the checks of the very Redis, for users who see everything. */
import { expect, test } from 'vitest';
import { redisChecksSchema } from '@/lib/contract/redis/redis-check-schemas';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';
import { signInAs } from '@/testing/worlds/users';

const world = await setUpConsole();
const ask = async (queues: string[], tenants: string[] | null = null) => {
  const { headers } = await signInAs(world, {
    name: `v${queues.join()}${tenants?.join() ?? ''}`,
    grants: [{ role: 'viewer', queues, tenants }],
  });
  return callApi('GET', '/api/v1/redis', { headers });
};

test('a viewer of everything sees every check with verdict, reason and fix', async () => {
  const { status, body } = await ask(['*']);
  expect(status).toBe(200);
  const { servers, verdict } = redisChecksSchema.parse(body);
  expect(verdict).toBe('bad');
  expect(servers).toHaveLength(1);
  // The test's Redis keeps nothing on disk.
  expect(servers[0]?.checks.find(({ id }) => id === 'aof')).toMatchObject({
    verdict: 'bad',
    value: 'off',
    why: expect.stringContaining('restart'),
    fix: expect.stringContaining('appendonly yes'),
  });
});

test('the server’s settings are not for viewers of some queues or tenants', async () => {
  for (const [queues, tenants] of [
    [['mail*'], null],
    [['*'], ['acme']],
  ] as const) {
    const { status, body } = await ask([...queues], tenants && [...tenants]);
    expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
    expect(JSON.stringify(body)).not.toContain('append');
  }
});
