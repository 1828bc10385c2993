/**
 * A long run of random commands on one queue, single or sharded, judged by what must hold whatever happened: the raw keys
 * (invariants.ts), what the client saw (history.ts), and the limits. At its end everything is let go, and nothing may be lost.
 */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { ClaimedJob } from '@/lib/broker';
import type { PauseScope } from '@/lib/contract/queues/pause-schemas';
import type { ConfigPatch } from '@/lib/contract/queues/queue-config';
import { BY, CRASH, failure, START, type World } from '../worlds/world';
import { Outboxes } from './change-records';
import { History } from './client-history';
import type { RawQueue } from './compare-ids';
import { readRaw, violations } from './invariants';

export interface InvariantRunOptions {
  runs: number;
  commands: number;
  seed?: number;
  /** Which limits are tried. Default all. */
  limits?: 'all' | 'queue';
  /** Physical names of the queue's shards, and where a job goes. */
  shardsOf?: (queue: string) => readonly string[];
  placeOf?: (queue: string, job: { jobId: string; tenantId: string }) => string;
  prepare?: (world: World, queue: string) => Promise<void>;
}

const TENANTS = ['t1', 't2', 't3', 't4', 't5'] as const;
const TYPES = ['mail', 'hook'] as const;
const LIMITS: readonly ConfigPatch[] = [
  { tenantLimit: null, tenantLimits: {} },
  { tenantLimit: { concurrency: 1 } },
  { tenantLimit: { concurrency: 3, rate: { perSecond: 2, burst: 3 } } },
  { tenantLimits: { t1: { rate: { perSecond: 1, burst: 1 } }, t2: {} } },
  { fair: 'tenant' },
  { fair: 'none' },
  { concurrency: 4 },
  { concurrency: null },
  { rate: { perSecond: 5, burst: 6 } },
  { rate: null },
];
const step = fc.record({
  what: fc.constantFrom(
    ...[
      'send',
      'send',
      'send',
      'claim',
      'claim',
      'claim',
      'exchange',
      'exchange',
      'ack',
      'ack',
      'fail',
      'release',
    ],
    ...[
      'extend',
      'reclaim',
      'reclaimWorker',
      'maintain',
      'pause',
      'resume',
      'resume',
      'limit',
      'limit',
      'triage',
    ],
    ...['triage', 'wait', 'wait', 'flush'],
  ),
  n: fc.nat({ max: 10_000 }),
  count: fc.integer({ min: 1, max: 12 }),
  ms: fc.constantFrom(1, 50, 400, 1_500, 16_000),
});
type Step = { what: string; n: number; count: number; ms: number };

/** @throws the first finding, with the seed that leads to it */
export async function runInvariants(
  world: World,
  options: InvariantRunOptions,
): Promise<{ commands: number }> {
  let commands = 0;
  const result = await fc.check(
    fc.asyncProperty(
      fc.array(step, { minLength: options.commands, maxLength: options.commands }),
      async (steps) => {
        await world.redis.flushdb();
        world.clock.now = START;
        const run = new Run(world, world.freshQueue(), options);
        await options.prepare?.(world, run.queue);
        for (const one of steps) {
          await run.take(one);
          commands += 1;
        }
        await run.settle();
      },
    ),
    // A course this long is not shortened: the seed leads back to it.
    {
      numRuns: options.runs,
      endOnFailure: true,
      ...(options.seed === undefined ? {} : { seed: options.seed }),
    },
  );
  // The commands themselves would fill pages: the seed leads back to them.
  if (result.failed)
    throw new Error(
      `with seed ${result.seed}, after ${result.numRuns} runs: ${result.errorInstance instanceof Error ? result.errorInstance.message : 'interrupted'}`,
      { cause: result.errorInstance },
    );
  return { commands };
}

class Run {
  readonly history = new History();
  readonly claims: ClaimedJob[] = [];
  readonly paused = new Map<string, number>();
  readonly limits = new Map<
    string,
    {
      most: number | null;
      tokens: number;
      perSecond: number;
      since: number;
      taken: number;
      before: ReadonlySet<string>;
    }
  >();
  readonly #outboxes = new Outboxes();
  /** What a person has just done to jobs: the verb, and to how many. */
  #done: { readonly action: string; readonly jobs: number } | null = null;
  #sent = 0;
  #entered = 0;

  constructor(
    readonly world: World,
    readonly queue: string,
    readonly options: InvariantRunOptions,
  ) {}

  get shards(): readonly string[] {
    return this.options.shardsOf?.(this.queue) ?? [this.queue];
  }
  get #limits() {
    const all = this.options.limits !== 'queue';
    return LIMITS.filter((patch) => all || 'rate' in patch || 'concurrency' in patch);
  }
  get broker() {
    return this.world.broker;
  }
  get now() {
    return this.world.clock.now;
  }

  async take(one: Step): Promise<void> {
    await this.#do(one);
    for (const shard of this.shards) {
      const raw = await readRaw(this.world.redis, this.world.keys, shard);
      expect([...violations(raw), ...sharedKeys(raw)], `${shard} after ${one.what}`).toEqual([]);
    }
    await this.#recorded(one.what);
  }

  /** 24: a record a shard of what was done to its jobs, together as many as were changed; of jobs nothing else leaves any. */
  async #recorded(what: string): Promise<void> {
    const { action, jobs } = this.#done ?? { action: 'nothing', jobs: 0 };
    this.#done = null;
    let sum = 0;
    for (const shard of this.shards) {
      const fresh = await this.#outboxes.fresh(this.world, shard);
      const about = fresh.filter((words) => words.startsWith('job.')).map((words) => words.split(' '));
      expect(about.length, `24: records of ${shard} after ${what}`).toBeLessThanOrEqual(1);
      for (const [name, count] of about) {
        expect(name, `24: the record of ${shard} after ${what}`).toBe(action);
        sum += Number(count);
      }
    }
    expect(sum, `24: jobs in the records after ${what}`).toBe(jobs);
  }

  async #do({ what, n, count, ms }: Step): Promise<void> {
    const refs = this.#some(n, count);
    switch (what) {
      case 'send':
        return this.#send(n, count);
      case 'claim':
        return this.#claimed(
          await this.broker.claim(this.queue, { worker: `w${n % 3}`, count, leaseMs: 10_000 }),
        );
      case 'exchange': {
        const { acked, claimed } = await this.broker.exchange(this.queue, refs, {
          worker: `w${n % 3}`,
          count,
          leaseMs: 10_000,
        });
        this.#acked(refs, acked);
        return this.#claimed(claimed);
      }
      case 'ack':
        return this.#acked(refs, await this.broker.ack(this.queue, refs));
      case 'fail':
        return this.#fail(refs, n);
      case 'release': {
        const expected = refs.map((ref) => this.history.holds(ref));
        const outcomes = await this.broker.release(
          this.queue,
          refs.map((ref) => ({ ...ref, delayMs: n % 5 ? 0 : 700 })),
        );
        refs.forEach(({ jobId }, i) => {
          expect(outcomes[i] === 'released', `4: release of ${jobId}`).toBe(expected[i]);
          if (expected[i]) this.history.let(jobId);
        });
        return;
      }
      case 'extend': {
        const outcomes = await this.broker.extend(this.queue, refs, 10_000);
        refs.forEach((ref, i) => {
          expect(outcomes[i] === 'extended', `4: extend of ${ref.jobId}`).toBe(this.history.holds(ref));
        });
        return;
      }
      case 'reclaim':
        await this.broker.reclaim(this.queue);
        return this.#forgetLost();
      case 'reclaimWorker':
        await this.broker.reclaimWorker(this.queue, `w${n % 3}`, CRASH);
        return this.#forgetLost();
      case 'maintain':
        await this.broker.maintain(this.queue);
        return this.#forgetLost();
      case 'pause':
        return this.#pause(n);
      case 'resume': {
        const [scope] = [...this.paused.keys()].slice(n % Math.max(1, this.paused.size));
        if (scope === undefined) return;
        await this.broker.resume(this.queue, scope as PauseScope, BY);
        this.paused.delete(scope);
        return;
      }
      case 'limit':
        return this.#limit(this.#limits[n % this.#limits.length] ?? {});
      case 'triage':
        return this.#triage(n);
      case 'wait':
        this.world.clock.now += ms;
        return;
      default:
        await this.world.redis.script('FLUSH');
    }
  }

  async #send(n: number, count: number): Promise<void> {
    const inputs = Array.from({ length: count }, (_, i) => {
      const place = this.#sent++;
      return {
        jobId: `j${place}`,
        tenantId: TENANTS[(n * (i + 1)) % TENANTS.length] ?? 't1',
        jobType: TYPES[(n >> 3) % TYPES.length] ?? 'mail',
        priority: (n + i) % 4 === 0 ? 5 : 0,
        maxAttempts: 3 + (n % 3),
        payload: `p${place}\0ÿ`,
        ...(n % 7 === 0 ? { delayMs: 900 } : {}),
        // Long enough never to run out here.
        ...(n % 5 === 0
          ? { unique: { key: `k${(n + i) % 3}`, scope: 'done' as const, ttlMs: 30 * 86_400_000 } }
          : {}),
      };
    });
    const results = await this.broker.enqueueMany(this.queue, inputs);
    inputs.forEach((input, i) => {
      const outcome = results[i]?.outcome;
      if (outcome === 'not-unique' && 'unique' in input) return;
      if (outcome !== 'ready' && outcome !== 'scheduled')
        throw new Error(`${input.jobId} came back as ${outcome}`);
      this.#entered += 1;
      this.history.sent({
        ...input,
        payload: Buffer.from(input.payload).toString('latin1'),
        dueAt: 'delayMs' in input ? this.now + 900 : 0,
        place: Number(input.jobId.slice(1)),
        shard: this.options.placeOf?.(this.queue, input) ?? this.queue,
      });
    });
  }

  #claimed({ jobs }: { jobs: readonly ClaimedJob[] }): void {
    const scopes = new Set(
      [...this.paused].filter(([, until]) => until === 0 || until > this.now).map(([scope]) => scope),
    );
    for (const job of jobs) {
      this.history.claimed(job, this.now, scopes);
      this.claims.push(job);
    }
    this.#withinLimits(jobs);
  }

  /** 19: what one claim handed out never brings anyone over a limit in force. */
  #withinLimits(jobs: readonly ClaimedJob[]): void {
    const held = new Map<string, number>();
    for (const life of this.history.jobs.values())
      if (life.token) for (const who of ['queue', life.tenantId]) held.set(who, (held.get(who) ?? 0) + 1);
    for (const [who, limit] of this.limits) {
      const got = who === 'queue' ? jobs.length : jobs.filter((job) => job.envelope.tenantId === who).length;
      if (got === 0) continue;
      // A limit lowered over several shards: one that is above its share does not stop another that is below.
      const before =
        this.shards.length > 1
          ? [...limit.before].filter((id) => this.history.jobs.get(id)?.token).length
          : 0;
      if (limit.most !== null && (held.get(who) ?? 0) > limit.most + before)
        throw new Error(`19: ${who} holds ${held.get(who)} of at most ${limit.most}`);
      limit.taken += got;
      const allowed = limit.tokens + ((this.now - limit.since) * limit.perSecond) / 1_000;
      if (limit.taken > allowed + 1e-3)
        throw new Error(`19: ${who} took ${limit.taken} where ${allowed} are allowed`);
    }
  }

  #acked(refs: readonly ClaimedJob[], outcomes: readonly string[]): void {
    refs.forEach((ref, i) => {
      expect(outcomes[i] === 'completed', `4: ack of ${ref.jobId}: ${outcomes[i]}`).toBe(
        this.history.holds(ref),
      );
      if (outcomes[i] === 'completed') this.history.completed(ref.jobId);
    });
  }

  async #fail(refs: readonly ClaimedJob[], n: number): Promise<void> {
    const why = n % 4 === 0 ? failure() : { ...failure('HTTP_503', 'retryable'), retryInMs: n % 900 };
    const outcomes = await this.broker.fail(
      this.queue,
      refs.map((ref) => ({ ...ref, failure: why })),
    );
    refs.forEach((ref, i) => {
      const counted = outcomes[i] === 'retry' || outcomes[i] === 'dead';
      expect(counted, `4: fail of ${ref.jobId}: ${outcomes[i]}`).toBe(this.history.holds(ref));
      if (counted) this.history.let(ref.jobId);
    });
  }

  /** After a reclaim: who holds what is read from Redis; a claim that vanished may only have been taken back. */
  async #forgetLost(): Promise<void> {
    const live = new Map<string, string>();
    for (const shard of this.shards)
      for (const [id, row] of (await readRaw(this.world.redis, this.world.keys, shard)).hash('claims'))
        live.set(id, row.split(' ')[0] ?? '');
    for (const [id, life] of this.history.jobs) {
      if (life.token && live.get(id) !== life.token) this.history.let(id);
    }
  }

  async #pause(n: number): Promise<void> {
    const scope = (['queue', 'tenant:t1', 'tenant:t2', 'type:mail'] as const)[n % 4] ?? 'queue';
    const forMs = n % 3 === 0 ? 1_200 : undefined;
    await this.broker.pause(this.queue, { scope, reason: 'a test', forMs }, BY);
    this.paused.set(scope, forMs === undefined ? 0 : this.now + forMs);
  }

  async #limit(patch: ConfigPatch): Promise<void> {
    // What is shared out over shards must be at least one each.
    const { config } = await this.broker.config.change(this.queue, patch, BY);
    this.limits.clear();
    const before = new Set(
      [...this.history.jobs.values()].flatMap((life) => (life.token ? [life.jobId] : [])),
    );
    const note = (who: string, most: number | null, rate: { perSecond: number; burst: number } | null) => {
      const tokens = rate ? rate.burst : Number.POSITIVE_INFINITY;
      this.limits.set(who, {
        most,
        tokens,
        perSecond: rate?.perSecond ?? 0,
        since: this.now,
        taken: 0,
        before,
      });
    };
    note('queue', config.concurrency, config.rate);
    for (const tenant of TENANTS) {
      const limit = config.tenantLimits[tenant] ?? config.tenantLimit;
      if (limit) note(tenant, limit.concurrency, limit.rate);
    }
  }

  async #triage(n: number): Promise<void> {
    const verbs = [
      'redrive',
      'redrive',
      'cancel',
      'purge',
      'restore',
      'remove',
      'promote',
      'suppress',
    ] as const;
    const verb = verbs[n % verbs.length] ?? 'redrive';
    const known = [...this.history.jobs.keys()];
    const picked = [
      ...new Set([0, 1, 2, 3].flatMap((i) => known[(n * (i + 7)) % Math.max(1, known.length)] ?? [])),
    ];
    const outcomes = await this.broker[verb](this.queue, picked, BY);
    this.#done = {
      action: `job.${verb}`,
      jobs: outcomes.filter((outcome) => outcome === 'ok').length,
    };
    picked.forEach((id, i) => {
      if (outcomes[i] !== 'ok') return;
      if (verb === 'remove') this.history.gone(id);
      else this.history.let(id);
    });
  }

  /** Some claims to speak of: mostly fresh ones, sometimes one long over. */
  #some(n: number, count: number): ClaimedJob[] {
    const recent = n % 4 === 0 ? this.claims : this.claims.slice(-15);
    const picked = Array.from(
      { length: Math.min(count, 5) },
      (_, i) => recent[(n * (i + 3)) % Math.max(1, recent.length)],
    );
    return [...new Map(picked.flatMap((job) => (job ? [[job.jobId, job] as const] : []))).values()];
  }

  /** 25, 26 and "lost": with every fault and limit gone the backlog reaches 0, and each job sent has ended once. */
  async settle(): Promise<void> {
    for (const scope of this.paused.keys()) await this.broker.resume(this.queue, scope as PauseScope, BY);
    this.paused.clear();
    const lift: ConfigPatch = { rate: null, concurrency: null };
    await this.#limit(
      this.options.limits === 'queue' ? lift : { ...lift, tenantLimit: null, tenantLimits: {} },
    );
    for (let idle = 0; idle < 5; ) {
      this.world.clock.now += 20_000;
      await this.broker.maintain(this.queue);
      await this.#forgetLost();
      const { jobs } = await this.broker.claim(this.queue, { worker: 'last', count: 100, leaseMs: 10_000 });
      this.#claimed({ jobs });
      if (jobs.length > 0) this.#acked(jobs, await this.broker.ack(this.queue, jobs));
      idle = jobs.length === 0 ? idle + 1 : 0;
    }
    const raws = await Promise.all(
      this.shards.map((shard) => readRaw(this.world.redis, this.world.keys, shard)),
    );
    for (const raw of raws) {
      expect(violations(raw)).toEqual([]);
      for (const state of ['ready', 'in-flight', 'scheduled', 'retry', 'held'])
        expect(raw.states.get(state)?.size, `25: ${state} at the end`).toBe(0);
      for (const column of ['running', 'throttled', 'heldBy', 'claims'] as const)
        expect(raw.zset(column).size, `26: ${column} at the end`).toBe(0);
    }
    const sum = (field: string) => raws.reduce((total, raw) => total + raw.counter(field), 0);
    expect(sum('enqueued'), 'lost: jobs that never arrived').toBe(this.#entered);
    const completions = [...this.history.jobs.values()].filter((life) => life.completions > 0).length;
    expect(sum('completed'), '6: completions').toBe(completions);
    const [shown] = await this.broker.inspect.snapshot([this.queue]);
    expect(shown?.ledger.difference, '2: the ledger').toBe(0);
    expect(shown?.totals.completed, '3: what is shown').toBe(completions);
  }
}

/** 18: of the jobs still to be done, no two have the same key. */
function sharedKeys(raw: RawQueue): string[] {
  const owners = new Map<string, string>();
  const found: string[] = [];
  for (const state of ['ready', 'in-flight', 'scheduled', 'retry', 'held'])
    for (const id of raw.states.get(state)?.keys() ?? []) {
      const key = raw
        .hash('jobs')
        .get(id)
        ?.split('\n', 1)[0]
        ?.match(/ u=d:\d+:(\S+)$/)?.[1];
      if (key === undefined) continue;
      if (owners.has(key)) found.push(`18: ${owners.get(key)} and ${id} both have ${key}`);
      owners.set(key, id);
    }
  return found;
}
