/** Alerts for the marks of charts: those that were sent, whether they stand or ended. */
import { beforeEach, expect, test } from 'vitest';
import { ENDED_ALERTS_MAX } from '@/lib/contract/alerts/alert-limits';
import { FIRING_ALERT } from '@/testing/records/alert-about-orders';
import { BY, setUpWorld } from '@/testing/worlds/world';
import type { AlertFinding } from './advance-alerts';
import { channel, finding, RULES } from './fixture-findings';

const world = await setUpWorld();
const { alerts } = world.broker;
beforeEach(() => world.redis.flushall());

const look = async (findings: readonly AlertFinding[]) => {
  world.clock.now += 60_000;
  const at = world.clock.now;
  await alerts.look({ at, findings, isComplete: true }, RULES, [channel('night')]);
};
const fired = async (since = 0) =>
  (await alerts.fired(since)).map(({ code, state, firedAt, endedAt }) => ({ code, state, firedAt, endedAt }));

test('has an alert from when it was sent, also after it ended, and none that only stood or was silenced', async () => {
  await alerts.silence({ code: 'DEEP', reason: 'planned', forMs: 3_600_000 }, BY);
  const all = [finding(), finding({ code: 'DEEP' }), finding({ code: 'OLD', level: 'warn' })];
  await look(all);
  expect(await fired()).toEqual([]);
  await look(all);
  const firedAt = world.clock.now;
  const standing = { code: 'FAILING', state: 'firing', firedAt, endedAt: null };
  expect(await fired()).toEqual([standing]);
  expect(Object.keys((await alerts.fired(0))[0] ?? {})).not.toContain('told');
  await look([]);
  const endedAt = world.clock.now;
  expect(await fired()).toEqual([standing]);
  await look([]);
  expect(await fired()).toEqual([{ ...standing, state: 'ended', endedAt }]);
});

test('leaves out what ended before, and rows that somebody else wrote', async () => {
  const over = JSON.stringify({ ...FIRING_ALERT, state: 'ended', endedAt: 1_090_000 });
  await world.redis.xadd('rd:{.alerts}:ended', '*', 'alert', over);
  const ended = await world.redis.xrevrange('rd:{.alerts}:ended', '+', '-');
  const recordedAt = Number(ended[0]?.[0].split('-')[0]);
  await world.redis.hset('rd:{.alerts}:live', 'DEEP', 'no json', 'OLD', '{"id":1}');
  await world.redis.xadd('rd:{.alerts}:ended', '*', 'alert', 'no json');
  expect((await fired(recordedAt)).map(({ code }) => code)).toEqual(['FAILING']);
  expect(await fired(recordedAt + 60_000)).toEqual([]);
});

test('has all that ended: a chart of one queue chooses among them before it cuts', async () => {
  for (let i = 0; i < ENDED_ALERTS_MAX; i++)
    await world.redis.xadd(
      'rd:{.alerts}:ended',
      `${i + 1}-0`,
      'alert',
      JSON.stringify({ ...FIRING_ALERT, id: `a${i}`, state: 'ended', endedAt: 1_090_000 }),
    );
  const ids = (await alerts.fired(0)).map(({ id }) => id);
  expect(ids).toHaveLength(ENDED_ALERTS_MAX);
  expect([ids[0], ids.at(-1)]).toEqual([`a${ENDED_ALERTS_MAX - 1}`, 'a0']);
});
