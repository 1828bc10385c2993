/** What is hidden in payloads is hidden from searches too: no query tells a hidden value from another. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textRedactor } from '@/lib/broker/queues/settings/queue-redaction';
import type { EnqueueInput } from '@/lib/contract/jobs/envelope';
import { MASK, REDACTION_DEFAULT, redactionOf, redactText } from '@/lib/contract/redaction';
import { type Filter, type JobFacts, matches, parseQuery, printQuery } from '@/lib/contract/search/query';
import { WRITERS } from '@/testing/model/written-json';
import { shardedQueue } from '@/testing/worlds/sharded-queues';
import {
  BY,
  claimAll,
  enqueueAll,
  failure,
  ids,
  killAll,
  jobs as manyJobs,
  setUpWorld,
} from '@/testing/worlds/world';

const world = await setUpWorld();

/** Payloads with something hidden in it by some of the rules below. */
const SHAPES: readonly ((hidden: string) => string | Buffer)[] = [
  (h) => `{"user":"ann","password":${JSON.stringify(h)}}`,
  (h) => `{"user":"ann","PASS-word":{"a":[1,${JSON.stringify(h)}]},"n":9007199254740993}`,
  (h) => `{"card":{"number":${JSON.stringify(h)},"brand":"visa"},"tags":["red","x"]}`,
  (h) => `{"p\\u0061ssword":${JSON.stringify(h)},"user":"bob"}`,
  (h) => `{"us\\u0065r":${WRITERS.paranoid('ann')},"password":${WRITERS.paranoid(h)},"x":"[\\u0072ed"}`,
  (h) => `[{"apiToken":${JSON.stringify(h)}},"red"]`,
  (h) => `password=${h}&user=ann`,
  (h) => `{"password":"${h.replace(/["\\]/g, '')}`,
  (h) => `{"größe":"é","password":${JSON.stringify(h)}}`,
  (h) => Buffer.from(`\xff password ${h}`, 'latin1'),
  () => '{"user":"ann","note":"password is not here"}',
  () => '{"user":"ann","[redacted]":"[redacted]"}',
  () => 'plain text of user ann',
  () => '{"items":[{"price":5},{"price":"red"}]}',
  () => '',
];
/** These hide all that differs between two of the same shape; the others some of it, or nothing. */
const TIGHT: readonly (readonly string[])[] = [['*password*', '*token*', '/card/number'], ['/*'], ['/']];
const RULES = [...TIGHT, REDACTION_DEFAULT, ['*token*', '/card/number', '/items/*/price'], []];
const HIDDEN = ['hunter2', 'swordfish [9] "x"'] as const;

const text = fc.constantFrom(
  ...HIDDEN,
  'hunter',
  'fish',
  'ann',
  'password',
  'user',
  'visa',
  'red',
  'RED',
  'acted',
  MASK,
  '"[red',
  'e',
  '":"',
  '"',
  '}',
  'é',
  '9007199254740993',
  'plain',
  'x',
  '"number":"',
  '=h',
  'j00000',
  'broken',
  'refused',
  'refused [red',
  'd] at',
);
const path = fc.constantFrom(
  ['password'],
  ['PASS-word', 'a'],
  ['PASS-word'],
  ['card', 'number'],
  ['card'],
  ['apiToken'],
  ['user'],
  ['n'],
  ['items', 'price'],
  ['items'],
  ['[redacted]'],
  ['note'],
  ['größe'],
);
const leaf: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), value: text }),
  fc.record({
    kind: fc.constant('payload' as const),
    path,
    compare: fc.constantFrom('=' as const, '=' as const, '<' as const, '>=' as const),
    value: fc.oneof(text, fc.constantFrom('5', '1', '')),
    prefix: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('name' as const),
    field: fc.constant('type' as const),
    value: fc.constantFrom('demo', 'other'),
    prefix: fc.boolean(),
  }),
);
const filter = fc.letrec<{ any: Filter }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.record({ kind: fc.constant('not' as const), of: tie('any') }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      of: fc.array(tie('any'), { minLength: 1, maxLength: 3 }),
    }),
  ),
})).any;
const query = filter.map(printQuery).filter((q) => parseQuery(q).ok);

async function answersTo(queue: string, state: 'dead' | 'ready', q: string): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await world.broker.inspect.search({ state, q, queue }, { cursor, limit: 5, budget: 40 });
    found.push(...ids(page.jobs));
    if (page.nextCursor === null) expect(page.matching).toEqual({ count: found.length, exact: true });
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  const { matching } = await world.broker.inspect.facets({ q, state, queue });
  expect(matching).toEqual({ count: found.length, exact: true });
  return found.sort();
}

const factsOf = (
  queue: string,
  jobId: string,
  payload: string | Buffer,
  rules: readonly string[],
  dead: boolean,
): JobFacts => ({
  queue,
  id: jobId,
  type: 'demo',
  version: 1,
  tenant: 'default',
  priority: 0,
  attempts: dead ? 1 : 0,
  code: dead ? 'BROKEN' : null,
  class: dead ? 'permanent' : null,
  group: null,
  key: null,
  correlation: null,
  trace: null,
  operation: null,
  enteredAt: 0,
  payload:
    typeof payload === 'string' && payload !== '' ? redactText(payload, redactionOf(rules)).text : null,
  message: dead ? textRedactor(Buffer.from(payload), redactionOf(rules)).text(messageAbout(payload)) : null,
});

/** An error that repeats the whole payload, hidden values and all. */
const messageAbout = (payload: string | Buffer) => `refused ${payload.toString('utf8')} at once`;

async function killEach(queue: string, inputs: readonly EnqueueInput[]): Promise<void> {
  await enqueueAll(world.broker, queue, inputs);
  const taken = await claimAll(world.broker, queue);
  await world.broker.fail(
    queue,
    taken.map(({ jobId, token, payload }) => ({
      jobId,
      token,
      failure: { ...failure(), message: messageAbout(payload) },
    })),
  );
}

describe('a search', () => {
  it('M3: answers as for the redacted payload and message, and so the same whatever is hidden', async () => {
    const twins = HIDDEN.map((hidden) => ({ queue: world.freshQueue(), hidden }));
    const inputs = (hidden: string) =>
      SHAPES.map((shape, i) => ({ ...manyJobs(1, i)[0], jobType: 'demo', payload: shape(hidden) }));
    for (const { queue, hidden } of twins) {
      await killEach(queue, inputs(hidden));
      await enqueueAll(
        world.broker,
        queue,
        inputs(hidden).map((job) => ({ ...job, jobId: `r${job.jobId}` })),
      );
    }
    for (const rules of RULES) {
      for (const { queue } of twins)
        await world.broker.config.change(queue, { redact: [...rules], reason: 'a test' }, BY);
      await fc.assert(
        fc.asyncProperty(query, fc.constantFrom('dead' as const, 'ready' as const), async (q, state) => {
          const parsed = parseQuery(q);
          if (!parsed.ok) throw new Error(q);
          const all: string[][] = [];
          for (const { queue, hidden } of twins) {
            const dead = state === 'dead';
            const wanted = inputs(hidden)
              .map(({ jobId, payload }) => factsOf(queue, `${dead ? '' : 'r'}${jobId}`, payload, rules, dead))
              .filter((facts) => matches(parsed.filter, facts, 0))
              .map(({ id }) => id)
              .sort();
            const found = await answersTo(queue, state, q);
            expect(found).toEqual(wanted);
            all.push(found);
          }
          if (TIGHT.includes(rules)) expect(all[0]).toEqual(all[1]);
        }),
        { numRuns: Number(process.env.RUNS ?? 60) },
      );
    }
  }, 240_000);

  it('finds nothing by what is hidden, and everything by what is not', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, [
      { jobId: 'a', jobType: 'demo', payload: '{"user":"ann","password":"hunter2"}' },
      { jobId: 'b', jobType: 'demo', payload: '{"user":"ann","password":"other"}' },
    ]);
    const found = (q: string) => answersTo(queue, 'dead', q);
    for (const q of [
      'hunter2',
      'payload.password:hunter2',
      'payload.password:hun*',
      'payload.password:>1',
      '"word\\":\\"hunt"',
    ])
      expect(await found(q)).toEqual([]);
    for (const q of [
      '-hunter2',
      '-payload.password:hunter2',
      `payload.password:"${MASK}"`,
      'payload.password:*',
      'ann',
      'payload.user:ann',
    ])
      expect(await found(q)).toEqual(['a', 'b']);
    await world.broker.config.change(queue, { redact: [], reason: 'a test' }, BY);
    expect(await found('hunter2')).toEqual(['a']);
    expect(await found('-payload.password:hunter2')).toEqual(['b']);
  });

  it('knows of a rule that another process set, within seconds', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, [{ jobId: 'a', jobType: 'demo', payload: '{"pin":"4711"}' }]);
    const other = world.another();
    expect(ids((await other.inspect.search({ state: 'dead', q: '4711', queue })).jobs)).toEqual(['a']);
    await world.broker.config.change(queue, { redact: ['pin'], reason: 'a test' }, BY);
    await expect
      .poll(async () => (await other.inspect.search({ state: 'dead', q: '4711', queue })).jobs.length, {
        timeout: 10_000,
      })
      .toBe(0);
  });

  it('hides all when the stored rules cannot be read', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, [{ jobId: 'a', jobType: 'demo', payload: '{"user":"ann"}' }]);
    await world.redis.hset(world.column(queue, 'config'), 'redact', '{"not":"rules"}');
    expect(await answersTo(queue, 'dead', 'ann')).toEqual([]);
    expect((await world.broker.inspect.job(queue, 'a')).payload).toBe(JSON.stringify(MASK));
  });

  it('in shards has the rules of the queue', async () => {
    const { queue } = await shardedQueue(world);
    await killAll(world.broker, queue, manyJobs(30, 0, { payload: '{"pin":"4711"}' }));
    await world.broker.config.change(queue, { redact: ['pin'], reason: 'a test' }, BY);
    expect(await answersTo(queue, 'dead', '4711')).toEqual([]);
    expect(await answersTo(queue, 'dead', '-4711')).toHaveLength(30);
  });

  it('suggests no hidden value and no step into one', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, [
      {
        jobId: 'a',
        jobType: 'demo',
        payload: '{"user":"ann","secret":{"inner":"hunter2"},"token":"hunter2"}',
      },
    ]);
    const offered = async (q: string) =>
      (await world.broker.inspect.suggest({ q, caret: q.length, queue })).map(({ insert }) => insert);
    expect(await offered('payload.')).toEqual(['secret', 'token', 'user']);
    expect(await offered('payload.secret.')).toEqual([]);
    expect(await offered('payload.token:')).toEqual([MASK]);
    expect(await offered('hunter2 payload.user:')).toEqual([]);
    expect(await offered('payload.user:')).toEqual(['ann']);
  });
});
