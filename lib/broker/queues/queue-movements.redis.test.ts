/**
 * Invariant 23: the stream of events tells every change of state, once and in order. Whoever replays it from the beginning has
 * the counts, without having looked at a single job.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClaimedJob } from '@/lib/broker';
import type { JobState } from '@/lib/contract/jobs/job-states';
import { type Mutant, withMutant } from '@/testing/model/mutate-script';
import { BY, CRASH, failure, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

const NEW = 'new';
const GONE = 'gone';
type Place = JobState | typeof NEW | typeof GONE;
/** From where to where each event takes a job. A transition told twice would come from a state it cannot come from. */
const MOVES: Readonly<Record<string, { from: readonly Place[]; to: Place }>> = {
  ready: { from: [NEW], to: 'ready' },
  scheduled: { from: [NEW], to: 'scheduled' },
  promoted: { from: ['scheduled', 'retry'], to: 'ready' },
  retried: { from: ['retry'], to: 'ready' },
  held: { from: ['ready'], to: 'held' },
  returned: { from: ['held'], to: 'ready' },
  claimed: { from: ['ready'], to: 'in-flight' },
  completed: { from: ['in-flight'], to: 'completed' },
  retry: { from: ['in-flight'], to: 'retry' },
  released: { from: ['in-flight'], to: 'ready' },
  postponed: { from: ['in-flight'], to: 'retry' },
  reclaimed: { from: ['in-flight'], to: 'ready' },
  dead: { from: ['in-flight', 'ready', 'scheduled', 'retry', 'held'], to: 'dead' },
  redriven: { from: ['dead', 'suppressed'], to: 'ready' },
  suppressed: { from: ['dead'], to: 'suppressed' },
  purged: { from: ['dead', 'suppressed'], to: 'trashed' },
  restored: { from: ['trashed', 'suppressed'], to: 'dead' },
  trimmed: { from: ['completed'], to: GONE },
  emptied: { from: ['trashed'], to: GONE },
  expired: { from: ['dead'], to: GONE },
  deleted: {
    from: ['ready', 'scheduled', 'retry', 'held', 'completed', 'dead', 'suppressed', 'trashed'],
    to: GONE,
  },
};
/** They move no job. */
const OTHERS = ['paused', 'resumed', 'configured', 'draining', 'accepting'];

class Replay {
  readonly #places = new Map<string, Place>();
  #position = '';
  seen = 0;

  async follow(queue: string): Promise<void> {
    for (const movement of await world.lab.movements(queue, this.#position, 500)) {
      this.#position = movement.id.slice(queue.length + 1);
      this.seen += 1;
      if (OTHERS.includes(movement.event)) continue;
      const move = MOVES[movement.event];
      if (!move) throw new Error(`23: nobody knows the event ${movement.event}`);
      // Batches are small here, so every job is named.
      expect(movement.count).toBe(movement.jobIds.length);
      for (const id of movement.jobIds) {
        const from = this.#places.get(id) ?? NEW;
        if (!move.from.includes(from))
          throw new Error(`23: ${id} was ${from} when it is said to be ${movement.event}`);
        this.#places.set(id, move.to);
      }
    }
  }
  alive(): number {
    return [...this.#places.values()].filter((place) => place !== GONE && place !== 'completed').length;
  }
  counts(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const place of this.#places.values()) counts.set(place, (counts.get(place) ?? 0) + 1);
    counts.delete(GONE);
    return counts;
  }
}

const VERBS = ['cancel', 'redrive', 'suppress', 'purge', 'restore', 'promote'] as const;
const step = fc.record({
  what: fc.constantFrom(
    ...['send', 'send', 'send', 'claim', 'claim', 'exchange', 'ack', 'fail', 'release', 'reclaim', 'gone'],
    ...['pause', 'resume', 'limit', 'triage', 'triage', 'triage', 'remove', 'remove', 'wait', 'wait'],
    ...['maintain', 'wait'],
  ),
  n: fc.nat({ max: 9_999 }),
});

/** @returns how many events there were */
async function run(steps: readonly { what: string; n: number }[]): Promise<number> {
  const queue = world.freshQueue();
  const { broker, clock } = world;
  const replay = new Replay();
  await broker.config.change(queue, { completedKeep: 2, trashGraceMs: 3_000, maxDeliveries: 2 }, BY);
  await broker.config.change(queue, { deadKeepMs: 60_000 }, BY);
  let sent = 0;
  let hand: ClaimedJob[] = [];
  const take = (count: number) => {
    const part = hand.slice(0, count);
    hand = hand.slice(count);
    return part;
  };
  for (const { what, n } of steps) {
    const some = [...new Set([n, n * 7, n * 13].map((i) => `j${i % Math.max(1, sent)}`))];
    // An event names at most 20 jobs: with no more than that there, every one of them is named.
    if (what === 'send' && replay.alive() <= 16)
      await broker.enqueueMany(
        queue,
        Array.from({ length: 1 + (n % 4) }, (_, i) => ({
          jobId: `j${sent++}`,
          jobType: n % 2 ? 'mail' : 'hook',
          tenantId: `t${(n + i) % 3}`,
          maxAttempts: 2,
          ...(n % 5 === 0 ? { delayMs: 800 } : {}),
          ...(n % 11 === 0 ? { deadline: clock.now + 2_000 } : {}),
        })),
      );
    else if (what === 'claim')
      hand.push(
        ...(await broker.claim(queue, { worker: `w${n % 2}`, count: 1 + (n % 5), leaseMs: 2_000 })).jobs,
      );
    else if (what === 'exchange')
      hand.push(...(await broker.exchange(queue, take(3), { worker: 'w1', count: n % 5 || 1 })).claimed.jobs);
    else if (what === 'ack') await broker.ack(queue, take(3));
    else if (what === 'fail') {
      const why = n % 2 ? failure() : { ...failure('X', 'retryable' as const), retryInMs: 500 };
      await broker.fail(
        queue,
        take(2).map((job) => ({ ...job, failure: why })),
      );
    } else if (what === 'release')
      await broker.release(
        queue,
        take(2).map((job) => ({ ...job, delayMs: (n % 2) * 400 })),
      );
    else if (what === 'reclaim') await broker.reclaim(queue);
    else if (what === 'gone') await broker.reclaimWorker(queue, `w${n % 2}`, CRASH);
    else if (what === 'pause') await broker.pause(queue, { scope: `tenant:t${n % 3}`, reason: 'a test' }, BY);
    else if (what === 'resume') await broker.resume(queue, `tenant:t${n % 3}`, BY);
    else if (what === 'limit')
      await broker.config.change(queue, { tenantLimit: n % 2 ? { concurrency: 1 } : null }, BY);
    else if (what === 'triage') await broker[VERBS[n % VERBS.length] ?? 'cancel'](queue, some, BY);
    else if (what === 'remove') await broker.remove(queue, some);
    else if (what === 'maintain') await broker.maintain(queue);
    else if (what === 'wait') clock.now += 100 * (n % 60);
    await replay.follow(queue);
    const [shown] = await broker.inspect.snapshot([queue]);
    const counts = new Map(Object.entries(shown?.counts ?? {}).filter(([, count]) => count > 0));
    expect(new Map([...replay.counts()].sort()), `after ${what}`).toEqual(new Map([...counts].sort()));
  }
  return replay.seen;
}

const RUNS = 25;
async function replayed(): Promise<void> {
  let seen = 0;
  const property = fc.asyncProperty(fc.array(step, { minLength: 100, maxLength: 100 }), async (steps) => {
    seen += await run(steps);
  });
  const result = await fc.check(property, { numRuns: RUNS, endOnFailure: true });
  // By chance one run has 35 events and another 80: what counts is how many there were in all.
  if (!result.failed) return expect(seen).toBeGreaterThan(20 * RUNS);
  const why = result.errorInstance instanceof Error ? result.errorInstance.message : 'interrupted';
  throw new Error(`with seed ${result.seed}: ${why}`, { cause: result.errorInstance });
}

it(
  'invariant 23: replayed from the beginning, the events give the counts after every single command',
  {
    timeout: 60_000,
  },
  replayed,
);

const MUTANTS: readonly Mutant[] = [
  { defect: 'who stepped aside is not told', script: 'claim', is: "queue.emit('held', held)", becomes: '' },
  { defect: 'who came back is not told', script: 'resume', is: "queue.emit('returned', ids)", becomes: '' },
  {
    defect: 'a delayed release is told as one back in line',
    script: 'release',
    is: "queue.emit('postponed', later)",
    becomes: "queue.emit('released', later)",
  },
  {
    defect: 'a death is told twice',
    script: 'fail',
    is: "queue.emit('dead', died)",
    becomes: "queue.emit('dead', died) queue.emit('dead', died)",
  },
];
describe('a stream in which', () => {
  it.each(MUTANTS)('$defect is found out', { timeout: 60_000 }, async (mutant) => {
    await withMutant(mutant, () => expect(replayed(), mutant.defect).rejects.toThrow(/with seed/));
  });
});

it('invariant 23: the stream is bounded, carries no payload, and names at most 20 jobs an event', async () => {
  const queue = world.freshQueue();
  for (let i = 0; i < 30; i++)
    await world.broker.enqueueMany(
      queue,
      Array.from({ length: 50 }, () => ({ jobType: 'demo', payload: 'SECRET'.repeat(100) })),
    );
  for (let i = 0; i < 1_200; i++) await world.broker.enqueue(queue, { jobType: 'demo', payload: 'SECRET' });
  const key = world.column(queue, 'events');
  expect(await world.redis.xlen(key)).toBeLessThan(1_200);
  const entries = await world.redis.xrange(key, '-', '+');
  for (const [, fields] of entries) {
    expect(fields.join(' ')).not.toContain('SECRET');
    expect((fields[5] ?? '').split(',').length).toBeLessThanOrEqual(20);
  }
});
