/** Data of a newer version are refused by this one in a sentence, before anything is changed, and used again once they are older. */
import { expect, it, test } from 'vitest';
import { DATA_FORMAT, FORMAT_SINCE } from '@/lib/broker/redis/dataset/data-format';
import { until } from '@/testing/poll';
import { documentedUsers, makeDocumentedUsers } from '@/testing/worlds/redis-server';
import { setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();
const FORMATS = 'rd:{.dataset}:formats';
const NEWER = String(DATA_FORMAT + 1);
const REFUSAL = {
  code: 'DATA_NEWER',
  message: `The data in this Redis have format ${NEWER}, since Redrive 9.1.0; this version knows formats up to ${DATA_FORMAT}. Nothing was changed. Start Redrive 9.1.0 or newer, or restore a backup from before the update.`,
};
const enqueueOne = (broker = world.broker) => broker.enqueue('mail', { jobType: 'mail.send' });
const recorded = () => world.redis.hgetall(FORMATS);

test('the first process that uses the data records its format, once', async () => {
  await enqueueOne();
  await until(async () => Object.keys(await recorded()).length > 0, { what: 'the format to be recorded' });
  expect(await recorded()).toEqual({ [DATA_FORMAT]: FORMAT_SINCE });
});

test('a process that starts is refused, and changes nothing', async () => {
  await world.redis.hset(FORMATS, NEWER, '9.1.0');
  const before = await world.redis.hlen('rd:{mail}:jobs');
  const late = world.another();
  await expect(late.ready()).rejects.toMatchObject(REFUSAL);
  await expect(enqueueOne(late)).rejects.toMatchObject(REFUSAL);
  await expect(late.claim('mail', { worker: 'w' })).rejects.toMatchObject(REFUSAL);
  expect(await world.redis.hlen('rd:{mail}:jobs')).toBe(before);
  expect(await world.redis.hget(FORMATS, NEWER)).toBe('9.1.0');
});

test('a process under way is refused within two seconds, and goes on when older data are back', async () => {
  await world.redis.hdel(FORMATS, NEWER);
  const running = world.another();
  await enqueueOne(running);
  await world.redis.hset(FORMATS, NEWER, '9.1.0');
  const refusal = await until(
    () =>
      enqueueOne(running).then(
        () => null,
        (error: unknown) => error,
      ),
    {
      what: 'the refusal',
    },
  );
  expect(refusal).toMatchObject(REFUSAL);
  await world.redis.hdel(FORMATS, NEWER);
  await enqueueOne(running);
});

it.each([
  ['a release that says nothing', '', /since a newer version of Redrive;.* Start that version, or/],
  ['a release that is no version', 'x\r\ny', /since a newer version of Redrive;/],
])('%s does not get into the sentence', async (_, release, sentence) => {
  await world.redis.hset(FORMATS, NEWER, release);
  await expect(world.another().ready()).rejects.toThrow(sentence);
  await world.redis.hdel(FORMATS, NEWER);
});

test('a key of another type, and fields that are no number, keep nobody from work', async () => {
  await world.redis.hset(FORMATS, 'notes', 'x');
  await enqueueOne(world.another());
  await world.redis.del(FORMATS);
  await world.redis.set(FORMATS, 'damaged');
  const broker = world.another();
  await enqueueOne(broker);
  await broker.dataset.look();
  expect(await world.redis.get(FORMATS)).toBe('damaged');
  await world.redis.del(FORMATS);
});

test('the documented producer may not record a format, works all the same, and is refused newer data', async () => {
  await makeDocumentedUsers(world.redis);
  const { password = '' } = documentedUsers().find(({ user }) => user === 'producer') ?? {};
  const producer = () => world.another({ url: `unix://producer:${password}@${world.server.path}` });
  const one = producer();
  await enqueueOne(one);
  await one.dataset.look();
  expect(await recorded()).toEqual({});
  await world.redis.hset(FORMATS, NEWER, '9.1.0');
  await expect(producer().ready()).rejects.toMatchObject(REFUSAL);
  await world.redis.del(FORMATS);
});
