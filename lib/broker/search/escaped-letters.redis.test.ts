/** Payloads full of escapes, as Python writes other scripts than Latin: found however each letter is spelled, without reading all escapes of all rows. */
import { expect, it } from 'vitest';
import { printQuery } from '@/lib/contract/search/query';
import { seededChance } from '@/testing/estimates/seeded-chance';
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

const SAMPLE =
  'Это текст о заказе для клиента, с адресом. Grüße an Frau Müller-Lüdenscheidt, <b>eilig</b> & "wichtig"; see https://x.example/a/b?c=4711 🚀🚀 and 漢字 for tea.';
/** Each letter as it is, as an escape with digits in any case, or, of a slash, behind a backslash. */
function respell(text: string, seed: number): string {
  const chance = seededChance(seed);
  const draw = (upto: number) => Math.floor(chance.next() * upto);
  const escapedShare = draw(5);
  const spell = (letter: string) => {
    const json = JSON.stringify(letter).slice(1, -1);
    if (draw(4) >= escapedShare) return letter === '/' && draw(2) === 0 ? '\\/' : json;
    return [...Array(letter.length).keys()]
      .map((i) => letter.charCodeAt(i).toString(16).padStart(4, '0'))
      .map((hex) => `\\u${[...hex].map((digit) => (draw(2) === 0 ? digit : digit.toUpperCase())).join('')}`)
      .join('');
  };
  return [...text].map(spell).join('');
}

it('finds every part of a text in all of its spellings', { timeout: 120_000 }, async () => {
  const queue = world.freshQueue();
  const payloads = Array.from({ length: 40 }, (_, seed) => `{"a":"${respell(SAMPLE, seed)}"}`);
  for (const payload of payloads) expect(JSON.parse(payload)).toEqual({ a: SAMPLE });
  await killAll(
    world.broker,
    queue,
    payloads.map((payload, i) => ({ jobId: `j${i}`, jobType: 'demo', payload })),
  );
  const letters = [...SAMPLE];
  for (let from = 0; from < letters.length; from += 1) {
    const part = letters.slice(from, from + 1 + ((from * 7) % 19)).join('');
    if (part.trim() === '') continue;
    const q = printQuery({ kind: 'text', value: part });
    expect(await found(queue, q), q).toHaveLength(payloads.length);
    expect(await found(queue, printQuery({ kind: 'text', value: `${part}~` })), q).toEqual([]);
  }
});

it.each([
  ['Cyrillic', escaped(TEXT), 'цапля у реки'],
  ['German', escaped('Grüße an Möller, für später. '.repeat(12)), 'Müller'],
  ['tags', '\\u003cb\\u003elate\\u003c/b\\u003e \\u0026 more '.repeat(12), 'blue<heron>'],
  ['links', 'see https:\\/\\/x.example\\/a\\/b '.repeat(12), 'https://z'],
])('passes by rows full of %s with as few scripts as by plain rows', async (_, text, q) => {
  const scripts = async (texts: string) => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(1_000, 0, { payload: `{"a":"${texts}"}` }));
    await world.redis.config('RESETSTAT');
    expect(await found(queue, `"${q}"`)).toEqual([]);
    return Number(/cmdstat_evalsha:calls=(\d+)/.exec(await world.redis.info('commandstats'))?.[1]);
  };
  expect(await scripts(text)).toBeLessThanOrEqual(1 + (await scripts('x'.repeat(text.length))));
});
