/** Which operations stay: those that can be undone, however many others start, and of each user a share of the rest. */
import { beforeEach, expect, it } from 'vitest';
import type { Actor } from '@/lib/broker/access/actor';
import { QUOTAS } from '@/lib/contract/access/quotas';
import { OPERATIONS_KEPT, UNDO_OPEN_MS } from '@/lib/contract/operations/operation-kinds';
import { operate, runToEnd, startOperation } from '@/testing/worlds/operation-runs';
import { BY, failure, jobs, killAll, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();
const { operations } = world.broker;
/** Each test has queues of its own: a producer enters a name once a minute, also when it was flushed meanwhile. */
beforeEach(() => world.redis.flushall());

const user = (name: string): Actor & { reason: string } => ({
  ...BY,
  actor: name,
  actorId: `token:${name}`,
  ownerId: `local:${name}`,
  method: 'local',
  quotaOwner: { id: `local:${name}`, name, tenants: [], isAdmin: false, seesAll: false },
});
const dead = async (queue: string, count: number) => {
  await killAll(world.broker, queue, jobs(count), failure());
};
/** Starts and cancels exports, the cheapest of all operations. */
async function startMany(count: number, by: Actor & { reason: string }): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    world.clock.now += 1;
    const { id } = await startOperation(world.broker, { kind: 'export', q: 'queue:qa' }, { by });
    ids.push((await operations.act(id, 'cancel', by)).id);
  }
  return ids;
}
const run = async (kind: 'purge' | 'suppress', queue: string, by: Actor & { reason: string }) => {
  const { id } = await startOperation(world.broker, { kind, q: `queue:${queue}` }, { by });
  return runToEnd(world.broker, id);
};
const stays = (id: string) =>
  operations.get(id).then(
    () => true,
    () => false,
  );
const kept = () => world.redis.zcard('rd:{.operations}:index');
const undosOf = async (name: string) =>
  Number(await world.redis.hget('rd:{.operations}:shares', `undos user local:${name}`));

it('keeps what others can undo, and their latest, however many one user starts', async () => {
  await dead('qa', 1);
  await dead('qb', 5);
  const purge = await run('purge', 'qb', user('ben'));
  expect(purge).toMatchObject({ moved: 5, undo: { kind: 'restore' } });
  const [own = ''] = await startMany(1, user('ben'));
  const greedy = await startMany(OPERATIONS_KEPT + 100, user('greedy'));
  expect(await kept()).toBeLessThanOrEqual(OPERATIONS_KEPT + 52);
  expect(await stays(own)).toBe(true);
  expect([await stays(greedy[0] ?? ''), await stays(greedy.at(-1) ?? '')]).toEqual([false, true]);
  const undone = await operations.undo(purge.id, { reason: 'a mistake' }, user('ben'));
  expect(await runToEnd(world.broker, undone.id)).toMatchObject({ moved: 5, status: 'completed' });
  // With its undo over it is one of many again.
  expect((await operations.get(purge.id)).undo).toBeNull();
}, 120_000);

it('takes a share for each operation that can be undone, and gives it back when that is over', async () => {
  await dead('qe', 3);
  const ann = user('ann');
  const suppressed = await run('suppress', 'qe', ann);
  expect(await undosOf('ann')).toBe(1);
  // What moved nothing gives it back at its end.
  expect((await run('suppress', 'qe', ann)).moved).toBe(0);
  expect(await undosOf('ann')).toBe(1);
  await world.redis.hset('rd:{.operations}:shares', 'undos user local:ann', QUOTAS.undos.perUser);
  await expect(run('suppress', 'qe', ann)).rejects.toMatchObject({
    code: 'LIMIT_REACHED',
    message: expect.stringMatching(/You hold 250 operations that can be undone; one user may hold 250/),
  });
  // Neither others nor what cannot be undone are kept from starting.
  await startMany(1, ann);
  await dead('qc', 1);
  expect((await run('suppress', 'qc', user('ben'))).moved).toBe(1);
  // Undone, it makes room at once.
  world.clock.now += 6_000;
  const undo = await operations.undo(suppressed.id, { reason: 'a mistake' }, ann);
  await runToEnd(world.broker, undo.id);
  expect((await run('suppress', 'qe', ann)).moved).toBe(3);
  expect(await undosOf('ann')).toBe(QUOTAS.undos.perUser);
  // After seven days nothing of it can be undone, whether or not somebody did.
  world.clock.now += UNDO_OPEN_MS;
  await world.redis.hset('rd:{.operations}:shares', 'undos user local:ann', QUOTAS.undos.perUser);
  await dead('qd', 1);
  expect(await run('suppress', 'qd', ann)).toMatchObject({ moved: 1, undo: { kind: 'unsuppress' } });
  expect(await undosOf('ben')).toBe(0);
});

it('says that an undo without an end of its own is over after seven days', async () => {
  await dead('qf', 1);
  const { id } = await operate(world.broker, { kind: 'suppress', q: 'queue:qf' });
  world.clock.now += UNDO_OPEN_MS - 1;
  expect((await operations.get(id)).undo).toEqual({ kind: 'unsuppress', until: null });
  world.clock.now += 1;
  expect((await operations.get(id)).undo).toBeNull();
  await expect(operations.undo(id, { reason: 'a mistake' }, BY)).rejects.toThrow(/more than seven days ago/);
});
