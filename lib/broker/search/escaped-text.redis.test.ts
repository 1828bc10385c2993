/** What the page shows is what a search finds, whatever language wrote the JSON. */
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { asciiLower } from '@/lib/contract/redaction/fold-case';
import { parseQuery, printQuery } from '@/lib/contract/search/query';
import { readingsOf, WRITERS } from '@/testing/model/written-json';
import { previewOf } from '@/testing/worlds/operation-runs';
import { BY, ids, killAll, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();
const STYLES = Object.keys(WRITERS) as (keyof typeof WRITERS)[];

type Value = string | number | boolean | null | Value[] | { [key: string]: Value };
/** Compact as JavaScript and PHP write it, and with the spaces of Python. */
function written(value: Value, style: keyof typeof WRITERS): string {
  const [comma, colon] = style === 'python' ? [', ', ': '] : [',', ':'];
  if (typeof value === 'string') return WRITERS[style](value);
  if (Array.isArray(value)) return `[${value.map((one) => written(one, style)).join(comma)}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(
    ([key, one]) => `${WRITERS[style](key)}${colon}${written(one, style)}`,
  );
  return `{${members.join(comma)}}`;
}

/** Dead letters with the same payload as each language writes it, in a queue of their own. */
async function plant(value: Value, redact: readonly string[] = []) {
  const queue = world.freshQueue();
  await world.broker.config.change(queue, { redact: [...redact], reason: 'a test' }, BY);
  const payloads = new Map<string, string>(STYLES.map((style) => [style, written(value, style)]));
  await killAll(
    world.broker,
    queue,
    [...payloads].map(([jobId, payload]) => ({ jobId, jobType: 'demo', payload })),
  );
  return { queue, payloads };
}

/** What every way to search finds; they must agree. */
async function found(queue: string, q: string): Promise<string[]> {
  const scope = { state: 'dead' as const, q, queue };
  const page = ids((await world.broker.inspect.search(scope, { limit: 100 })).jobs).sort();
  const facets = await world.broker.inspect.facets(scope);
  expect(facets.matching, q).toEqual({ count: page.length, exact: true });
  const streamed: string[] = [];
  for await (const event of world.broker.inspect.searchStream(scope, { limit: 100 }))
    if ('jobs' in event) streamed.push(...event.jobs.map(({ jobId }) => jobId));
  expect(streamed.sort(), q).toEqual(page);
  const preview = await previewOf(world.broker, { kind: 'redrive', q, queue });
  expect([preview.count, preview.exact], q).toEqual([page.length, true]);
  return page;
}
it('Python writes as the test says', ({ skip }) => {
  const value = { 'naïve \u007f': ['Müller/😀', 1.5, true, null, '"\\\n\u0001'] };
  const { status, stdout } = spawnSync(
    'python3',
    ['-c', 'import json,sys; sys.stdout.write(json.dumps(json.load(sys.stdin)))'],
    { input: JSON.stringify(value), encoding: 'utf8' },
  );
  skip(status === null, 'python3 is not installed');
  expect(stdout).toBe(written(value, 'python'));
});

const textQuery = (value: string) => printQuery({ kind: 'text', value });
const ALL = [...STYLES].sort();

it('names of people, links and tags are found in every language', async () => {
  const { queue } = await plant({
    name: 'Müller',
    город: 'Москва 😀',
    url: 'https://x/y',
    note: 'tea & <b> "hi" C:\\temp',
  });
  for (const value of ['Müller', 'müLLER', 'город', 'Москва', '😀', 'https://x/y', '<b>', '"hi"', 'C:\\temp'])
    expect(await found(queue, textQuery(value)), value).toEqual(ALL);
  for (const q of ['payload.name:Müller', 'payload.город:"Москва 😀"', 'payload.url:"https://x/y"'])
    expect(await found(queue, q), q).toEqual(ALL);
  // Case folds for A–Z only, and accents are not composed.
  for (const value of ['MÜLLER', 'Mu\u0308ller', 'u00e9', 'Mxller'])
    expect(await found(queue, textQuery(value)), value).toEqual([]);
});

const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'ü',
        'é',
        'e\u0301',
        'Я',
        '😀',
        '𝒳',
        '/',
        '\\',
        '"',
        '<',
        '&',
        '\t',
        '\n',
        '\u0001',
        '\u007f',
      ),
      fc.constantFrom('a', 'B', '7', ' ', 'u00fc', '\\u00fc', 'n', '\u2028', '퟿', 'ff'),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join(''));
const scalars = fc.oneof(
  texts,
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom<Value>(true, null, 1.5, 1e30),
);
const values: fc.Arbitrary<Value> = fc.oneof(
  fc.dictionary(texts, fc.oneof(scalars, fc.array(scalars, { maxLength: 3 })), { minKeys: 1, maxKeys: 4 }),
  fc.array(texts, { minLength: 1, maxLength: 4 }),
);
const stringsIn = (value: Value): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value !== 'object' || value === null
      ? []
      : Array.isArray(value)
        ? value.flatMap(stringsIn)
        : Object.entries(value).flatMap(([key, one]) => [key, ...stringsIn(one)]);

it.each([[[]], [['*password*']]])(
  'any text of any JSON is found in it; redacted: %j',
  { timeout: 120_000 },
  async (redact) => {
    const property = fc.asyncProperty(values, fc.infiniteStream(fc.nat(1_000)), async (value, chance) => {
      const { queue, payloads } = await plant(value, redact);
      for (const string of stringsIn(value)) {
        // As it reads, as the page shows it, and a part of that.
        const shown = JSON.stringify(string).slice(1, -1);
        const from = (chance.next().value ?? 0) % shown.length;
        for (const wanted of [string, shown, shown.slice(from)]) {
          const q = textQuery(wanted);
          if (!wanted.isWellFormed() || !parseQuery(q).ok) continue;
          const hits = await found(queue, q);
          expect(hits, q).toEqual(
            [...payloads]
              .filter(([, text]) =>
                readingsOf(text).some((one) => asciiLower(one).includes(asciiLower(wanted))),
              )
              .map(([style]) => style)
              .sort(),
          );
          if (wanted !== shown.slice(from)) expect(hits, q).toEqual(ALL);
        }
      }
    });
    await fc.assert(property, { numRuns: Number(process.env.RUNS ?? 12) });
  },
);

it('a hidden value is found through no escape', async () => {
  const { queue } = await plant({ password: 'Grüße/hunter2', user: 'Jörg' }, ['*password*']);
  for (const value of ['Grüße', 'hunter2', 'Grüße/hunter2', 'e/h', '\\u00fc', 'u0068'])
    expect(await found(queue, textQuery(value)), value).toEqual([]);
  expect(await found(queue, textQuery('Jörg'))).toEqual(ALL);
  expect(await found(queue, `-${textQuery('hunter2')}`)).toEqual(ALL);
});

it('payloads with more escapes than a script reads are found all the same', async () => {
  const queue = world.freshQueue();
  const many = 'ü'.repeat(6_000);
  await killAll(world.broker, queue, [
    { jobId: 'a', jobType: 'demo', payload: `{"a":${WRITERS.python(many)},"b":${WRITERS.python('Jörg')}}` },
    { jobId: 'b', jobType: 'demo', payload: `{"a":${WRITERS.python(many)},"b":"Jorg"}` },
    { jobId: 'c', jobType: 'demo', payload: `${WRITERS.python('Jörg')} is no JSON` },
  ]);
  expect(await found(queue, 'Jörg')).toEqual(['a']);
});
