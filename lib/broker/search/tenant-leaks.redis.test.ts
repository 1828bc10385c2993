/**
 * Two tenants of one queue. What one may see says nothing of the other, not by a word and not by a number: every answer is what it would
 * be on a Redis where the other never was.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JOB_STATES, type JobState } from '@/lib/contract/jobs/job-states';
import { KIND_STATES, OPERATION_KINDS, OPERATION_OUTCOMES } from '@/lib/contract/operations/operation-kinds';
import type { PreviewInput } from '@/lib/contract/operations/operation-request';
import { runToEnd } from '@/testing/worlds/operation-runs';
import { BY, claimAll, openWorld, START, type World } from '@/testing/worlds/world';

/** In everything the other has; a name like any other, so that it can be. */
const MARK = 'XrivalX';
/** What somebody may type who knows a little. */
const NEARLY = 'Xrival';
const SHARED = 'shared';
const OTHER = `only-${MARK}`;
const MINE = 'acme';
const within = [{ queue: SHARED, tenants: [MINE] }];

/** With the other's jobs, and without them. */
let both: World;
let alone: World;
beforeAll(async () => {
  [both, alone] = await Promise.all([openWorld(), openWorld()]);
  for (const world of [both, alone]) {
    const mine = await planter(world, SHARED, MINE, 'mine');
    const theirs = world === both ? [await planter(world, SHARED, MARK, MARK)] : [];
    const elsewhere = world === both ? [await planter(world, OTHER, MINE, MARK)] : [];
    // Claims take whatever is there: each has none waiting when it is another's turn, until nobody claims any more.
    for (const phase of ['ended', 'running', 'waiting'] as const)
      for (const one of [mine, ...theirs, ...elsewhere]) await one[phase]();
  }
}, 60_000);
afterAll(async () => {
  await both?.close();
  await alone?.close();
});

/** Jobs of a tenant in every state, some of them dead of several things at several times. */
async function planter(world: World, queue: string, tenant: string, word: string) {
  const { broker, clock } = world;
  let serial = 0;
  const inputs = (count: number, rest: object = {}) =>
    Array.from({ length: count }, () => {
      const n = serial++;
      return {
        // In between each other, so that whoever looks for one meets the other.
        jobId: `j${String(n).padStart(4, '0')}-${word}`,
        jobType: n % 3 === 0 ? 'type.same' : `type.${word}.${n % 2}`,
        tenantId: tenant,
        payload: JSON.stringify({ [`key-${word}`]: `value-${word}-${n % 5}`, n }),
        idempotencyKey: `key-${word}-${n}`,
        correlationId: `corr-${word}`,
        traceId: `trace-${word}`,
        maxAttempts: 9,
        ...rest,
      };
    });
  const claim = (most: number) =>
    claimAll(broker, queue, { worker: `worker-${word}`, leaseMs: 3_600_000, most });
  const fail = async (count: number, again: boolean) => {
    await broker.enqueueMany(queue, inputs(count));
    const taken = await claim(count);
    await broker.fail(
      queue,
      taken.map(({ jobId, token }, n) => ({
        jobId,
        token,
        failure: {
          errorClass: again ? ('retryable' as const) : ('permanent' as const),
          errorCode: n % 3 === 0 ? 'SAME' : `CODE-${word}`,
          // At times the same for both but for a number, so that they share a failure group.
          message: n % 3 === 0 ? `the same ${serial}` : `${word} ${n}`,
          stack: n % 3 === 0 ? 'Error\n    at same (same.ts:1:1)' : `Error\n    at ${word} (${word}.ts:1:1)`,
          again,
          ...(again ? { retryInMs: 1_000_000_000 + n } : {}),
        },
      })),
    );
    return taken.map(({ jobId }) => jobId);
  };
  return {
    async ended() {
      for (const age of [90_000_000, 3_600_000, 1_000]) {
        clock.now = START - age;
        const dead = await fail(12, false);
        await broker.suppress(queue, dead.slice(0, 2), { actor: word, reason: word });
        await broker.purge(queue, dead.slice(2, 4), { actor: word, reason: word });
        await fail(3, true);
        await broker.enqueueMany(queue, inputs(3));
        const done = await claim(3);
        await broker.ack(
          queue,
          done.map(({ jobId, token }) => ({ jobId, token, result: word })),
        );
      }
    },
    async running() {
      clock.now = START;
      await broker.enqueueMany(queue, inputs(2));
      await claim(2);
      await broker.pause(queue, { scope: `tenant:${tenant}`, reason: word }, { actor: word });
      await broker.enqueueMany(queue, inputs(4));
      await claim(1);
    },
    async waiting() {
      await broker.enqueueMany(queue, inputs(3, { delayMs: 50_000 }));
      await broker.enqueueMany(queue, inputs(6));
    },
  };
}

/** Everything in it that is text, and what that is when it is only another way to write text. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    yield value;
    for (const part of value.split(/[^A-Za-z0-9_-]/)) yield Buffer.from(part, 'base64url').toString('latin1');
  } else if (value instanceof Error) yield* textsIn({ ...value, message: value.message });
  else if (typeof value === 'object' && value !== null)
    for (const [key, part] of Object.entries(value)) {
      yield key;
      yield* textsIn(part);
    }
}

/** Where pages go on is sealed, and tokens and ids are of chance: that there is one is all that can be compared. */
const RANDOM = new Set(['nextCursor', 'cursor', 'token', 'id', 'undoes', 'previewToken', 'operation']);
const comparable = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value instanceof Error ? { error: value.message } : value, (key, part: unknown) =>
      RANDOM.has(key) && typeof part === 'string' ? '…' : part,
    ).replace(/op-[0-9A-Zr]{20}/g, 'op-…'),
  );

/** What was asked for by name comes back by name: whose it is, or that it is, is not said by that. */
const withoutTyped = (value: unknown): unknown =>
  value instanceof Error
    ? value
    : JSON.parse(JSON.stringify(value), (key, part: unknown) => (TYPED.has(key) ? undefined : part));
const TYPED = new Set(['scope', 'skips', 'target']);

/** Asks both, and holds the answers against each other. */
async function same(ask: (world: World) => Promise<unknown>): Promise<void> {
  const asked = (world: World) => ask(world).catch((error: unknown) => error);
  const [told, wanted] = [await asked(both), await asked(alone)];
  for (const text of textsIn(withoutTyped(told))) expect(text).not.toContain(MARK);
  expect(comparable(told)).toEqual(comparable(wanted));
}

const QUERIES = [
  '',
  'type:type.*',
  `type:type.${NEARLY}*`,
  `tenant:${NEARLY}* OR tenant:${MINE}`,
  `-tenant:${MINE}`,
  'NOT tenant:nobody',
  `queue:only-${NEARLY}*`,
  `queue:${SHARED}`,
  NEARLY,
  '"the same"',
  'value',
  `payload.key-${MARK}:*`,
  'payload.n:>3',
  'code:SAME',
  'age:>1h attempts:>=1',
  'group:*',
  `key:key-${NEARLY}*`,
  'class:permanent',
  'tpye:x',
  'type:"a b"',
  '(((',
];

describe('a tenant is told nothing of the other', () => {
  it.each(JOB_STATES)('by lists and searches of %s jobs', async (state) => {
    for (const q of QUERIES) {
      await same(({ broker }) => broker.inspect.search({ state, q, within }, { limit: 7 }));
      await same(({ broker }) => broker.inspect.list(SHARED, { state, q, within, limit: 5 }));
      await same(({ broker }) => broker.inspect.list(OTHER, { state, q, within }));
      await same(({ broker }) => broker.inspect.facets({ state, q, within }));
      await same(async ({ broker }) => {
        const events: unknown[] = [];
        // Progress comes every 250 ms: how often depends on the machine, and the end has the same numbers.
        for await (const event of broker.inspect.searchStream({ state, q, within }, { limit: 9 }))
          if (!('progress' in event)) events.push(event);
        return events;
      });
    }
  });

  it.each(['ready', 'completed', 'dead'] as const)(
    'by where a search of %s jobs goes on that stopped at one of theirs',
    async (state) => {
      // The other's alone would match the rest, so what is looked at last is one of theirs.
      const q = state === 'dead' ? '"the same"' : 'payload.n:>=0';
      const seen: string[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < 500; page += 1) {
        const options = { limit: 3, budget: 1, cursor };
        const found = await both.broker.inspect.search({ state, q, within }, options);
        for (const text of textsIn(found)) expect(text).not.toContain(MARK);
        expect(found.scan.of).toBeLessThan(60);
        seen.push(...found.jobs.map(({ jobId }) => jobId));
        if (found.nextCursor === null) break;
        cursor = found.nextCursor;
      }
      const all = await both.broker.inspect.search({ state, q, within }, { limit: 500 });
      expect(seen).toEqual(all.jobs.map(({ jobId }) => jobId));
      expect(all.nextCursor).toBeNull();
    },
  );

  it('by a cursor that was changed, or is of somewhere else', async () => {
    const page = await both.broker.inspect.search({ state: 'ready', q: '', within }, { limit: 1 });
    const cursor = page.nextCursor ?? '';
    expect(cursor).toMatch(/^s\./);
    const changed = `${cursor.slice(0, -3)}${cursor.endsWith('AAA') ? 'BBB' : 'AAA'}`;
    for (const bad of [changed, 's.', 's.AAAA', `s.${'A'.repeat(80)}`])
      await expect(
        both.broker.inspect.search({ state: 'ready', q: '', within }, { cursor: bad }),
      ).rejects.toMatchObject({ code: 'BAD_CURSOR' });
    // Another process opens it, and so does a search of everything, should somebody be given more meanwhile.
    const other = both.another();
    for (const scope of [{ within }, {}])
      await expect(
        other.inspect.search({ state: 'ready', q: '', ...scope }, { cursor }),
      ).resolves.toMatchObject({ jobs: expect.any(Array) });
  });

  it('by failure groups, their numbers, or what they say', async () => {
    for (const q of QUERIES) await same(({ broker }) => broker.inspect.groups({ q, within }));
    const { groups } = await both.broker.inspect.groups({ q: '' });
    expect(groups.some(({ tenantCount }) => tenantCount > 1)).toBe(true);
    for (const { group } of groups) await same(({ broker }) => broker.inspect.group(group, within));
  });

  it('by what is suggested', async () => {
    const fields = ['type', 'tenant', 'queue', 'code', 'class', 'group', 'version', 'attempts', 'id'];
    const more = ['key', 'correlation', 'trace', 'operation', 'priority'];
    const typed = [...fields, ...more].flatMap((field) => [`${field}:`, `-tenant:${MINE} ${field}:`]);
    const paths = ['payload.', `payload.key-${MARK}:`, 'payload.n:', 'ty', NEARLY];
    for (const q of [...typed, ...paths])
      for (const state of ['dead', 'ready', 'completed'] as const)
        await same(({ broker }) => broker.inspect.suggest({ q, caret: q.length, state, within }));
  });

  it('by an export', async () => {
    const jobs = JOBS.map((jobId) => ({ queue: SHARED, jobId }));
    const elsewhere = JOBS.map((jobId) => ({ queue: OTHER, jobId }));
    for (const state of ['dead', 'completed', 'ready'] as const)
      for (const scope of [{ q: '' }, { q: NEARLY }, { jobs }, { jobs: elsewhere }])
        await same(async ({ broker }) => {
          const rows: unknown[] = [];
          const options = { at: START, cutoff: null, limit: 1_000 };
          for await (const row of broker.inspect.matching({ state, within, ...scope }, options))
            rows.push(row);
          return rows;
        });
  });
});

/** Of either, and of nobody. */
const JOBS = Array.from({ length: 12 }, (_, n) =>
  ['mine', MARK, 'nobody'].map((word) => `j${String(n).padStart(4, '0')}-${word}`),
).flat();
const MORE: Partial<Record<string, Partial<PreviewInput>>> = {
  move: { target: SHARED },
  edit: { patch: [{ op: 'add', path: '/x', value: 1 }] },
  reschedule: { dueAt: START + 1_000 },
};
const stateOf = (kind: (typeof OPERATION_KINDS)[number]): JobState => KIND_STATES[kind][0] ?? 'dead';

describe('an operation of a tenant tells nothing of the other', () => {
  it.each(OPERATION_KINDS)('by what a %s would do', async (kind) => {
    // Ids that are the other's, and ids that nobody has, are told alike.
    const jobs = JOBS.map((jobId) => ({ queue: SHARED, jobId }));
    const state = stateOf(kind);
    for (const scope of [{ q: '' }, { q: NEARLY }, { q: `-tenant:${MINE}` }, { jobs }])
      await same(({ broker }) =>
        broker.operations.preview({ kind, ...MORE[kind], scope: { state, within, ...scope } }, BY),
      );
  });

  it('by what became of it, or of its undoing', async () => {
    const jobs = JOBS.map((jobId) => ({ queue: SHARED, jobId }));
    const elsewhere = JOBS.map((jobId) => ({ queue: OTHER, jobId }));
    for (const scope of [{ q: 'code:SAME' }, { jobs: [...jobs, ...elsewhere] }])
      await same(async ({ broker }) => {
        const kind = 'suppress';
        const asked = { kind, scope: { state: 'dead', within, ...scope } } as const;
        const { token } = await broker.operations.preview(asked, BY);
        const started = await broker.operations.start({ previewToken: token, reason: 'a test' }, BY);
        const told: unknown[] = [started, await runToEnd(broker, started.id)];
        for (const outcome of OPERATION_OUTCOMES)
          told.push(await broker.operations.jobs(started.id, { outcome, limit: 200 }));
        const undo = await broker.operations.undo(started.id, { reason: 'a test' }, BY, within);
        told.push(undo, await runToEnd(broker, undo.id), await broker.operations.list(10));
        return told;
      });
  });
});
