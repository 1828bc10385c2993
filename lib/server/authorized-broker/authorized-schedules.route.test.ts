/** Whose a schedule is when its maker is gone: the queue's. */
import { expect, it } from 'vitest';
import { tickSchedules } from '@/lib/broker/schedules';
import { schedulesPageSchema } from '@/lib/contract/schedules/schedule-schemas';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';
import { signInAs, tokenFor } from '@/testing/worlds/users';

const world = await setUpConsole();

const call = (method: string, path: string, body: unknown, headers: Record<string, string>) =>
  callApi(method, `/api/v1/schedules${path}`, { body, headers });

it('likely 9: a schedule goes on after its maker was demoted, and administrators are told who may no longer make it', async () => {
  const OPERATOR = [{ role: 'operator' as const, queues: ['default'], tenants: null }];
  const VIEWER = [{ role: 'viewer' as const, queues: ['default'], tenants: null }];
  const ADMIN = [{ role: 'admin' as const, queues: ['*'], tenants: null }];
  const admin = await signInAs(world, { name: 'ada', grants: ADMIN });
  const tina = await signInAs(world, { name: 'tina', grants: OPERATOR });
  const viewer = await signInAs(world, {
    name: 'vera',
    grants: [{ role: 'viewer', queues: ['*'], tenants: null }],
  });
  const token = await tokenFor(world, { userId: tina.userId, name: 'tina' }, OPERATOR);
  for (const [id, who] of [
    ['by-hand', tina],
    ['by-token', token],
    ['of-ada', admin],
  ] as const)
    expect(
      (
        await call(
          'POST',
          '',
          { id, queue: 'default', timing: { everyMs: 1_000 }, job: { jobType: 'x' } },
          who.headers,
        )
      ).status,
    ).toBe(201);
  const listed = async (who: { headers: Record<string, string> }) => {
    const page = schedulesPageSchema.parse((await call('GET', '?limit=100', undefined, who.headers)).body);
    const some = page.schedules.filter(({ id }) => ['by-hand', 'by-token', 'of-ada'].includes(id));
    return some.map(({ id, maker, makerRefusal }) => ({ id, maker, makerRefusal }));
  };
  expect((await listed(admin)).map(({ makerRefusal }) => makerRefusal)).toEqual([null, null, null]);

  const by = { actor: 'ada', reason: 'left the team' };
  await world.broker.access.users.change(tina.userId, { grants: VIEWER }, by);
  expect(await listed(admin)).toEqual([
    {
      id: 'by-hand',
      maker: 'tina',
      makerRefusal: expect.stringMatching(/^tina, who made it, no longer has .*"operate"/),
    },
    {
      id: 'by-token',
      maker: 'a program (token of tina)',
      makerRefusal: expect.stringMatching(/no longer has/),
    },
    { id: 'of-ada', maker: 'ada', makerRefusal: null },
  ]);
  // Who does not look after access is not told of it.
  expect((await listed(viewer)).map(({ makerRefusal }) => makerRefusal)).toEqual([null, null, null]);

  // It goes on: it belongs to its queue.
  const due = (await world.broker.schedules.get('by-hand')).schedule.nextAt ?? 0;
  await tickSchedules(world.brokerAt(() => due + 500));
  expect((await world.broker.schedules.get('by-hand')).schedule).toMatchObject({ entered: 1, skipped: 0 });

  // Who changes what it does answers for it; who only pauses it does not.
  await call('POST', '/by-token/pause', { reason: 'for now' }, admin.headers);
  await call('PATCH', '/by-hand', { timing: { everyMs: 2_000 } }, admin.headers);
  expect(await listed(admin)).toMatchObject([
    { id: 'by-hand', maker: 'ada', makerRefusal: null },
    { id: 'by-token', maker: 'a program (token of tina)', makerRefusal: expect.any(String) },
    { id: 'of-ada' },
  ]);
  await world.broker.access.users.change(tina.userId, { disabled: true }, by);
  expect((await listed(admin))[1]?.makerRefusal).toMatch(/has no access any more/);
});
