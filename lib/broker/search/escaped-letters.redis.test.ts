/** Payloads full of escapes, as Python writes other scripts than Latin: found however each letter is spelled, without reading all escapes of all rows. */
import { expect, it } from 'vitest';
import { jobs, killAll, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();
const TEXT = 'Привет, это длинный текст о заказе для клиента, с адресом, именем и примечаниями. '.repeat(12);
const escaped = (text: string) =>
  text.replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
const found = async (queue: string, q: string) =>
  (await world.broker.inspect.search({ state: 'dead', q, queue }, { limit: 50 })).jobs.map(
    ({ jobId }) => jobId,
  );

it('finds a letter as it is, as an escape in any case, and as two escapes', async () => {
  const queue = world.freshQueue();
  const payloads = ['M\\u00fcller', 'm\\u00FCller', 'Müller', `${escaped(TEXT)}M\\u00fcller`];
  const others = [
    '\\u043c\\u0438\u0440',
    '\u043c\\u0438\\u0440',
    'x \\ud83d\\ude80 y',
    '\\u043c\\u0438\\u0438',
  ];
  const texts = [...payloads, ...others];
  await killAll(
    world.broker,
    queue,
    texts.map((text, i) => ({ jobId: `j${i}`, jobType: 'demo', payload: `{"a":"${text}"}` })),
  );
  expect((await found(queue, 'müller')).sort()).toEqual(['j0', 'j1', 'j2', 'j3']);
  expect((await found(queue, 'мир')).sort()).toEqual(['j4', 'j5']);
  expect(await found(queue, '🚀')).toEqual(['j6']);
  expect(await found(queue, 'мирный')).toEqual([]);
});

it('costs little more than a search for plain text', { timeout: 60_000 }, async () => {
  const queue = world.freshQueue();
  await killAll(world.broker, queue, jobs(1_500, 0, { payload: `{"a":"${escaped(TEXT)}"}` }));
  const scriptUs = async (q: string) => {
    const times: number[] = [];
    for (let i = 0; i < 4; i++) {
      await world.redis.config('RESETSTAT');
      expect(await found(queue, q)).toEqual([]);
      times.push(
        Number(/cmdstat_evalsha:calls=\d+,usec=(\d+)/.exec(await world.redis.info('commandstats'))?.[1]),
      );
    }
    return Math.min(...times);
  };
  // To read every escape took more than four times as long.
  expect((await scriptUs('müller')) / (await scriptUs('absent'))).toBeLessThan(3);
});
