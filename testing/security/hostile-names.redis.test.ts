/** No name can carry anything into a key: what does not fit the pattern is refused by name, before Redis hears of it. */
import { describe, expect, it } from 'vitest';
import { NAME_MAX_CHARS } from '@/lib/contract/name-pattern';
import type { RedriveError } from '@/lib/contract/redrive-error';
import { previewOf } from '@/testing/worlds/operation-runs';
import { BY, CRASH, claimOne, failure, jobs, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

const BAD = [
  '',
  ' ',
  'a b',
  '{a}',
  '}',
  '{',
  'a:b',
  '*',
  '?',
  '[a]',
  ']',
  '\\',
  'a\n',
  'a\nb',
  '\n',
  'a\r',
  '\0',
  'a\0',
  '__proto__',
  '.hidden',
  '-dash',
  '_x',
  'ä',
  'аdmin',
  '队列',
  '😀',
  'a\u200db',
  '\u202eabc',
  'a|b',
  'a=b',
  'a/b',
  '../a',
  "a'b",
  'a"b',
  'a%b',
  '<b>',
  'a,b',
  'x'.repeat(NAME_MAX_CHARS + 1),
] as const;
const GOOD = ['a', '0', 'A.b-c_D', 'constructor', 'toString', 'x'.repeat(NAME_MAX_CHARS)];
const token = '1-ABCDEFGH';
const job = { jobType: 'demo' };

type Use = (name: string) => Promise<unknown>;
const QUEUE_USES: Record<string, Use> = {
  enqueue: (name) => world.broker.enqueue(name, job),
  claim: (name) => world.broker.claim(name, { worker: 'w1' }),
  ack: (name) => world.broker.ack(name, [{ jobId: 'j', token }]),
  reclaim: (name) => world.broker.reclaim(name),
  maintain: (name) => world.broker.maintain(name),
  pause: (name) => world.broker.pause(name, { reason: 'a test' }, BY),
  resume: (name) => world.broker.resume(name),
  remove: (name) => world.broker.remove(name, ['j']),
  list: (name) => world.broker.inspect.list(name, { state: 'ready' }),
  'job detail': (name) => world.broker.inspect.job(name, 'j'),
  'dead letters': (name) => world.broker.inspect.search({ state: 'dead', q: '', queue: name }),
  facets: (name) => world.broker.inspect.facets({ q: '', queue: name }),
  snapshot: (name) => world.broker.inspect.snapshot([name]),
  minutes: (name) => world.broker.inspect.minutes(name, world.clock.now, 5),
  movements: (name) => world.lab.movements(name, '', 5),
  operation: (name) => previewOf(world.broker, { kind: 'purge', queue: name }),
};
const OTHER_USES: Record<string, Use> = {
  'a job id in enqueue': (name) => world.broker.enqueue('good', { ...job, jobId: name }),
  'a job type': (name) => world.broker.enqueue('good', { jobType: name }),
  'a tenant': (name) => world.broker.enqueue('good', { ...job, tenantId: name }),
  'a job id in ack': (name) => world.broker.ack('good', [{ jobId: name, token }]),
  'a job id in fail': (name) => world.broker.fail('good', [{ jobId: name, token, failure: failure() }]),
  'a job id in cancel': (name) => world.broker.cancel('good', [name], BY),
  'a job id in remove': (name) => world.broker.remove('good', [name]),
  'a job id in job detail': (name) => world.broker.inspect.job('good', name),
  'a worker': (name) => world.broker.claim('good', { worker: name }),
  'a worker that died': (name) => world.broker.reclaimWorker('good', name, CRASH),
  'a token': (name) => world.broker.ack('good', [{ jobId: 'j', token: name }]),
  'an error code': (name) =>
    world.broker.fail('good', [{ jobId: 'j', token, failure: { ...failure(), errorCode: name } }]),
  'a queue in an operation': (name) =>
    previewOf(world.broker, { kind: 'purge', jobs: [{ queue: name, jobId: 'j' }] }),
  'a paused tenant': (name) => world.broker.pause('good', { scope: `tenant:${name}`, reason: 'a test' }, BY),
  'a paused type': (name) => world.broker.pause('good', { scope: `type:${name}`, reason: 'a test' }, BY),
};

async function keysNow(): Promise<string[]> {
  const found: string[] = [];
  for await (const part of world.redis.scanStream({ count: 1_000 })) found.push(...(part as string[]));
  return found.sort();
}

describe('B30: a name outside the pattern', () => {
  it.each(Object.keys({ ...QUEUE_USES, ...OTHER_USES }))(
    'is refused in %s, by the name of its field, and leaves no key',
    async (use) => {
      const call = QUEUE_USES[use] ?? OTHER_USES[use];
      const before = await keysNow();
      for (const name of BAD) {
        const error = await call?.(name).then(
          () => null,
          (reason: RedriveError) => reason,
        );
        expect(error?.code, JSON.stringify(name)).toBe('VALIDATION');
        expect(error?.fields.length, JSON.stringify(name)).toBeGreaterThan(0);
        expect(error?.fields[0]?.field).toMatch(
          /^((scope\.(jobs\.0\.)?)?queue|jobId|jobType|tenantId|worker|token|errorCode|scope|tenant)$/,
        );
      }
      expect(await keysNow()).toEqual(before);
    },
  );

  it('may not be a prefix either', () => {
    for (const prefix of BAD)
      expect(() => world.another({ prefix })).toThrow(expect.objectContaining({ code: 'VALIDATION' }));
  });
});

describe('B30: a name inside it', () => {
  it.each(GOOD)('%s works everywhere, and is only a name', async (name) => {
    const queue = name;
    await world.broker.enqueue(queue, { jobId: name, jobType: name, tenantId: name });
    const held = await claimOne(world.broker, queue, name);
    await world.broker.fail(queue, [{ ...held, failure: { ...failure(), errorCode: name } }]);
    const page = await world.broker.inspect.search({
      state: 'dead',
      q: `type:${name} tenant:${name} code:${name}`,
      queue,
    });
    expect(page.jobs).toMatchObject([
      { jobId: name, jobType: name, tenantId: name, errorCode: name, worker: name },
    ]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('never reaches the keys of another queue', async () => {
    await world.broker.enqueueMany('a', jobs(1));
    const before = await world.redis.dump(world.column('a', 'jobs'));
    for (const near of ['a.b', 'a-', 'A', 'aa', 'a0']) {
      await world.broker.enqueueMany(near, jobs(3));
      await world.broker.remove(
        near,
        jobs(3).map((one) => one.jobId ?? ''),
      );
    }
    expect(await world.redis.dump(world.column('a', 'jobs'))).toEqual(before);
  });
});
