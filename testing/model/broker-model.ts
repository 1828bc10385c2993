/**
 * What the broker promises, as a plain program without Redis: the reference the model-based test holds it against.
 * Time is passed in, order is an integer, and nothing here knows a key.
 */
import type { JobState } from '@/lib/contract/jobs/job-states';

export const MODEL_CONFIG = {
  completedKeep: 6,
  maxDeliveries: 3,
  trashGraceMs: 3_600_000,
  resendWindowMs: 60_000,
} as const;

export interface ModelSpec {
  jobId: string;
  jobType: string;
  tenantId: string;
  priority: number;
  maxAttempts: number;
  deadline?: number;
  delayMs?: number;
  payload: Buffer<ArrayBuffer>;
  unique?: { key: string; scope: 'claimed' | 'done' | 'window'; ttlMs: number };
  critical?: boolean;
}
export interface ModelLimits {
  depthLimit: number | null;
  shedAtPercent: number | null;
  concurrency: number | null;
  rate: { perSecond: number; burst: number } | null;
  fair: boolean;
}
export interface ModelClaim {
  token: string;
  worker: string;
  claimedAt: number;
  leaseUntil: number;
}
export interface ModelJob {
  readonly spec: ModelSpec;
  state: JobState;
  /** Position in line within its priority. */
  place: number;
  due: number;
  attempt: number;
  deliveries: number;
  losses: number;
  claim: ModelClaim | null;
  heldBy: string | null;
  /** When it entered the state it ended in. */
  enteredAt: number;
  diedAt: number;
  errorClass: string;
  errorCode: string;
  /** The shape of the failure it died of; `-`: none. */
  print: string;
  /** The operation that brought it to where it is, or had put it back before it died again. */
  operation: string;
  /** The operation that put it back, until it ends. */
  driven: string | null;
  /** The claim whose fail or release was recorded last, so that a resend is told apart from a late worker. */
  ended: string | null;
  completedBy: string | null;
  history: string[];
}
export interface Ref {
  jobId: string;
  token: string;
}

const byId = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
/** Line order: higher priority first, then first come; fair places may be shared, and then ids decide. */
export const inLine = (a: ModelJob, b: ModelJob) =>
  b.spec.priority - a.spec.priority || a.place - b.place || byId(a.spec.jobId, b.spec.jobId);

interface Generation {
  readonly since: number;
  readonly ids: Map<string, string>;
}
const tokenEnd = (token: string | null): string => token?.slice(-12) ?? '-';
const tenantEnd = (tenantId: string): string => (tenantId === 'default' ? '' : `@${tenantId}`);

export class BrokerModel {
  readonly jobs = new Map<string, ModelJob>();
  /** Scope → when it ends by itself (0: never). */
  readonly pauses = new Map<string, number>();
  readonly totals = {
    enqueued: 0,
    deleted: 0,
    claimed: 0,
    completed: 0,
    failed: 0,
    dead: 0,
    reclaimed: 0,
    released: 0,
    redriven: 0,
    duplicates: 0,
  };
  readonly limits: ModelLimits = {
    depthLimit: null,
    shedAtPercent: null,
    concurrency: null,
    rate: null,
    fair: false,
  };
  draining = false;
  /** Key → who has it, and until when at most. */
  readonly unique = new Map<string, { owner: string; until: number }>();
  /** How many died of each kind of failure. */
  readonly groups = new Map<string, number>();
  /** Operation → what became of the jobs it put back: completed, died again, recalled, deleted. */
  readonly outcomes = new Map<string, [number, number, number, number]>();
  /** Ids that left the queue → the end of the token that completed them, or '-', and whose they were; by generation. */
  #finished: Generation | null = null;
  #finishedBefore: Generation | null = null;
  #bucket: { tokens: number; at: number } | null = null;
  /** Where fairness began, each priority's virtual time, and where each tenant's last job ends. */
  #fairFrom = 0;
  readonly #virtual = new Map<number, number>();
  readonly #ends = new Map<string, number>();
  #places = 0;

  constructor(private readonly time: { now: number }) {}

  get now(): number {
    return this.time.now;
  }
  in(state: JobState): ModelJob[] {
    return [...this.jobs.values()].filter((job) => job.state === state);
  }

  enqueue(specs: readonly ModelSpec[]): string[] {
    return specs.map((spec) => {
      const old = this.jobs.get(spec.jobId);
      if (old) {
        if (!sameContent(old.spec, spec)) return 'conflict';
        this.totals.duplicates += 1;
        return 'duplicate';
      }
      const left = this.remembered().get(spec.jobId);
      if (left !== undefined) {
        if (!left.endsWith(tenantEnd(spec.tenantId)) || (spec.tenantId === 'default' && left.includes('@')))
          return 'conflict';
        this.totals.duplicates += 1;
        return 'duplicate';
      }
      const refusal = this.#refuse(spec);
      if (refusal) return refusal;
      if (spec.unique) this.#takeKey(spec);
      const due = spec.delayMs ? this.now + spec.delayMs : 0;
      const job: ModelJob = {
        spec,
        state: due > 0 ? 'scheduled' : 'ready',
        place: due > 0 ? 0 : this.#newPlace(spec),
        due,
        attempt: 0,
        deliveries: 0,
        losses: 0,
        claim: null,
        heldBy: null,
        enteredAt: 0,
        diedAt: 0,
        errorClass: '',
        errorCode: '',
        print: '-',
        operation: '-',
        driven: null,
        ended: null,
        completedBy: null,
        history: [],
      };
      this.jobs.set(spec.jobId, job);
      this.totals.enqueued += 1;
      return job.state;
    });
  }

  /** What falls due: scheduled and retrying jobs get a new place, in order of their time. */
  promoteDue(): number {
    let moved = 0;
    for (const state of ['scheduled', 'retry'] as const) {
      const due = this.in(state)
        .filter((job) => job.due <= this.now)
        .sort((a, b) => a.due - b.due || byId(a.spec.jobId, b.spec.jobId));
      for (const job of due) this.#toEndOfLine(job);
      moved += due.length;
    }
    return moved;
  }

  /** Pauses that ran out end, and what they held is back in its old place. */
  endPauses(): void {
    for (const [scope, until] of this.pauses)
      if (until > 0 && until <= this.now) {
        for (const job of this.in('held')) if (job.heldBy === scope) this.#toOldPlace(job);
        this.pauses.delete(scope);
      }
  }

  nextAt(tokenAt?: number): number | null {
    const times = [...this.in('scheduled'), ...this.in('retry')].map((job) => job.due);
    for (const until of this.pauses.values()) if (until > this.now) times.push(until);
    if (tokenAt !== undefined) times.push(tokenAt);
    return times.length ? Math.min(...times) : null;
  }

  /** Which jobs a claim may hand out, in order; those that are late or paused step aside on the way. */
  claim(count: number): { paused: boolean; jobs: ModelJob[]; nextAt: number | null } {
    this.promoteDue();
    this.endPauses();
    const nextAt = this.nextAt();
    const taken: ModelJob[] = [];
    if (this.pauses.has('queue')) return { paused: true, jobs: taken, nextAt };
    const tokens = this.#tokens();
    const { concurrency, rate } = this.limits;
    const slots = concurrency === null ? count : concurrency - this.in('in-flight').length;
    const allowed = Math.max(0, Math.min(count, slots, rate ? Math.floor(tokens) : count));
    for (const job of this.in('ready').sort(inLine)) {
      if (taken.length >= allowed) break;
      const { deadline, tenantId, jobType } = job.spec;
      const scope = [`tenant:${tenantId}`, `type:${jobType}`].find((name) => this.pauses.has(name));
      if (deadline && deadline <= this.now) this.#die(job, 'deadline', 'DEADLINE_PASSED');
      else if (scope) {
        job.state = 'held';
        job.heldBy = scope;
      } else {
        if (job.spec.unique?.scope === 'claimed') this.#freeKey(job);
        job.attempt += 1;
        job.deliveries += 1;
        job.state = 'in-flight';
        taken.push(job);
      }
    }
    this.totals.claimed += taken.length;
    if (rate && taken.length > 0)
      this.#bucket = { tokens: Number((tokens - taken.length).toFixed(6)), at: this.now };
    if (this.limits.fair)
      for (const { spec, place } of taken)
        this.#virtual.set(spec.priority, Math.max(place, this.#virtual.get(spec.priority) ?? 0));
    const left = tokens - taken.length;
    const stopped = allowed < count && taken.length >= allowed && this.in('ready').length > 0;
    const tokenAt =
      rate && stopped && left < 1
        ? this.now + Math.max(1, Math.ceil(((1 - left) * 1_000) / rate.perSecond))
        : undefined;
    return { paused: false, jobs: taken, nextAt: this.nextAt(tokenAt) };
  }

  holds({ jobId, token }: Ref): ModelJob | null {
    const job = this.jobs.get(jobId);
    return job?.state === 'in-flight' && job.claim?.token === token ? job : null;
  }

  extend(ref: Ref, leaseMs: number): string {
    const job = this.holds(ref);
    if (!job?.claim) return 'stale';
    job.claim.leaseUntil = this.now + leaseMs;
    return 'extended';
  }

  /** One call is one script: what it answers is as of its start, and old completed jobs make room at its end. */
  ack(refs: readonly Ref[]): string[] {
    const outcomes = refs.map((ref) => {
      const job = this.holds(ref);
      if (!job) return this.#resent(ref, 'completedBy') ? 'already' : 'stale';
      job.state = 'completed';
      job.claim = null;
      job.ended = null;
      job.completedBy = ref.token;
      this.#settle(job, 0);
      this.#freeKey(job);
      job.enteredAt = this.now;
      this.totals.completed += 1;
      return 'completed';
    });
    if (outcomes.includes('completed')) this.#trimCompleted();
    return outcomes;
  }

  /** @param delayMs null: another attempt cannot help */
  fail(ref: Ref, delayMs: number | null, errorClass: string, errorCode: string, print = '-'): string {
    const job = this.holds(ref);
    if (!job) return this.#resent(ref, 'ended', 'failed') ? 'already' : 'stale';
    job.claim = null;
    job.ended = `failed ${ref.token}`;
    this.totals.failed += 1;
    const due = this.now + (delayMs ?? 0);
    const tooLate = delayMs !== null && job.spec.deadline !== undefined && due > job.spec.deadline;
    if (delayMs !== null && job.attempt < job.spec.maxAttempts && !tooLate) {
      job.state = 'retry';
      job.due = due;
      remember(job, 'failed');
      return 'retry';
    }
    this.#die(job, tooLate ? 'deadline' : errorClass, errorCode, print);
    return 'dead';
  }

  release(ref: Ref, delayMs = 0): string {
    const job = this.holds(ref);
    if (!job) return this.#resent(ref, 'ended', 'released') ? 'already' : 'stale';
    job.attempt -= 1;
    job.ended = `released ${ref.token}`;
    remember(job, 'released');
    if (delayMs > 0) Object.assign(job, { state: 'retry', claim: null, due: this.now + delayMs });
    else this.#toOldPlace(job);
    this.totals.released += 1;
    return 'released';
  }

  reclaim(): { returned: number; died: number } {
    const late = this.in('in-flight').filter((job) => (job.claim?.leaseUntil ?? 0) <= this.now);
    return this.#lose(late, 'LEASE_EXPIRED');
  }
  reclaimWorker(worker: string, code: string): { returned: number; died: number; jobIds: string[] } {
    const its = this.in('in-flight').filter((job) => job.claim?.worker === worker);
    return { ...this.#lose(its, code), jobIds: its.map((job) => job.spec.jobId) };
  }

  maintain(): { promoted: number; reclaimed: number; expired: number; nextAt: number | null } {
    const lost = this.reclaim();
    const promoted = this.promoteDue();
    this.endPauses();
    const gone = this.in('trashed').filter((job) => job.enteredAt <= this.now - MODEL_CONFIG.trashGraceMs);
    for (const job of gone) this.#forget(job, job.enteredAt);
    const trimmed = this.#trimCompleted();
    this.#turnGeneration(true);
    for (const [key, { until }] of this.unique) if (until <= this.now) this.unique.delete(key);
    return {
      promoted,
      reclaimed: lost.returned + lost.died,
      expired: gone.length + trimmed,
      nextAt: this.nextAt(),
    };
  }

  pause(scope: string, forMs: number | undefined): void {
    this.pauses.set(scope, forMs === undefined ? 0 : this.now + forMs);
  }
  resume(scope: string): boolean {
    if (!this.pauses.has(scope)) return false;
    this.pauses.set(scope, this.now);
    this.endPauses();
    return true;
  }

  cancel(jobId: string): string {
    return this.#triage(jobId, ['ready', 'held', 'scheduled', 'retry', 'in-flight'], (job) => {
      if (job.state === 'in-flight') job.ended = null;
      job.claim = null;
      job.heldBy = null;
      this.#die(job, 'cancelled', 'CANCELLED');
    });
  }
  promote(jobId: string): string {
    const moved = this.#triage(jobId, ['scheduled', 'retry'], (job) => {
      // A person made this its time.
      job.due = 0;
      remember(job, 'promoted');
      this.#toEndOfLine(job);
    });
    return moved === 'ok' ? moved : 'wrong-state';
  }
  redrive(jobId: string, operation?: string): string {
    const job = this.jobs.get(jobId);
    const late = job?.spec.deadline && job.spec.deadline <= this.now;
    if (late && ['dead', 'suppressed'].includes(job.state)) return 'deadline-passed';
    const { unique } = job?.spec ?? {};
    const kept = unique && unique.scope !== 'window' ? unique : null;
    const owner = kept && this.#ownerOf(kept.key);
    if (owner && owner !== jobId && job && ['dead', 'suppressed'].includes(job.state)) return 'not-unique';
    return this.#triage(jobId, ['dead', 'suppressed'], (dead) => {
      dead.attempt = 0;
      dead.due = 0;
      dead.losses = 0;
      dead.operation = '-';
      dead.driven = operation ?? null;
      if (kept) this.#takeKey(dead.spec);
      remember(dead, 'redriven');
      this.#toEndOfLine(dead);
      this.totals.redriven += 1;
    });
  }
  suppress(jobId: string, operation?: string): string {
    return this.#shelve(jobId, ['dead'], 'suppressed', 'suppressed', operation);
  }
  purge(jobId: string, operation?: string): string {
    return this.#shelve(jobId, ['dead', 'suppressed'], 'trashed', 'purged', operation);
  }
  restore(jobId: string, operation?: string): string {
    return this.#shelve(jobId, ['trashed', 'suppressed'], 'dead', 'restored', operation);
  }
  remove(jobId: string): string {
    const job = this.jobs.get(jobId);
    if (!job) return 'not-found';
    if (job.state === 'in-flight') return 'in-flight';
    this.#freeKey(job);
    this.#settle(job, 3);
    this.#forget(job, this.now);
    return 'ok';
  }

  configure(patch: Partial<ModelLimits>): void {
    if (patch.fair && !this.limits.fair) this.#fairFrom = this.#places + 1;
    Object.assign(this.limits, patch);
  }

  /** The dead that a filter means at a time, in the order an operation works through them. Who came back since was not there then. */
  deadMatching(terms: Readonly<Record<string, string>>, since: number, until: number): ModelJob[] {
    return this.in('dead')
      .filter((job) => job.diedAt >= since && job.diedAt <= until)
      .filter((job) => job.enteredAt <= until || job.history.at(-1) !== lineOf('restored', 0))
      .filter((job) => Object.entries(terms).every(([facet, value]) => facetsOf(job)[facet] === value))
      .sort((a, b) => a.diedAt - b.diedAt || byId(a.spec.jobId, b.spec.jobId));
  }

  #lose(lost: ModelJob[], code: string): { returned: number; died: number } {
    const count = { returned: 0, died: 0 };
    for (const job of lost) {
      job.losses += 1;
      job.ended = null;
      remember(job, 'lost');
      if (job.losses >= MODEL_CONFIG.maxDeliveries || job.attempt >= job.spec.maxAttempts) {
        job.claim = null;
        this.#die(job, 'crash', code);
        count.died += 1;
      } else {
        this.#toOldPlace(job);
        count.returned += 1;
      }
    }
    this.totals.reclaimed += lost.length;
    return count;
  }
  #die(job: ModelJob, errorClass: string, errorCode: string, print = '-'): void {
    Object.assign(job, { state: 'dead', diedAt: this.now, errorClass, errorCode, print, heldBy: null });
    const cancelled = errorClass === 'cancelled';
    job.operation = (!cancelled && job.driven) || '-';
    this.#settle(job, cancelled ? 2 : 1);
    const kind = kindOf(job);
    this.groups.set(kind, (this.groups.get(kind) ?? 0) + 1);
    remember(job, 'dead');
    this.#freeKey(job);
    this.totals.dead += 1;
  }
  /** A job an operation put back has ended. */
  #settle(job: ModelJob, how: 0 | 1 | 2 | 3): void {
    if (job.driven === null) return;
    const outcome = this.outcomes.get(job.driven) ?? [0, 0, 0, 0];
    outcome[how] += 1;
    this.outcomes.set(job.driven, outcome);
    job.driven = null;
  }
  #toEndOfLine(job: ModelJob): void {
    Object.assign(job, { state: 'ready', place: this.#newPlace(job.spec) });
  }
  /** First come, first served; or the start tag of fair queuing. The sequence is counted in either case. */
  #newPlace({ priority, tenantId }: ModelSpec): number {
    this.#places += 1;
    if (!this.limits.fair) return this.#places;
    const virtual = Math.max(this.#virtual.get(priority) ?? 0, this.#fairFrom);
    const tag = Math.max(this.#ends.get(`${priority} ${tenantId}`) ?? 0, virtual);
    this.#ends.set(`${priority} ${tenantId}`, tag + 1);
    return tag;
  }
  #tokens(): number {
    const { rate } = this.limits;
    if (!rate) return 0;
    if (!this.#bucket) return rate.burst;
    const { tokens, at } = this.#bucket;
    return Math.min(rate.burst, tokens + (Math.max(0, this.now - at) * rate.perSecond) / 1_000);
  }
  #refuse(spec: ModelSpec): string | null {
    const { depthLimit, shedAtPercent } = this.limits;
    if (this.draining) return 'draining';
    const depth = (['ready', 'scheduled', 'retry', 'held'] as const).reduce(
      (n, state) => n + this.in(state).length,
      0,
    );
    if (depthLimit !== null && depth >= depthLimit) return 'queue-full';
    const shedAt = (depthLimit ?? 0) * ((shedAtPercent ?? 100) / 100);
    if (depthLimit !== null && depth >= shedAt && spec.critical === false) return 'shed';
    return spec.unique && this.#ownerOf(spec.unique.key) ? 'not-unique' : null;
  }
  #ownerOf(key: string): string | null {
    const row = this.unique.get(key);
    return row && row.until > this.now ? row.owner : null;
  }
  #takeKey({ jobId, unique }: ModelSpec): void {
    if (unique) this.unique.set(unique.key, { owner: jobId, until: this.now + unique.ttlMs });
  }
  /** Only the owner gives a key back, and never before its window is over. */
  #freeKey({ spec: { jobId, unique } }: ModelJob): void {
    if (unique && unique.scope !== 'window' && this.unique.get(unique.key)?.owner === jobId)
      this.unique.delete(unique.key);
  }
  #trimCompleted(): number {
    const kept = this.in('completed').sort(
      (a, b) => a.enteredAt - b.enteredAt || byId(a.spec.jobId, b.spec.jobId),
    );
    const over = kept.slice(0, Math.max(0, kept.length - MODEL_CONFIG.completedKeep));
    for (const old of over) this.#forget(old, old.enteredAt);
    return over.length;
  }
  #toOldPlace(job: ModelJob): void {
    Object.assign(job, { state: 'ready', claim: null, heldBy: null });
  }
  #shelve(jobId: string, from: readonly JobState[], to: JobState, kind: string, operation = '-'): string {
    const moved = this.#triage(jobId, from, (job) => {
      job.state = to;
      job.enteredAt = this.now;
      job.operation = operation;
      remember(job, kind);
    });
    return moved === 'ok' ? moved : 'wrong-state';
  }
  #triage(jobId: string, from: readonly JobState[], move: (job: ModelJob) => void): string {
    const job = this.jobs.get(jobId);
    if (!job) return 'not-found';
    if (!from.includes(job.state)) return 'wrong-state';
    move(job);
    return 'ok';
  }
  /** @param leftAt when it ended: long enough ago, and nobody sends it again */
  #forget(job: ModelJob, leftAt: number): void {
    this.jobs.delete(job.spec.jobId);
    this.totals.deleted += 1;
    if (leftAt <= this.now - MODEL_CONFIG.resendWindowMs) return;
    this.#turnGeneration(false);
    this.#finished ??= { since: this.now, ids: new Map() };
    const ended = tokenEnd(job.state === 'completed' ? job.completedBy : null);
    this.#finished.ids.set(job.spec.jobId, ended + tenantEnd(job.spec.tenantId));
  }
  #turnGeneration(mayEnd: boolean): void {
    const { now } = this;
    if (!this.#finished || now - this.#finished.since < MODEL_CONFIG.resendWindowMs) return;
    const over = mayEnd && this.#finished.ids.size === 0;
    this.#finishedBefore = over ? null : this.#finished;
    this.#finished = over ? null : { since: now, ids: new Map() };
  }
  /** Whoever sends one of these again is told that it was here. */
  remembered(): Map<string, string> {
    return new Map([...(this.#finishedBefore?.ids ?? []), ...(this.#finished?.ids ?? [])]);
  }
  #resent(ref: Ref, field: 'ended' | 'completedBy', how?: string): boolean {
    const job = this.jobs.get(ref.jobId);
    if (!job && field === 'completedBy')
      return this.remembered().get(ref.jobId)?.split('@')[0] === tokenEnd(ref.token);
    const expected = how ? `${how} ${ref.token}` : ref.token;
    return job !== undefined && (field === 'ended' || job.state === 'completed') && job[field] === expected;
  }
}

export const facetsOf = (job: ModelJob): Record<string, string> => ({
  type: job.spec.jobType,
  tenant: job.spec.tenantId,
  class: job.errorClass,
  code: job.errorCode,
});

/** What makes failures one group. */
export const kindOf = (job: ModelJob): string =>
  [job.spec.jobType, job.errorClass, job.errorCode, job.print].join('\n');

/** Given back again and again is one line: the newest takes the place of the one before it. */
function remember(job: ModelJob, kind: string): void {
  const line = lineOf(kind, job.deliveries);
  const again = kind === 'released' && job.history.at(-1)?.startsWith(kind);
  job.history = [...job.history.slice(0, again ? -1 : undefined), line].slice(-20);
}
/** What the model knows of a line. Of those that replace each other it knows which one is there. */
export const lineOf = (kind: string, delivery: number | string): string =>
  kind === 'released' ? `${kind} ${delivery}` : kind;

/** The delay is no part of a job's content: a resend may come later. */
const sameContent = (a: ModelSpec, b: ModelSpec): boolean =>
  a.jobType === b.jobType &&
  a.tenantId === b.tenantId &&
  a.priority === b.priority &&
  a.maxAttempts === b.maxAttempts &&
  a.deadline === b.deadline &&
  JSON.stringify(a.unique) === JSON.stringify(b.unique) &&
  a.payload.equals(b.payload);
