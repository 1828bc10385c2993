/** exchange-plain does to a queue what exchange does, or nothing at all. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { COLUMNS, type Column } from '@/lib/broker/redis/redis-keys';
import { evalScript, scriptKeys } from '@/lib/broker/redis/script-runner';
import type { EnqueueInput } from '@/lib/contract/jobs/envelope';
import { type Mutant, withMutant } from '@/testing/model/mutate-script';
import { enqueueAll, jobs, setUpWorld } from '@/testing/worlds/world';
import { ackArgs } from './settle-jobs';

const world = await setUpWorld();
const LEASE_MS = 30_000;

type Script = 'claim' | 'exchange' | 'exchange-plain';
const run = (script: Script, queue: string, args: (string | number)[]) =>
  evalScript(
    world.redis,
    script,
    scriptKeys(world.keys, script, queue),
    [world.clock.now, ...args],
    false,
  ) as Promise<unknown>;

/** All that a queue is, but for the ids of its events. */
async function contents(queue: string): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const [column, type] of Object.entries(COLUMNS) as [Column, string][]) {
    const key = world.column(queue, column);
    if (type === 'hash') {
      const rows = Object.entries(await world.redis.hgetall(key));
      found[column] = Object.fromEntries(rows.sort(([a], [b]) => (a < b ? -1 : 1)));
    }
    if (type === 'zset') found[column] = await world.redis.zrange(key, '0', '-1', 'WITHSCORES');
  }
  const movements = await world.lab.movements(queue, '', 500);
  // Trimming is told last by one, before the claim by the other.
  found.events = movements
    .map(({ id: _, at: __, queue: ___, ...movement }) => JSON.stringify(movement))
    .sort();
  return found;
}

interface Claimed {
  ids: string[];
  text: string;
  more: unknown;
  nextAt: unknown;
}
function claimIn(reply: unknown[], rows: unknown, nextAt: unknown): Claimed {
  const sizes = String(reply[0] ?? '');
  return {
    ids: sizes.split(' ').filter((_, i) => i % 2 === 0 && sizes !== ''),
    text: `${sizes}\n${((rows ?? []) as string[]).join('')}`,
    more: reply[1],
    nextAt,
  };
}
async function exchange(queue: string, args: (string | number)[]): Promise<{ acked: unknown } & Claimed> {
  const [acked, claim] = (await run('exchange', queue, args)) as [unknown, unknown[]];
  return { acked, ...claimIn([claim[4], claim[1]], claim[5], claim[2]) };
}
async function exchangePlainly(queue: string, args: (string | number)[]) {
  const reply = (await run('exchange-plain', queue, args)) as 0 | unknown[];
  if (reply === 0) return null;
  const [more, now, sizes, ...rows] = reply;
  expect(now).toBe(world.clock.now);
  return { acked: 1, ...claimIn([sizes, more], rows, 0) };
}

type Ref = { jobId: string; token: string };
/** A queue of five plain jobs, the first of them claimed. */
async function oneInHand(queue: string) {
  await enqueueAll(world.broker, queue, jobs(5));
  await run('claim', queue, [1, LEASE_MS, 'w1', 'nonceFirst']);
  return {
    refs: [{ jobId: 'j000000', token: '1-nonceFirst' }],
    args: (refs: Ref[]) => [1, LEASE_MS, 'w1', 'nonce-next', ...ackArgs(refs)],
  };
}

const job = fc.record({
  jobType: fc.constantFrom('demo', 'email.send'),
  tenantId: fc.constantFrom('default', 'acme', 'globex'),
  priority: fc.constantFrom(0, 0, 5),
  size: fc.constantFrom(1, 10, 60_000),
  odd: fc.oneof({ weight: 40, arbitrary: fc.constant('') }, fc.constantFrom('unique', 'deadline', 'gone')),
});
const inputOf = ({ size, odd, ...rest }: typeof job extends fc.Arbitrary<infer T> ? T : never, i: number) =>
  ({
    ...rest,
    jobId: `j${String(i).padStart(6, '0')}`,
    payload: 'x'.repeat(size),
    ...(odd === 'unique' && { unique: { key: `key-${i}`, scope: 'done', ttlMs: 60_000 } }),
    ...(odd === 'deadline' && { deadline: world.clock.now + 20 }),
  }) as EnqueueInput;

/** @returns how many exchanges were plain */
async function compareQueues(numRuns: number): Promise<number> {
  let plain = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(job, { minLength: 20, maxLength: 80 }),
      fc.array(
        fc.record({
          acks: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 30 })),
          claims: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 7, max: 40 })),
          result: fc.constantFrom('', 'ok', 'two\nlines'),
          later: fc.constantFrom(0, 3, 400, 70_000),
        }),
        { minLength: 1, maxLength: 6 },
      ),
      fc.constantFrom(10, 1_000),
      async (made, turns, completedKeep) => {
        const [one, other] = [world.freshQueue(), world.freshQueue()];
        await Promise.all(
          [one, other].map((queue) => world.redis.hset(world.column(queue, 'config'), { completedKeep })),
        );
        const inputs = made.map(inputOf);
        await Promise.all([one, other].map((queue) => enqueueAll(world.broker, queue, inputs)));
        for (const [i, { odd }] of made.entries())
          if (odd === 'gone')
            await Promise.all(
              [one, other].map((queue) =>
                world.redis.hdel(world.column(queue, 'jobs'), inputs[i]?.jobId ?? ''),
              ),
            );
        let inHand: Ref[] = [];
        const take = (ids: string[], nonce: string) => {
          inHand.push(...ids.map((jobId) => ({ jobId, token: `1-${nonce}` })));
        };
        const first = [5, LEASE_MS, 'w1', 'nonce-first'];
        const [begun] = await Promise.all(
          [one, other].map((queue) => run('claim', queue, first) as Promise<unknown[]>),
        );
        take(claimIn([begun?.[4], begun?.[1]], begun?.[5], 0).ids, 'nonce-first');
        for (const [i, { acks, claims, result, later }] of turns.entries()) {
          world.clock.now += later;
          // A waiting worker took it.
          await world.redis.del([one, other].map((queue) => world.column(queue, 'wake')));
          const refs = inHand.slice(0, acks);
          inHand = inHand.slice(acks);
          const nonce = `nonce-${i}-${plain}`;
          const args = [claims, LEASE_MS, 'w1', nonce];
          args.push(...(ackArgs(refs.map((ref) => ({ ...ref, result }))) as never[]));
          const before = await contents(one);
          const said = await exchangePlainly(one, args);
          if (!said) {
            expect(await contents(one)).toEqual(before);
            const general = await exchange(one, args);
            expect(general).toEqual(await exchange(other, args));
            take(general.ids, nonce);
            continue;
          }
          plain += 1;
          expect(said).toEqual(await exchange(other, args));
          take(said.ids, nonce);
          expect(await contents(one)).toEqual(await contents(other));
        }
      },
    ),
    { numRuns, endOnFailure: true },
  );
  return plain;
}

it('leaves the same queue behind', async () => {
  expect(await compareQueues(60)).toBeGreaterThan(40);
});

const CONFIGURED = [
  'completedKeepMs',
  'completedKeepBytes',
  'tenantLimits',
  'concurrency',
  'rate',
  'fair',
] as const;
const PRESENT = ['scheduled', 'retry', 'throttled', 'pauses', 'attempts'] as const;
const plantedBy: Record<string, (queue: string) => Promise<unknown>> = {
  ...Object.fromEntries(
    CONFIGURED.map((field) => [
      field,
      (queue: string) => world.redis.hset(world.column(queue, 'config'), field, '5'),
    ]),
  ),
  ...Object.fromEntries(
    PRESENT.map((column) => [
      column,
      (queue: string) =>
        COLUMNS[column] === 'zset'
          ? world.redis.zadd(world.column(queue, column), world.clock.now + 60_000, 'x')
          : world.redis.hset(world.column(queue, column), 'x', '1'),
    ]),
  ),
};

it.each(Object.keys(plantedBy))('does nothing where there is %s', async (what) => {
  const queue = world.freshQueue();
  const { refs, args } = await oneInHand(queue);
  await plantedBy[what]?.(queue);
  const before = await contents(queue);
  expect(await exchangePlainly(queue, args(refs))).toBeNull();
  expect(await contents(queue)).toEqual(before);
});

it.each([
  ['a token of another claim', (ref: Ref) => [{ ...ref, token: '1-strange' }]],
  ['a job that is not in flight', (ref: Ref) => [{ ...ref, jobId: 'j000003' }]],
])('does nothing with %s', async (_, acks) => {
  const queue = world.freshQueue();
  const { refs, args } = await oneInHand(queue);
  const before = await contents(queue);
  expect(await exchangePlainly(queue, args(refs.flatMap(acks)))).toBeNull();
  expect(await contents(queue)).toEqual(before);
  expect(await exchangePlainly(queue, args(refs))).toMatchObject({ ids: ['j000001'], more: 1 });
});

it('is not asked with a job twice', async () => {
  const queue = world.freshQueue();
  const { refs } = await oneInHand(queue);
  const { acked, claimed } = await world.broker.exchange(queue, [...refs, ...refs], { worker: 'w1' });
  expect(acked).toEqual(['completed', 'already']);
  expect(claimed.jobs.map(({ jobId }) => jobId)).toEqual(['j000001']);
  expect(await world.redis.hgetall(world.column(queue, 'running'))).toEqual({ default: '1' });
});

const MUTANTS: readonly Mutant[] = [
  {
    defect: 'a completed job keeps its slot',
    script: 'exchange-plain',
    is: 'running[tenant] = (running[tenant] or 0) - 1\n',
    becomes: '',
  },
  {
    defect: 'a deadline that passed is not looked at',
    script: 'exchange-plain',
    is: "(deadline == '0' or tonumber(deadline) > now) and ",
    becomes: '',
  },
  {
    defect: 'a unique key is forgotten',
    script: 'exchange-plain',
    is: 'and not unique and of',
    becomes: 'and of',
  },
  {
    defect: 'jobs behind an odd one are lost',
    script: 'exchange-plain',
    is: 'for k = i, got do',
    becomes: 'for k = i, i do',
  },
  {
    defect: 'jobs before an odd one are lost',
    script: 'exchange-plain',
    is: 'for k = 1, taken do',
    becomes: 'for k = 2, taken do',
  },
  {
    defect: 'nothing is completed where no job is ready',
    script: 'exchange-plain',
    is: 'if n + taken == 0 then',
    becomes: 'if taken == 0 then',
  },
  {
    defect: 'no worker is woken for the jobs that are left',
    script: 'exchange-plain',
    is: "if more == 1 then call('ZADD', keys.wake, '0', '1') end\n",
    becomes: '',
  },
  {
    defect: 'a lease ends as it begins',
    script: 'exchange-plain',
    is: "format('%d', now + ARGV[3])",
    becomes: "format('%d', now)",
  },
  {
    defect: 'completed jobs are not counted',
    script: 'exchange-plain',
    is: "call('HINCRBY', keys.counters, 'completed', out)\n",
    becomes: '',
  },
  {
    defect: 'completed jobs are kept for ever',
    script: 'exchange-plain',
    is: 'completed_jobs.trim(slack, 250)',
    becomes: '',
  },
];

it.each(MUTANTS)('is caught where $defect', (mutant) =>
  withMutant(mutant, () => expect(compareQueues(100)).rejects.toThrow(/Property failed/)),
);
