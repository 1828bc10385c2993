/** The commands of the model-based test: each does one thing to the broker and to the model, and compares the answers. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { ClaimResult } from '@/lib/broker';
import { fingerprint } from '@/lib/broker/jobs/failure-fingerprint';
import { startOperation as begin, runToEnd } from '../worlds/operation-runs';
import { BY, CRASH, type World } from '../worlds/world';
import type { BrokerModel, ModelJob, ModelLimits, ModelSpec, Ref } from './broker-model';
import { Records } from './change-records';
import { checkAgainstModel } from './model-check';

/** What the client side remembers: every claim it was ever given, and those it still means to finish. */
export interface Real {
  readonly world: World;
  readonly queue: string;
  readonly issued: Ref[];
  readonly tokens: Set<string>;
  readonly operations: {
    id: string;
    expected: number;
    cutoff: number;
    since: number;
    terms: Record<string, string>;
    kind: 'redrive' | 'purge';
    open: boolean;
  }[];
  readonly records: Records;
  executed: number;
}
export type ModelCommand = fc.AsyncCommand<BrokerModel, Real>;

export const newReal = (world: World): Real => ({
  world,
  queue: world.freshQueue(),
  issued: [],
  tokens: new Set(),
  operations: [],
  records: new Records(),
  executed: 0,
});

function command(name: string, run: (model: BrokerModel, real: Real) => Promise<void>): ModelCommand {
  return {
    check: () => true,
    run: async (model, real) => {
      await run(model, real);
      real.executed += 1;
      await checkAgainstModel(model, real.world, real.queue);
      await real.records.check(real.world, real.queue);
    },
    toString: () => name,
  };
}

const MESSAGE = 'it broke';
const STACK = 'at here';
const PRINT = fingerprint(MESSAGE, STACK);
const WORKERS = ['w1', 'w2', 'w3'] as const;
const worker = fc.constantFrom(...WORKERS);
const tenant = fc.constantFrom('t1', 't2', 't3');
const type = fc.constantFrom('mail', 'hook');
const scope = fc.oneof(
  fc.constant('queue' as const),
  tenant.map((name) => `tenant:${name}` as const),
  type.map((name) => `type:${name}` as const),
);
const leaseMs = fc.constantFrom(1_000, 15_000, 60_000);
const pick = fc.nat({ max: 1_000 });
const picks = fc.array(pick, { minLength: 1, maxLength: 4 });

const spec = fc.record({
  jobId: fc.nat({ max: 25 }).map((n) => `j${n}`),
  jobType: type,
  tenantId: tenant,
  priority: fc.constantFrom(0, 0, 0, 5, -7, 1_000),
  maxAttempts: fc.constantFrom(1, 2, 4, 8),
  /** Relative to the moment of the call. */
  deadlineIn: fc.constantFrom(undefined, undefined, undefined, 500, 20_000),
  delayMs: fc.constantFrom(0, 0, 0, 1, 1_000, 30_000),
  payload: fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
  unique: fc.option(
    fc.record({
      key: fc.constantFrom('k1', 'k2', 'k3'),
      scope: fc.constantFrom('claimed', 'done', 'done', 'window'),
      ttlMs: fc.constantFrom(3_000, 60_000, 3_000_000),
    }),
    { nil: undefined, freq: 3 },
  ),
  critical: fc.constantFrom(true, true, false),
});

const enqueue = fc.array(spec, { minLength: 1, maxLength: 6 }).map((batch) =>
  command(
    `enqueue(${batch.map((one) => JSON.stringify({ ...one, payload: one.payload.toString('hex') })).join(', ')})`,
    async (model, real) => {
      const specs: ModelSpec[] = batch.map(({ deadlineIn, ...rest }) => ({
        ...rest,
        ...(deadlineIn === undefined ? {} : { deadline: model.now + deadlineIn }),
      }));
      await send(model, real, specs);
    },
  ),
);

/** Under ids that the broker makes: the usual way in, which has a script of its own. */
const enqueueNew = fc.array(spec, { minLength: 1, maxLength: 6 }).map((batch) =>
  command(`enqueueNew(${batch.length})`, async (model, real) => {
    const inputs = batch.map(({ jobType, tenantId, priority, maxAttempts, payload }) => ({
      jobType,
      tenantId,
      priority,
      maxAttempts,
      payload,
    }));
    const results = await real.world.broker.enqueueMany(real.queue, inputs);
    const specs = inputs.map((input, i) => ({ ...input, jobId: results[i]?.jobId ?? '', critical: true }));
    expect(results.map((result) => result.outcome)).toEqual(model.enqueue(specs));
  }),
);

async function send(model: BrokerModel, real: Real, specs: ModelSpec[]): Promise<void> {
  const results = await real.world.broker.enqueueMany(real.queue, specs);
  expect(results.map((result) => result.outcome)).toEqual(model.enqueue(specs));
}

/** The reply was lost: the producer sends the same again, and later, whatever became of the job. */
const resend = picks.map((which) =>
  command(`resend(${which})`, (model, real) =>
    send(
      model,
      real,
      which.flatMap((n) => chosen([...model.jobs.values()], n)).map((job) => job.spec),
    ),
  ),
);
const conflict = pick.map((n) =>
  command(`conflict(${n})`, (model, real) =>
    send(
      model,
      real,
      chosen([...model.jobs.values()], n).map(({ spec: old }) => ({
        ...old,
        payload: Buffer.from('something else entirely'),
      })),
    ),
  ),
);

const claim = fc.record({ count: fc.integer({ min: 1, max: 8 }), worker, leaseMs }).map((options) =>
  command(`claim(${JSON.stringify(options)})`, async (model, real) => {
    const result = await real.world.broker.claim(real.queue, options);
    const expected = model.claim(options.count);
    expect({ paused: result.paused, nextAt: result.nextAt }).toEqual({
      paused: expected.paused,
      nextAt: expected.nextAt,
    });
    compareClaims(model, real, options, result, expected.jobs);
  }),
);

/** 9 and 10: exactly the expected jobs, in this order. 14 and 22: with the very bytes they came with. */
function compareClaims(
  model: BrokerModel,
  real: Real,
  options: { worker: string; leaseMs: number },
  result: ClaimResult,
  wanted: readonly ModelJob[],
): void {
  expect(result.jobs.map((job) => job.jobId)).toEqual(wanted.map((job) => job.spec.jobId));
  result.jobs.forEach((job, i) => {
    const known = wanted[i];
    if (!known) throw new Error('unreachable: the lengths are equal');
    expect(job.payload.equals(known.spec.payload)).toBe(true);
    expect([job.attempt, job.delivery, job.envelope.jobType, job.envelope.tenantId]).toEqual([
      known.attempt,
      known.deliveries,
      known.spec.jobType,
      known.spec.tenantId,
    ]);
    const claimed = `${job.jobId} ${job.token}`;
    expect(real.tokens.has(claimed), `4: the claim ${claimed} was given out before`).toBe(false);
    // 7 and 11, said without the model's own bookkeeping.
    expect(known.due, `7: ${job.jobId} came before its time`).toBeLessThanOrEqual(model.now);
    for (const paused of ['queue', `tenant:${job.envelope.tenantId}`, `type:${job.envelope.jobType}`])
      expect(model.pauses.has(paused), `11: ${job.jobId} was handed out though ${paused} is paused`).toBe(
        false,
      );
    real.tokens.add(claimed);
    real.issued.push({ jobId: job.jobId, token: job.token });
    known.claim = {
      token: job.token,
      worker: options.worker,
      claimedAt: result.now,
      leaseUntil: result.now + options.leaseMs,
    };
  });
}

/** Claims to name in a call: mostly the latest, sometimes one long over, sometimes one that never was. */
const refsOf = (real: Real, which: readonly number[]): Ref[] => {
  const refs = which.flatMap((n) => {
    if (n % 17 === 16) return [{ jobId: real.issued.at(-1)?.jobId ?? 'j0', token: '1-0000000000000000' }];
    const recent = n % 3 === 0 ? real.issued : real.issued.slice(-8);
    return chosen(recent, n);
  });
  return [...new Map(refs.map((ref) => [ref.jobId, ref])).values()];
};
const onClaims = (name: string, act: (model: BrokerModel, real: Real, refs: Ref[]) => Promise<void>) =>
  picks.map((which) => command(`${name}(${which})`, (model, real) => act(model, real, refsOf(real, which))));

const ack = onClaims('ack', async (model, real, refs) => {
  const outcomes = await real.world.broker.ack(
    real.queue,
    refs.map((ref) => ({ ...ref, result: 'done' })),
  );
  expect(outcomes).toEqual(model.ack(refs));
});
const extend = onClaims('extend', async (model, real, refs) => {
  expect(await real.world.broker.extend(real.queue, refs, 20_000)).toEqual(
    refs.map((ref) => model.extend(ref, 20_000)),
  );
});
/** What a busy worker does: acks and a claim in one call, answered as one after the other. */
const exchange = fc
  .record({ which: picks, count: fc.integer({ min: 1, max: 8 }), worker, leaseMs })
  .map(({ which, ...options }) =>
    command(`exchange(${which}, ${JSON.stringify(options)})`, async (model, real) => {
      const refs = refsOf(real, which);
      const { acked, claimed } = await real.world.broker.exchange(
        real.queue,
        refs.map((ref) => ({ ...ref, result: 'done' })),
        options,
      );
      expect(acked).toEqual(model.ack(refs));
      const expected = model.claim(options.count);
      expect([claimed.paused, claimed.nextAt]).toEqual([expected.paused, expected.nextAt]);
      compareClaims(model, real, options, claimed, expected.jobs);
    }),
  );
const release = fc.constantFrom(0, 0, 2_000).chain((delayMs) =>
  onClaims(`release ${delayMs}`, async (model, real, refs) => {
    expect(
      await real.world.broker.release(
        real.queue,
        refs.map((ref) => ({ ...ref, delayMs })),
      ),
    ).toEqual(refs.map((ref) => model.release(ref, delayMs)));
  }),
);
const limit = fc
  .oneof(
    fc.record<Partial<ModelLimits>>({ concurrency: fc.constantFrom(null, null, 1, 4) }),
    fc.record<Partial<ModelLimits>>({
      rate: fc.constantFrom(null, null, { perSecond: 1, burst: 2 }, { perSecond: 0.3, burst: 5 }),
    }),
    fc.record<Partial<ModelLimits>>({
      depthLimit: fc.constantFrom(null, null, 5, 12),
      shedAtPercent: fc.constantFrom(null, 50),
    }),
    fc.record<Partial<ModelLimits>>({ fair: fc.boolean() }),
  )
  .map((patch) =>
    command(`configure(${JSON.stringify(patch)})`, async (model, real) => {
      const { fair, ...rest } = patch;
      const fairness = fair === undefined ? {} : { fair: fair ? ('tenant' as const) : ('none' as const) };
      await real.world.broker.config.change(real.queue, { ...rest, ...fairness }, BY);
      model.configure(patch);
      real.records.means('queue.config');
    }),
  );
const drain = fc.boolean().map((draining) =>
  command(`drain(${draining})`, async (model, real) => {
    await real.world.broker.drain(real.queue, { draining, reason: 'a test' }, BY);
    // Draining what drains names another reason; ending what is not changes nothing.
    if (draining || model.draining) real.records.means(draining ? 'queue.drain' : 'queue.undrain');
    model.draining = draining;
  }),
);
const fail = fc
  .record({
    which: picks,
    delayMs: fc.constantFrom(0, 5, 2_000, 40_000),
    errorClass: fc.constantFrom('retryable', 'retryable', 'rate-limited', 'permanent', 'malformed'),
    errorCode: fc.constantFrom('HTTP_503', 'BAD'),
  })
  .map(({ which, delayMs, errorClass, errorCode }) =>
    command(`fail(${which}, ${errorClass} ${errorCode}, ${delayMs})`, async (model, real) => {
      const refs = refsOf(real, which);
      const failure = {
        errorClass,
        errorCode,
        message: MESSAGE,
        stack: STACK,
        retryInMs: delayMs,
      } as const;
      const again = errorClass === 'retryable' || errorClass === 'rate-limited';
      const outcomes = await real.world.broker.fail(
        real.queue,
        refs.map((ref) => ({
          ...ref,
          failure: { ...failure, errorClass: failure.errorClass as 'retryable' },
        })),
      );
      expect(outcomes).toEqual(
        refs.map((ref) => model.fail(ref, again ? delayMs : null, errorClass, errorCode, PRINT)),
      );
    }),
  );

const reclaim = fc.constant(
  command('reclaim', async (model, real) => {
    expect(await real.world.broker.reclaim(real.queue)).toEqual(model.reclaim());
  }),
);
const reclaimWorker = worker.map((name) =>
  command(`reclaimWorker(${name})`, async (model, real) => {
    const got = await real.world.broker.reclaimWorker(real.queue, name, CRASH);
    const expected = model.reclaimWorker(name, CRASH.errorCode);
    expect({ ...got, jobIds: [...got.jobIds].sort() }).toEqual({
      ...expected,
      jobIds: [...expected.jobIds].sort(),
    });
  }),
);
/** A worker that dies without a word: nobody will finish what it held. Only its lease says so. */
const crash = worker.map((name) =>
  command(`crash(${name})`, async (model, real) => {
    const gone = new Set(
      model.in('in-flight').flatMap((job) => (job.claim?.worker === name ? [job.claim.token] : [])),
    );
    const left = real.issued.filter((ref) => !gone.has(ref.token));
    real.issued.splice(0, real.issued.length, ...left);
  }),
);
const maintain = fc.constant(
  command('maintain', async (model, real) => {
    expect(await real.world.broker.maintain(real.queue)).toEqual(model.maintain());
  }),
);

const pause = fc
  .record({ scope, forMs: fc.constantFrom(undefined, 1_000, 20_000) })
  .map(({ scope: name, forMs }) =>
    command(`pause(${name}, ${forMs})`, async (model, real) => {
      await real.world.broker.pause(real.queue, { scope: name, reason: 'a test', forMs }, BY);
      model.pause(name, forMs);
      real.records.means('queue.pause');
    }),
  );
const resume = scope.map((name) =>
  command(`resume(${name})`, async (model, real) => {
    const resumed = model.resume(name);
    expect(await real.world.broker.resume(real.queue, name, BY)).toBe(resumed);
    if (resumed) real.records.means('queue.resume');
  }),
);

const TRIAGE = ['cancel', 'promote', 'redrive', 'suppress', 'purge', 'restore', 'remove'] as const;
const triage = fc.record({ verb: fc.constantFrom(...TRIAGE), which: picks }).map(({ verb, which }) =>
  command(`${verb}(${which})`, async (model, real) => {
    const known = [...model.jobs.keys()];
    const jobIds = [
      ...new Set(
        which.map((n) => (n % 23 === 22 ? 'nobody' : (known[n % Math.max(1, known.length)] ?? 'nobody'))),
      ),
    ];
    const outcomes = jobIds.map((id) => model[verb](id));
    expect(await real.world.broker[verb](real.queue, jobIds, BY)).toEqual(outcomes);
    real.records.means(`job.${verb}`, okIn(outcomes));
  }),
);

/** Dead jobs put back by an operation, as its mover leaves them: what becomes of each is told to it. */
const drive = fc.record({ which: picks, op: fc.constantFrom('op-1', 'op-2') }).map(({ which, op }) =>
  command(`drive(${which} by ${op})`, async (model, real) => {
    const { world, queue } = real;
    const dead = model.in('dead').map((job) => job.spec.jobId);
    const jobIds = [...new Set(which.flatMap((n) => dead[n % Math.max(1, dead.length)] ?? []))];
    const outcomes = await world.broker.redrive(queue, jobIds, BY);
    expect(outcomes).toEqual(jobIds.map((id) => model.redrive(id, op)));
    real.records.means('job.redrive', okIn(outcomes));
    await world.redis.hset(world.column(queue, 'operations'), op, 'running');
    for (const [i, id] of jobIds.entries())
      if (outcomes[i] === 'ok') await world.redis.hset(world.column(queue, 'redriven'), id, op);
  }),
);

const startOperation = fc
  .record({
    kind: fc.constantFrom('redrive', 'purge'),
    facet: fc.constantFrom(
      {},
      {},
      { tenant: 't1' },
      { type: 'mail' },
      { class: 'crash' },
      { code: 'BAD', type: 'hook' },
    ),
    maxAgeMs: fc.constantFrom(undefined, 60_000),
  })
  .map(({ kind, facet, maxAgeMs }) =>
    command(`startOperation(${kind} ${JSON.stringify(facet)} ${maxAgeMs})`, async (model, real) => {
      const terms = facet as Record<string, string>;
      const q = [
        ...Object.entries(terms).map(([field, value]) => `${field}:${value}`),
        ...(maxAgeMs === undefined ? [] : [`age:<=${maxAgeMs / 1_000}s`]),
      ].join(' ');
      const { broker } = real.world;
      const wanted = { kind: kind as 'redrive', queue: real.queue, q, includeUnsafe: true };
      const started = await begin(broker, wanted);
      const since = maxAgeMs === undefined ? 0 : model.now - maxAgeMs;
      expect(started.expected).toBe(model.deadMatching(terms, since, model.now).length);
      real.operations.push({
        id: started.id,
        kind: kind as 'redrive',
        expected: started.expected,
        cutoff: model.now,
        since,
        terms,
        open: true,
      });
      // Whatever dies from here on died after it.
      real.world.clock.now += 1;
    }),
  );
/** Runs some time after its start: what changed state since, or died after it, is left alone. */
const stepOperation = pick.map((n) =>
  command(`stepOperation(${n})`, async (model, real) => {
    for (const operation of chosen(real.operations, n)) {
      const after = await runToEnd(real.world.broker, operation.id);
      if (!operation.open) continue;
      operation.open = false;
      const verb = operation.kind;
      // A queue without a match at its confirmation is none of its places.
      const matching =
        operation.expected === 0
          ? []
          : model.deadMatching(operation.terms, operation.since, operation.cutoff);
      const outcomes = matching.map((job) => model[verb](job.spec.jobId, operation.id));
      expect(after.moved).toBe(okIn(outcomes));
      // And those that had left before their turn came are accounted for.
      const refused = outcomes.filter((outcome) => outcome !== 'ok').length;
      expect(after.skipped).toBe(Math.max(refused, operation.expected - after.moved));
      const { changed = 0, ...refusals } = after.skips;
      expect(Object.values(refusals).reduce((sum, n) => sum + n, 0)).toBe(refused);
      expect(refused + changed).toBe(after.skipped);
      expect(after.status).toBe('completed');
      // Where it met nothing there is nothing to tell.
      if (outcomes.length > 0) real.records.means(`operation.end ${after.moved}`);
    }
  }),
);
const cancelOperation = pick.map((n) =>
  command(`cancelOperation(${n})`, async (_, real) => {
    for (const operation of chosen(real.operations, n).filter(({ open }) => open)) {
      await real.world.broker.operations.act(operation.id, 'cancel', BY, 'a test');
      operation.open = false;
      if (operation.expected > 0) real.records.means('operation.end 0');
    }
  }),
);

const advanceClock = fc.constantFrom(0, 1, 50, 1_000, 5_000, 16_000, 61_000, 1_900_000, 3_600_001).map((ms) =>
  command(`advanceClock(${ms})`, async (_, real) => {
    real.world.clock.now += ms;
  }),
);
const scriptFlush = fc.constant(
  command('scriptFlush', async (_, real) => {
    await real.world.redis.script('FLUSH');
  }),
);

const okIn = (outcomes: readonly string[]): number => outcomes.filter((outcome) => outcome === 'ok').length;

function chosen<T>(list: readonly T[], n: number): T[] {
  const item = list[n % Math.max(1, list.length)];
  return item === undefined ? [] : [item];
}

const WEIGHTED: [number, fc.Arbitrary<ModelCommand>][] = [
  [6, enqueue],
  [4, enqueueNew],
  [2, resend],
  [1, conflict],
  [10, claim],
  [6, ack],
  [5, exchange],
  [4, limit],
  [1, drain],
  [2, extend],
  [5, fail],
  [3, release],
  [2, reclaim],
  [2, reclaimWorker],
  [1, crash],
  [3, maintain],
  [3, pause],
  [3, resume],
  [8, triage],
  [4, drive],
  [2, startOperation],
  [3, stepOperation],
  [1, cancelOperation],
  [6, advanceClock],
  [1, scriptFlush],
];
export const commandArbitraries: fc.Arbitrary<ModelCommand>[] = WEIGHTED.flatMap(([weight, arbitrary]) =>
  Array.from({ length: weight }, () => arbitrary),
);
