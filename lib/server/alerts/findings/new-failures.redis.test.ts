import { expect, test } from 'vitest';
import { BY, failure, jobs, killAll, setUpWorld } from '@/testing/worlds/world';
import { NewFailures } from './new-failures';

const world = await setUpWorld();
const { inspect } = world.broker;
let nowMs = 0;
const read = (from: NewFailures) => {
  nowMs += 60_000;
  return from.read();
};
const open = () =>
  new NewFailures(
    (scope) => inspect.groups(scope),
    () => nowMs,
  );

test('what jobs die of for the first time is a finding for an hour, until a user looks after it', async () => {
  const failures = open();
  expect(await read(failures)).toEqual([]);
  await killAll(world.broker, 'mail', jobs(3), failure('SMTP_451'));
  const [finding, ...others] = await read(failures);
  expect(others).toEqual([]);
  expect(finding).toMatchObject({
    code: 'NEW_FAILURE',
    level: 'warn',
    queue: 'mail',
    queues: { total: 1, named: ['mail'] },
    sentence: expect.stringMatching(/^3 jobs died of a new failure in the last hour: demo SMTP_451 /),
    evidence: { page: 'dead', q: expect.stringMatching(/^group:/) },
  });

  await killAll(world.broker, 'sms', jobs(1, 10), failure('HTTP_503'));
  expect(await read(failures)).toMatchObject([
    {
      queues: { total: 2, named: ['mail', 'sms'] },
      sentence: expect.stringMatching(/^4 jobs died of 2 new/),
    },
  ]);

  const group = (await inspect.groups({ q: 'queue:mail' })).groups[0]?.group ?? '';
  await world.broker.groups.change(group, { status: 'muted' }, BY);
  expect(await read(failures)).toMatchObject([{ queues: { named: ['sms'] } }]);
  world.clock.now += 3_600_000;
  await killAll(world.broker, 'sms', jobs(1, 20), failure('HTTP_503'));
  expect(await read(failures)).toEqual([]);
});

test('is searched for once a minute, and a search that fails changes nothing', async () => {
  let searches = 0;
  const failures = new NewFailures(
    async () => {
      searches += 1;
      throw new Error('Redis is busy');
    },
    () => nowMs,
  );
  expect(await read(failures)).toEqual([]);
  expect(await failures.read()).toEqual([]);
  expect(searches).toBe(1);
});
