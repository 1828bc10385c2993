/** What a producer's or worker's Redis user writes into its own audit stream: of any size, in any field. The log takes what Redrive could have written. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditEventView } from '@/lib/contract/audit/audit-schemas';
import { collectAll } from '@/testing/collect-all';
import { jobs, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();
beforeEach(() => world.redis.flushall());

let [queue, other, stream] = ['', '', ''];
const SCHEDULES = 'rd:{.schedules}:audit';
const BY = JSON.stringify({ actor: 'x' });
const write = (n: number, fields: Record<string, string>, into = stream) =>
  world.redis.xadd(
    into,
    '*',
    ...Object.entries({ n: String(n), action: 'queue.pause', by: BY, ...fields }).flat(),
  );
const entries = async (): Promise<AuditEventView[]> => {
  const list: AuditEventView[] = [];
  for await (const entry of world.broker.audit.matching({})) list.push(entry);
  return list;
};
const bytesOfLog = () => world.redis.memory('USAGE', 'rd:{.audit}:entries', 'SAMPLES', 0);
beforeEach(async () => {
  [queue, other] = [world.freshQueue(), world.freshQueue()];
  stream = world.column(queue, 'audit');
  for (const name of [queue, other]) await world.broker.enqueueMany(name, jobs(1));
});

describe('an event too large for Redrive to have written it', () => {
  it.each(['after', 'by', 'kind', 'reason', 'n'])(
    'in %s is counted and left out, and others go on',
    async (field) => {
      for (let n = 1; n <= 3; n++) await write(n, { [field]: 'é'.repeat(4_000_000) });
      await world.broker.pause(other, { reason: 'mine' }, { actor: 'ann' });
      const { tooLarge } = await world.broker.audit.collect();
      expect([...tooLarge]).toEqual([[queue, 3]]);
      const log = await entries();
      expect(log.filter(({ reason }) => reason === 'mine')).toHaveLength(1);
      // Said at once, and of the others after ten minutes.
      world.clock.now += 600_000;
      await world.broker.audit.collect();
      const leftOut = (await entries()).filter(({ action }) => action === 'audit.left-out');
      expect(leftOut.reduce((sum, { count }) => sum + (count ?? 0), 0)).toBe(3);
      for (const entry of leftOut)
        expect(entry).toMatchObject({
          queue,
          after: expect.stringContaining('of them had more than 64 KB, which Redrive never writes'),
        });
      expect(await bytesOfLog()).toBeLessThan(20_000);
      expect(await world.broker.audit.check()).toMatchObject({ ok: true, problems: [] });
      // Of the stream the last event is left, which numbers the next.
      expect(await world.redis.xlen(stream)).toBe(1);
      expect(await world.broker.audit.collect()).toMatchObject({ entered: 0, pending: 0 });
    },
  );

  it('by the number of its fields is left out, too', async () => {
    const fields = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`f${i}`, '']));
    await write(1, fields);
    expect([...(await world.broker.audit.collect()).tooLarge]).toEqual([[queue, 1]]);
  });

  it('in a stream outside queues is named by the stream', async () => {
    await write(1, { after: 'x'.repeat(100_000) }, SCHEDULES);
    await write(2, { after: 'y' }, SCHEDULES);
    await collectAll(world.broker);
    expect((await entries()).map(({ action, queue, after }) => [action, queue, after])).toEqual([
      ['queue.pause', null, 'y'],
      ['audit.left-out', null, expect.stringMatching(/^1 records of \.schedules, /)],
    ]);
  });
});

describe('a flood of large events', () => {
  it('leaves Redis in replies of bounded size, and is bounded in the log', async () => {
    // Below the size of a record, and in fields that the log keeps.
    const large = { after: 'é'.repeat(15_000), before: 'é'.repeat(15_000) };
    for (let n = 1; n <= 60; n++) await write(n, { ...large, note: String(n) });
    const output = async () =>
      Number(/total_net_output_bytes:(\d+)/.exec(await world.redis.info('stats'))?.[1]);
    const before = await output();
    expect(await collectAll(world.broker, { limits: { each: 10, all: 10 } })).toBe(60);
    // 3.6 MB wait; each text is cut to 4,000 bytes before it leaves Redis.
    expect((await output()) - before).toBeLessThan(60 * 10_000);
    // A large event counts as several.
    expect((await entries()).filter(({ action }) => action === 'queue.pause').length).toBeLessThan(5);
    expect((await entries()).find(({ action }) => action === 'queue.pause')?.after).toMatch(
      /^é+… ?|\.\.\. \(cut; 30000 bytes, sha1 [0-9a-f]{40}\)$/,
    );
  });
});

describe('numbers that JSON and pages cannot show', () => {
  it.each(['1e999', '-1e999', 'NaN', '1e300', '9e15', '-1', 'x'])('%s', async (number) => {
    await write(1, { at: number, count: number, after: 'a' });
    await write(1, { n: number, after: 'b' });
    await world.broker.pause(other, { reason: 'mine' }, { actor: 'ann' });
    await collectAll(world.broker);
    for (const { at, count } of await entries()) {
      expect(new Date(at).getTime()).toBe(at);
      expect(count === null || Number.isSafeInteger(count)).toBe(true);
    }
    expect((await entries()).some(({ reason }) => reason === 'mine')).toBe(true);
    expect(await world.broker.audit.check()).toMatchObject({ ok: true, problems: [] });
  });
});
