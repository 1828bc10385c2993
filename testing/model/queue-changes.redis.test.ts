/** A queue's record of changes: what one user does often pushes out neither settings nor what others did. */
import { beforeEach, expect, it } from 'vitest';
import { setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();
beforeEach(() => world.redis.flushall());

const as = (name: string) => ({ actor: name, actorId: `local:${name}` });
const { broker } = world;

async function pauseOften(queue: string, name: string, times: number): Promise<void> {
  for (let i = 0; i < times / 2; i++) {
    await broker.pause(queue, { scope: 'tenant:acme', reason: 'x' }, as(name));
    await broker.resume(queue, 'tenant:acme', as(name));
  }
}

it('keeps and shows a change of settings, and what others did, whatever one user does 2,600 times', async () => {
  const queue = world.freshQueue();
  await broker.enqueue(queue, { jobType: 'a' });
  await broker.config.change(queue, { purgeNeedsApproval: true, reason: 'two people (4711)' }, as('admin'));
  await broker.pause(queue, { scope: 'tenant:beta', reason: 'of another tenant' }, as('ben'));
  await pauseOften(queue, 'tess', 2_600);
  const key = world.column(queue, 'changes');
  const kept = (await world.redis.xrange(key, '-', '+')).map(([, fields]) => fields.join(' '));
  expect(kept.length).toBeLessThanOrEqual(1_200);
  expect(kept.filter((text) => text.includes('4711'))).toHaveLength(1);
  expect(kept.filter((text) => text.includes('of another tenant'))).toHaveLength(1);
  const shown = await broker.inspect.changes(queue, 200);
  expect(shown).toHaveLength(200);
  expect(shown.map(({ reason }) => reason)).toContain('two people (4711)');
  expect(shown.map(({ at }) => at)).toEqual(shown.map(({ at }) => at).toSorted((a, b) => b - a));
});

it('of changes of settings keeps 300, too, without what others have changed of them being lost', async () => {
  const queue = world.freshQueue();
  await broker.enqueue(queue, { jobType: 'a' });
  await broker.config.change(queue, { completedKeep: 5, reason: 'mine' }, as('admin'));
  for (let i = 0; i < 1_250; i++)
    await broker.config.change(queue, { completedKeep: 10 + i, reason: 'again' }, as('tess'));
  const entries = await world.redis.xrange(world.column(queue, 'changes'), '-', '+');
  expect(entries.length).toBeLessThan(400);
  expect(entries[0]?.[1].join(' ')).toContain('mine');
  // The newest of them is there.
  expect(entries.at(-1)?.[1].join(' ')).toContain('1259');
});
