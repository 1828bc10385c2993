import { expect, test } from 'vitest';
import type { Group, GroupsPage } from '@/lib/contract/search/search-schemas';
import { BY, failure, jobs, killAll, setUpWorld } from '@/testing/worlds/world';
import { failureFindings, failureWithin } from './failure-findings';
import { NewFailures } from './new-failures';

const world = await setUpWorld();
const { inspect } = world.broker;
let nowMs = 0;
let died = 0;
const named = (queues: readonly { queue: string }[]) => ({
  total: queues.length,
  named: queues.map(({ queue }) => queue),
});
const read = async (from: NewFailures) => {
  nowMs += 60_000;
  died += 1;
  await from.look(died);
  return failureFindings(from.failures, world.clock.now, named);
};
const open = () =>
  new NewFailures(
    (scope) => inspect.groups(scope),
    () => nowMs,
  );

test('B6: what jobs die of for the first time is a finding for an hour, until a user looks after it', async () => {
  const failures = open();
  expect(await read(failures)).toEqual([]);
  await killAll(world.broker, 'mail', jobs(3), failure('SMTP_451'));
  world.clock.now += 120_000;
  const [finding, ...others] = await read(failures);
  expect(others).toEqual([]);
  expect(finding).toMatchObject({
    code: 'NEW_FAILURE',
    level: 'warn',
    queue: 'mail',
    queues: { total: 1, named: ['mail'] },
    sentence: expect.stringMatching(
      /^3 jobs died of a new failure in the last hour: demo SMTP_451 \(\S+\), first seen 2 m ago\.$/,
    ),
    evidence: { page: 'dead', q: expect.stringMatching(/^group:/) },
  });

  await killAll(world.broker, 'sms', jobs(1, 10), failure('HTTP_503'));
  expect(await read(failures)).toMatchObject([
    {
      queues: { total: 2, named: ['mail', 'sms'] },
      sentence: expect.stringMatching(/^4 jobs died of 2 new/),
    },
  ]);
  // A viewer of one queue reads of that queue only.
  const own = failures.failures.flatMap((one) => failureWithin(one, (queue) => queue === 'sms') ?? []);
  expect(failureFindings(own, world.clock.now, named)).toMatchObject([
    { sentence: expect.stringMatching(/^1 job died of a new failure/), queues: { named: ['sms'] } },
  ]);

  const group = (await inspect.groups({ q: 'queue:mail' })).groups[0]?.group ?? '';
  await world.broker.groups.change(group, { status: 'muted' }, BY);
  expect(await read(failures)).toMatchObject([{ queues: { named: ['sms'] } }]);
  world.clock.now += 3_600_000;
  await killAll(world.broker, 'sms', jobs(1, 20), failure('HTTP_503'));
  expect(await read(failures)).toEqual([]);
});

test('of several queues says to a viewer of one of them nothing of the last hour, in which jobs of the others died', async () => {
  const failures = open();
  await killAll(world.broker, 'mail', jobs(2, 30), failure('IN_BOTH'));
  await killAll(world.broker, 'sms', jobs(1, 40), failure('IN_BOTH'));
  await read(failures);
  const both = failures.failures.find(({ code }) => code === 'IN_BOTH');
  if (!both) throw new Error('the failure is not new');
  expect(both.lastHour?.at(-1)).toBe(3);
  const within = (...shown: string[]) => failureWithin(both, (queue) => shown.includes(queue));
  expect(within('sms')).toMatchObject({ count: 1, lastHour: null, queues: [{ value: 'sms' }] });
  expect(within('sms', 'mail')).toEqual(both);
  expect(within('push')).toBeNull();
});

test('is searched for soon after a death and once a minute otherwise, and a search that fails changes nothing', async () => {
  let searches = 0;
  const failures = new NewFailures(
    async () => {
      searches += 1;
      throw new Error('Redis is busy');
    },
    () => nowMs,
  );
  await failures.look(7);
  await failures.look(7);
  expect([searches, failures.failures]).toEqual([1, []]);
  nowMs += 4_000;
  await failures.look(8);
  expect(searches).toBe(1);
  nowMs += 2_000;
  await failures.look(8);
  expect(searches).toBe(2);
  nowMs += 30_000;
  await failures.look(8);
  expect(searches).toBe(2);
  nowMs += 30_000;
  await failures.look(8);
  expect(searches).toBe(3);
});

test('a search that takes long is not repeated soon', async () => {
  let searches = 0;
  const failures = new NewFailures(
    async (scope) => {
      searches += 1;
      nowMs += 1_000;
      return inspect.groups(scope);
    },
    () => nowMs,
  );
  await failures.look(1);
  nowMs += 20_000;
  await failures.look(2);
  expect(searches).toBe(1);
  nowMs += 10_000;
  await failures.look(2);
  expect(searches).toBe(2);
});

const lately = (n: number) => [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, n];
const BUG = 'HANDLER_BUG';
const groupOf = (group: string, type: string, count: number, last: number, firstSeen = world.clock.now) =>
  ({
    group,
    type,
    class: 'bug',
    code: BUG,
    count,
    firstSeen,
    lastHour: lately(last),
    queues: [{ value: 'mail', count }],
    status: 'open',
    changedAt: null,
  }) as unknown as Group;
const pageOf = (groups: Group[], sampled: number | null) =>
  ({ at: world.clock.now, groups, sampled }) as unknown as GroupsPage;

test('names the failure that goes on, before the one that has most dead jobs, and offers to pause its type and to re-drive its dead letters', async () => {
  let page = pageOf([groupOf('a', 'webhook.deliver', 411, 0), groupOf('b', 'invoice.issue', 60, 60)], null);
  const failures = new NewFailures(
    async () => page,
    () => nowMs,
  );
  expect(await read(failures)).toMatchObject([
    {
      sentence: expect.stringMatching(
        /^471 jobs died of 2 new failures in the last hour, lately most of invoice.issue HANDLER_BUG \(bug\)/,
      ),
      actions: ['pause', 'redrive'],
      pause: { queue: 'mail', jobType: 'invoice.issue' },
      redriveQuery: 'group:b',
    },
  ]);
  page = pageOf([groupOf('a', 'webhook.deliver', 411, 0), groupOf('b', 'invoice.issue', 60, 0)], null);
  expect(await read(failures)).toMatchObject([
    {
      sentence: expect.stringContaining(', most of webhook.deliver'),
      actions: ['redrive'],
      redriveQuery: 'group:a',
    },
  ]);
});

test('says "at least" of a sample, and forgets no failure that the sample no longer has', async () => {
  let page = pageOf([groupOf('a', 'webhook.deliver', 900, 900), groupOf('b', 'invoice.issue', 60, 60)], null);
  const failures = new NewFailures(
    async () => page,
    () => nowMs,
  );
  await read(failures);
  page = pageOf([groupOf('a', 'webhook.deliver', 1_000, 1_000)], 1_000);
  expect(await read(failures)).toMatchObject([
    { sentence: expect.stringMatching(/^At least 1,060 jobs died of 2 new failures/) },
  ]);
  // What a user looked after is listed with its status, and goes.
  page = pageOf([{ ...groupOf('b', 'invoice.issue', 1_000, 9), status: 'muted' }], 1_000);
  expect(await read(failures)).toMatchObject([
    { sentence: expect.stringMatching(/^At least 1,000 jobs died of a new/) },
  ]);
});
