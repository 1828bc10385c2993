/** A queue's own record says of every operation who, why, about what, up to when, and how it ended: of those that moved nothing, too. */
import { expect, it } from 'vitest';
import { operate, previewOf, runToEnd, startOperation } from '@/testing/worlds/operation-runs';
import { BY, failure, jobs, killAll, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

const dead = async (count: number) => {
  const queue = world.freshQueue();
  await killAll(world.broker, queue, jobs(count), failure('HTTP_500', 'permanent'));
  return queue;
};
const entries = async (queue: string) =>
  (await world.broker.inspect.changes(queue, 20))
    .filter(({ what }) => what === 'operation')
    .map(({ before, after }) => `${before} | ${after}`)
    .reverse();
const upTo = (ms: number) => `up to ${new Date(ms).toISOString()}`;

it('says query and cut-off when it begins, and the counts when it ends', async () => {
  const queue = await dead(210);
  const { id, cutoff } = await startOperation(world.broker, {
    kind: 'purge',
    q: `  code:HTTP_500   AND queue:${queue}`,
  });
  await runToEnd(world.broker, id);
  const what = `purge ${id}: dead, code:HTTP_500 queue:${queue}, ${upTo(cutoff)}`;
  expect(await entries(queue)).toEqual([`${what} | began`, `${what} | ended: 210 moved, 0 left alone`]);
  const [entry] = await world.broker.inspect.changes(queue, 1);
  expect(entry).toMatchObject({ actor: BY.actor, requestId: id });
  expect(entry?.reason).toBeTruthy();
});

it('says where they went, and what an undo undoes', async () => {
  const [queue, to] = [await dead(3), world.freshQueue()];
  await killAll(world.broker, to, jobs(1, 50));
  const moved = await operate(world.broker, { kind: 'move', q: `queue:${queue}`, target: to });
  expect((await entries(queue)).at(-1)).toBe(
    `move ${moved.id}: dead, queue:${queue}, to ${to}, ${upTo(moved.cutoff)} | ended: 3 moved, 0 left alone`,
  );
  const purged = await operate(world.broker, { kind: 'purge', q: `queue:${to}` });
  const { id } = await world.broker.operations.undo(purged.id, { reason: 'a mistake' }, BY);
  await runToEnd(world.broker, id);
  expect((await entries(to)).at(-1)).toMatch(`undoing ${purged.id}`);
});

it('has those that were rejected, or cancelled before they began', async () => {
  const queue = await dead(2);
  await world.broker.config.change(queue, { purgeNeedsApproval: true }, BY);
  const ask = async () => {
    const { token } = await previewOf(world.broker, { kind: 'purge', q: `queue:${queue}` });
    return world.broker.operations.start({ previewToken: token, reason: 'no use' }, BY);
  };
  const first = await ask();
  for (let sent = 0; sent < 2; sent++)
    await world.broker.operations.act(first.id, 'reject', { actor: 'bob' }, 'still needed');
  const second = await ask();
  for (let sent = 0; sent < 2; sent++) await world.broker.operations.act(second.id, 'cancel', BY);
  expect(await entries(queue)).toEqual([
    `purge ${first.id}: dead, queue:${queue}, ${upTo(first.cutoff)} | rejected by bob`,
    `purge ${second.id}: dead, queue:${queue}, ${upTo(second.cutoff)} | cancelled before it began`,
  ]);
});

it('has exports', async () => {
  const queue = await dead(4);
  const { token } = await previewOf(world.broker, { kind: 'export', q: `queue:${queue}` });
  const { id, cutoff } = await world.broker.operations.start(
    { previewToken: token, reason: 'for the provider' },
    BY,
  );
  for (let fetched = 0; fetched < 2; fetched++)
    await world.broker.operations.exported(id, { rows: 4, truncated: false });
  expect(await entries(queue)).toEqual([
    `export ${id}: dead, queue:${queue}, ${upTo(cutoff)} | ended: 4 written`,
  ]);
});

it('has what each shard of a queue did', async () => {
  const queue = world.freshQueue();
  await world.broker.sharding.set(queue, { count: 3 }, BY);
  await killAll(world.broker, queue, jobs(60));
  const done = await operate(world.broker, { kind: 'purge', q: `queue:${queue}` });
  const all = await entries(queue);
  // A shard that took several steps also says that it began.
  const counts = all.flatMap((entry) => {
    const moved = /ended: (\d+) moved, 0 left alone \(shard \d\)$/.exec(entry)?.[1];
    return moved === undefined ? [] : [Number(moved)];
  });
  expect(counts).toHaveLength(3);
  expect(counts.reduce((a, b) => a + b, 0)).toBe(done.moved);
  const changes = await world.broker.inspect.changes(queue, 10);
  expect(changes.filter(({ what }) => what === 'sharding')).toHaveLength(1);
  expect(new Set(changes.map(({ id }) => id)).size).toBe(changes.length);
});
