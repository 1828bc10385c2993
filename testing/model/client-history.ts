/**
 * What a client saw, and what it may conclude: the judge of runs whose exact course no model predicts (several shards, tenants
 * at their limits). Knows nothing of how the broker works; each finding names the invariant (numbers as in docs).
 */
import type { ClaimedJob } from '@/lib/broker';

export interface Sent {
  readonly jobId: string;
  readonly tenantId: string;
  readonly jobType: string;
  readonly priority: number;
  readonly maxAttempts: number;
  readonly payload: string;
  dueAt: number;
  /** Order of sending. */
  readonly place: number;
  /** Where it went, so that order is judged within one shard. */
  readonly shard: string;
}
interface Life extends Sent {
  deliveries: number;
  token: string | null;
  /** Its place in line is no longer that of its sending: retried, re-driven, promoted, returned. */
  moved: boolean;
  ended: boolean;
  completions: number;
}

export class History {
  readonly jobs = new Map<string, Life>();
  readonly #tokens = new Set<string>();
  /** Of each line (shard, tenant, type, priority): the latest place first claimed. */
  readonly #front = new Map<string, number>();

  sent(job: Sent): void {
    this.jobs.set(job.jobId, {
      ...job,
      deliveries: 0,
      token: null,
      moved: job.dueAt > 0,
      ended: false,
      completions: 0,
    });
  }

  /** @throws on the first thing a claim should not have done */
  claimed(job: ClaimedJob, now: number, paused: ReadonlySet<string>): void {
    const life = this.jobs.get(job.jobId);
    if (!life) throw new Error(`unexpected: ${job.jobId} was never sent`);
    if (life.ended) throw new Error(`6: ${job.jobId} was handed out after it had ended`);
    if (this.#tokens.has(`${job.jobId} ${job.token}`))
      throw new Error(`4: the token ${job.token} came twice`);
    if (job.delivery <= life.deliveries)
      throw new Error(`4: delivery ${job.delivery} of ${job.jobId} does not rise`);
    if (job.attempt > life.maxAttempts) throw new Error(`12: attempt ${job.attempt} of ${life.maxAttempts}`);
    if (job.payload.toString('latin1') !== life.payload)
      throw new Error(`22: the payload of ${job.jobId} changed`);
    if (life.dueAt > now) throw new Error(`7: ${job.jobId} came ${life.dueAt - now} ms early`);
    for (const scope of ['queue', `tenant:${life.tenantId}`, `type:${life.jobType}`])
      if (paused.has(scope)) throw new Error(`11: ${job.jobId} was handed out while ${scope} is paused`);
    // A first claim whose reply was lost was given back: what came after it may have gone before.
    if (life.deliveries === 0 && job.delivery === 1 && !life.moved) {
      const line = `${life.shard} ${life.tenantId} ${life.jobType} ${life.priority}`;
      if (life.place < (this.#front.get(line) ?? -1))
        throw new Error(`9: ${job.jobId} was overtaken in ${line}`);
      this.#front.set(line, life.place);
    }
    this.#tokens.add(`${job.jobId} ${job.token}`);
    life.deliveries = job.delivery;
    life.token = job.token;
  }

  /** Whether this claim is the one that counts: what Redis should say to ack, fail, extend and release. */
  holds(ref: { jobId: string; token: string }): boolean {
    return this.jobs.get(ref.jobId)?.token === ref.token;
  }

  completed(jobId: string): void {
    const life = this.jobs.get(jobId);
    if (!life) throw new Error(`unexpected: ${jobId} was acked`);
    life.completions += 1;
    if (life.completions > 1) throw new Error(`6: ${jobId} was completed ${life.completions} times`);
    life.token = null;
    life.ended = true;
  }
  /** The claim is over, by whatever way; the job lives on or is dead. */
  let(jobId: string): void {
    const life = this.jobs.get(jobId);
    // A person may have made now its time.
    if (life) Object.assign(life, { token: null, moved: true, dueAt: 0 });
  }
  gone(jobId: string): void {
    const life = this.jobs.get(jobId);
    if (life) Object.assign(life, { token: null, ended: true });
  }
}
