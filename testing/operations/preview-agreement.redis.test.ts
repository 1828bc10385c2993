/**
 * Filter and bulk agree: whatever the query and whatever happens meanwhile, an operation touches what its preview showed, less what
 * changed since, and accounts for each of them. Random queries, random jobs, random hands at work between any two steps.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Operation } from '@/lib/contract/operations/operation';
import { SELECTION_MAX_JOBS } from '@/lib/contract/operations/operation-kinds';
import { readRaw, violations } from '@/testing/model/invariants';
import { previewOf, startOperation } from '@/testing/worlds/operation-runs';
import { BY, claimAll, failure, jobs, killAll, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

const CODES = ['HTTP_500', 'HTTP_503', 'TIMEOUT'] as const;
const TYPES = ['mail.send', 'mail.open', 'pay'] as const;
const TENANTS = ['acme', 'other', 'third'] as const;
const CLASSES = ['permanent', 'malformed', 'retryable'] as const;

const seedArb = fc.record({
  type: fc.constantFrom(...TYPES),
  tenant: fc.constantFrom(...TENANTS),
  code: fc.constantFrom(...CODES),
  class: fc.constantFrom(...CLASSES),
  priority: fc.integer({ min: -2, max: 2 }),
  n: fc.nat(4),
  laterMs: fc.constantFrom(0, 0, 0, 400_000),
});

const termArb: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...TYPES, 'mail.*').map((type) => `type:${type}`),
  fc.constantFrom(...TENANTS).map((tenant) => `tenant:${tenant}`),
  fc.constantFrom(...CODES, 'HTTP_*').map((code) => `code:${code}`),
  fc.constantFrom(...CLASSES).map((one) => `class:${one}`),
  fc.constantFrom('age:>5m', 'age:<=5m', 'priority:<0', 'priority:>=1', 'attempts:1'),
  fc.nat(4).map((n) => `payload.order.n:${n}`),
  fc.nat(4).map((n) => `payload.order.n:>${n}`),
  fc.constantFrom('"number 3"', 'FAILED', 'j00000', '%'),
);
const { query: queryArb } = fc.letrec<{ query: string }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 2 },
    termArb,
    fc.tuple(tie('query'), tie('query')).map(([a, b]) => `(${a}) (${b})`),
    fc.tuple(tie('query'), tie('query')).map(([a, b]) => `((${a}) OR (${b}))`),
    tie('query').map((a) => `NOT (${a})`),
  ),
}));

const churnArb = fc.record({
  what: fc.constantFrom(
    'suppress',
    'purge',
    'restore',
    'remove',
    'die-again',
    'new',
    'step',
    'step',
    'other-step',
  ),
  which: fc.nat(1_000),
});

interface Seen {
  readonly previewed: ReadonlySet<string>;
  readonly touched: ReadonlyMap<string, number>;
  readonly churned: ReadonlySet<string>;
  readonly done: Operation;
}

/** By whose hand: the operation's reason is its own, and stands in the history of what it touched. */
async function touchedBy(queues: readonly string[], reason: string): Promise<Map<string, number>> {
  const touched = new Map<string, number>();
  for (const queue of queues) {
    const logs = await world.redis.hgetall(world.column(queue, 'history'));
    for (const [id, log] of Object.entries(logs)) {
      const lines = log.split('\n').filter((line) => line.includes(`"reason":"${reason}"`));
      if (lines.length > 0) touched.set(`${queue}/${id}`, lines.length);
    }
  }
  return touched;
}

/** Every job of the preview, read page by page as a person would. */
async function matching(q: string): Promise<Set<string>> {
  const found = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await world.broker.inspect.search({ state: 'dead', q }, { limit: 37, cursor });
    for (const { queue, jobId } of page.jobs) found.add(`${queue}/${jobId}`);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return found;
}

let runs = 0;

describe('an operation', () => {
  it.each([
    ['by its query', false],
    ['on ticked jobs', true],
  ])(
    '%s touches what was previewed, less what changed, and reports each',
    { timeout: 240_000 },
    async (_, ticked) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(seedArb, { minLength: 5, maxLength: 60 }),
          queryArb,
          fc.constantFrom('redrive' as const, 'suppress' as const, 'purge' as const),
          fc.array(churnArb, { maxLength: 25 }),
          async (seeds, query, kind, churn) => {
            const seen = await scenario(seeds, query, kind, churn, ticked);
            if (seen === null) return;
            const { previewed, touched, churned, done } = seen;
            for (const [job, times] of touched) {
              expect(previewed.has(job), `${job} was touched, and not previewed`).toBe(true);
              expect(times, `${job} was touched more than once`).toBe(1);
            }
            for (const job of previewed)
              if (!touched.has(job))
                expect(churned.has(job), `${job} was left out, and nobody had changed it`).toBe(true);
            expect(done.status).toBe('completed');
            expect(done.moved).toBe(touched.size);
            expect(done.moved + done.skipped).toBe(done.expected);
            expect(done.expected).toBe(previewed.size);
            expect(Object.values(done.skips).reduce((a, b) => a + b, 0)).toBe(done.skipped);
          },
        ),
        { numRuns: 25, endOnFailure: true },
      );
    },
  );
});

async function scenario(
  seeds: readonly (typeof seedArb extends fc.Arbitrary<infer T> ? T : never)[],
  query: string,
  kind: 'redrive' | 'suppress' | 'purge',
  churn: readonly { what: string; which: number }[],
  ticked: boolean,
): Promise<Seen | null> {
  const queues = [world.freshQueue(), world.freshQueue()];
  const reason = `run ${++runs}`;
  const all: { queue: string; jobId: string }[] = [];
  for (const [i, seed] of seeds.entries()) {
    const queue = queues[i % 2] ?? '';
    world.clock.now += seed.laterMs + 1;
    const [job] = jobs(1, i, {
      jobType: seed.type,
      tenantId: seed.tenant,
      priority: seed.priority,
      maxAttempts: 1,
      payload: JSON.stringify({ order: { n: seed.n }, note: `number ${seed.n}` }),
    });
    await killAll(world.broker, queue, job ? [job] : [], failure(seed.code, seed.class));
    all.push({ queue, jobId: job?.jobId ?? '' });
  }
  const q = `(queue:${queues[0]} OR queue:${queues[1]}) (${query})`;
  const previewed = await matching(q);
  const scope = ticked
    ? {
        jobs: [...previewed]
          .slice(0, SELECTION_MAX_JOBS)
          .map((job) => ({ queue: job.split('/')[0] ?? '', jobId: job.split('/')[1] ?? '' })),
      }
    : { q };
  if (ticked && previewed.size === 0) return null;
  const preview = await previewOf(world.broker, { kind, includeUnsafe: true, ...scope });
  expect(preview.count).toBe(previewed.size);
  // Slowly, so that hands are at work between any two of its jobs.
  const control = { rate: { perSecond: 100, keepReadyBelow: null } };
  const started = await startOperation(
    world.broker,
    { kind, includeUnsafe: true, ...scope },
    { by: { ...BY, reason }, control },
  );
  const churned = new Set<string>();
  const other = world.another();
  let steps = 0;
  const step = (broker = world.broker, runner = 'r1') =>
    broker.operations.runSlice(started.id, runner, { sliceMs: 0 });
  for (const { what, which } of churn) {
    const target = all[which % all.length];
    if (!target) continue;
    const { queue, jobId } = target;
    world.clock.now += 30;
    const touch = () => churned.add(`${queue}/${jobId}`);
    switch (what) {
      case 'suppress':
      case 'purge':
      case 'restore':
        await world.broker[what](queue, [jobId], BY);
        touch();
        break;
      case 'remove':
        await world.broker.remove(queue, [jobId], BY);
        touch();
        break;
      case 'die-again':
        await world.broker.redrive(queue, [jobId], BY);
        for (const { jobId: id, token } of await claimAll(world.broker, queue, { most: 3 })) {
          await world.broker.fail(queue, [{ jobId: id, token, failure: failure('HTTP_500') }]);
          churned.add(`${queue}/${id}`);
        }
        touch();
        break;
      case 'new':
        await killAll(
          world.broker,
          queue,
          jobs(1, 10_000 + which, { jobType: 'pay', tenantId: 'acme' }),
          failure('HTTP_500'),
        );
        break;
      case 'other-step':
        world.clock.now += 6_001;
        await step(other, `r${++steps}`);
        break;
      default:
        await step();
    }
  }
  world.clock.now += 6_001;
  let done = (await step()).operation;
  if (done.status === 'running')
    await world.broker.operations.change(started.id, { rate: { perSecond: null, keepReadyBelow: null } }, BY);
  while (done.status === 'running') done = (await step()).operation;
  const touched = await touchedBy(queues, reason);
  // What was deleted took its history along: whether it had been touched is not to be seen any more.
  const gone: string[] = [];
  for (const job of previewed) {
    const [queue = '', jobId = ''] = job.split('/');
    if ((await world.redis.hexists(world.column(queue, 'jobs'), jobId)) === 0) gone.push(job);
  }
  if (gone.length > 0) {
    expect(gone.every((job) => churned.has(job))).toBe(true);
    expect(done.moved).toBeGreaterThanOrEqual(touched.size);
    expect(done.moved).toBeLessThanOrEqual(touched.size + gone.length);
    expect(done.moved + done.skipped).toBe(done.expected);
    for (const job of touched.keys()) expect(previewed.has(job)).toBe(true);
    return null;
  }
  for (const queue of queues) expect(violations(await readRaw(world.redis, world.keys, queue))).toEqual([]);
  return { previewed, touched, churned, done };
}
