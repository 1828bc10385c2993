/** A world of some six hundred jobs in every state, and what is true of each, found out another way than the search does. */
import { createHash } from 'node:crypto';
import type { EnqueueInput } from '@/lib/contract/jobs/envelope';
import type { ErrorClass } from '@/lib/contract/jobs/error-classes';
import type { HistoryEntry, JobDetail } from '@/lib/contract/jobs/job-schemas';
import { JOB_STATES, type JobState } from '@/lib/contract/jobs/job-states';
import type { JobFacts } from '@/lib/contract/search/query';
import { BY, claimAll, START, type World } from '../worlds/world';

export const QUEUES = ['mail', 'mail-slow', 'pay'] as const;
/** Has three shards. */
export const SHARDED = 'pay';
export const TYPES = ['mail', 'mail.send', 'hook', 'm'];
export const TENANTS = ['a', 'a-b', 'ab', 'B'];
export const CODES = ['HTTP_500', 'HTTP_50', 'BAD', 'x.y'];
export const CLASSES: ErrorClass[] = ['permanent', 'malformed', 'retryable', 'unsupported-version'];
const MESSAGES = [
  'no such user 17',
  'Timeout after 30 s\nat "here"',
  'größe \u{1f600} falsch',
  '100% of ^$().[]*+-? failed',
  'C:\\temp\\x is full',
];
const PAYLOADS: (string | Buffer)[] = [
  '{"order":{"id":42,"total":10.50},"tags":["red","Blue"]}',
  '{"order":{"id":"42"},"n":9007199254740993}',
  '{"order":{"id":9007199254740992},"n":-0,"x":null}',
  '{"\\u006frder":{"id":42},"s":"a\\u00e9b"}',
  '{"order":{"id":1,"id":42}}',
  '{"order":[{"id":7},{"id":42.0},{"id":4.2e1}],"ok":true}',
  'no JSON: order id 42 %d (.*)',
  '',
  '"größe"',
  Buffer.from([0xff, 0xfe, 0x6f, 0x72, 0x64, 0x65, 0x72]),
  Buffer.from('{"order":{"id":42},"bytes":"\xe9"}', 'latin1'),
  '{"order":{"id":"a/b\\"c"},"deep":{"a":[[{"b":{"c":"END"}}]]}}',
];
const KEYS = ['k-1', 'k-12', 'a"b\\c', '{"key":"k-1"}', undefined];

export interface Planted {
  readonly queue: string;
  readonly state: JobState;
  readonly score: number;
  readonly shard: number;
  readonly facts: JobFacts;
}

const pick = <T>(list: readonly T[], n: number): T =>
  list[((n % list.length) + list.length) % list.length] as T;

/** Six steps of time; each brings jobs into every state of every queue. */
export async function plant(world: World): Promise<Planted[]> {
  const { broker, clock } = world;
  await broker.sharding.set(SHARDED, { count: 3, by: 'id' }, BY);
  let serial = 0;
  const inputs = (count: number, rest: Partial<EnqueueInput> = {}): EnqueueInput[] =>
    Array.from({ length: count }, () => {
      const n = serial++;
      return {
        jobId: `${pick(['j', 'J', 'job.'], n >> 2)}${String(n).padStart(4, '0')}`,
        jobType: pick(TYPES, n * 7),
        tenantId: pick(TENANTS, n >> 1),
        jobVersion: 1 + (n % 3),
        priority: ((n * 5) % 7) - 3,
        maxAttempts: 1 + (n % 4),
        payload: pick(PAYLOADS, n * 5 + (n >> 4)),
        idempotencyKey: pick(KEYS, n),
        correlationId: n % 3 === 0 ? `corr-${n % 9}` : undefined,
        traceId: n % 4 === 0 ? `trace/${n % 5}` : undefined,
        ...rest,
      } as EnqueueInput;
    });
  const failAll = async (queue: string, count: number, retry: boolean) => {
    await broker.enqueueMany(queue, inputs(count, retry ? { maxAttempts: 20 } : {}));
    const taken = await claimAll(broker, queue);
    await broker.fail(
      queue,
      taken.map((job, n) => ({
        jobId: job.jobId,
        token: job.token,
        failure: {
          errorClass: retry ? 'retryable' : pick(CLASSES, n + taken.length),
          errorCode: pick(CODES, n * 3),
          message: pick(MESSAGES, n * 2 + count),
          stack: `Error: x\n    at order (file.ts:${n}:1)\n    at "quoted" \\ END`,
          ...(retry ? { retryInMs: 3_600_000 + n * 1_000, again: true } : { again: false }),
        },
      })),
    );
    return taken.map((job) => job.jobId);
  };
  for (const [step, age] of [90_000_000, 3_600_000, 3_599_999, 60_000, 1, 0].entries()) {
    clock.now = START - age;
    for (const queue of QUEUES) {
      const died = await failAll(queue, 24, false);
      await broker.suppress(queue, died.slice(0, 3), BY);
      await broker.purge(queue, died.slice(3, 6), BY);
      await broker.redrive(queue, died.slice(6, 8), BY);
      // One of the two dies again; the other is completed.
      const again = await claimAll(broker, queue, { most: 1 });
      await broker.fail(
        queue,
        again.map((job) => ({
          jobId: job.jobId,
          token: job.token,
          failure: { errorClass: 'permanent', errorCode: 'AGAIN', message: 'died again' },
        })),
      );
      await failAll(queue, 3, true);
      await broker.enqueueMany(queue, inputs(3));
      const done = await claimAll(broker, queue, { most: 2 + (step % 2) });
      await broker.ack(
        queue,
        done.map((job) => ({ jobId: job.jobId, token: job.token })),
      );
      await broker.enqueueMany(queue, inputs(2, { delayMs: 50_000 + step }));
      await broker.cancel(queue, firstOf(await broker.inspect.list(queue, { state: 'ready' })), BY);
    }
  }
  for (const queue of QUEUES) {
    await broker.pause(queue, { scope: 'tenant:a', reason: 'a test' }, BY);
    await broker.enqueueMany(queue, inputs(16));
    await claimAll(broker, queue, { most: 5, leaseMs: 3_600_000 });
    await broker.resume(queue, 'tenant:a', BY);
    await broker.pause(queue, { scope: 'tenant:a', reason: 'a test' }, BY);
    await broker.enqueueMany(queue, inputs(4, { tenantId: 'a' }));
    await claimAll(broker, queue, { most: 1, leaseMs: 3_600_000 });
    await broker.enqueueMany(queue, inputs(6));
  }
  clock.now = START;
  return everything(world);
}
/** The first of the jobs that wait: cancelled by hand. */
const firstOf = (page: { jobs: readonly { jobId: string }[] }) =>
  page.jobs.slice(0, 1).map((job) => job.jobId);

const INDEX = {
  ready: 'ready',
  'in-flight': 'inflight',
  scheduled: 'scheduled',
  retry: 'retry',
  held: 'held',
  completed: 'completed',
  dead: 'dead',
  suppressed: 'suppressed',
  trashed: 'trash',
} as const;

/** What is true of every job there is, by what the job's own page shows, and by the bare rows where that says nothing. */
export async function everything(world: World, queues: readonly string[] = QUEUES): Promise<Planted[]> {
  const { broker, redis } = world;
  const found: Planted[] = [];
  for (const queue of queues) {
    const { count } = await broker.sharding.get(queue);
    for (let shard = 0; shard < count; shard += 1)
      for (const state of JOB_STATES) {
        const name = shard === 0 ? queue : `${queue}#${shard}`;
        const entries = await redis.zrange(world.column(name, INDEX[state]), '0', '-1', 'WITHSCORES');
        for (let i = 0; i + 1 < entries.length; i += 2) {
          const jobId = entries[i] ?? '';
          const score = Number(entries[i + 1]);
          const job = await broker.inspect.job(queue, jobId);
          const death = await redis.hget(world.column(name, 'deaths'), jobId);
          const waiting = await redis.zscore(world.column(name, 'waiting'), jobId);
          const driven = await redis.hget(world.column(name, 'redriven'), jobId);
          const log = await redis.hget(world.column(name, 'history'), jobId);
          found.push({
            queue,
            shard,
            state,
            score,
            facts: factsOfJob(queue, state, score, job, death, Number(waiting), driven, log),
          });
        }
      }
  }
  return found;
}

function factsOfJob(
  queue: string,
  state: JobState,
  score: number,
  job: JobDetail,
  death: string | null,
  waiting: number,
  driven: string | null,
  log: string | null,
): JobFacts {
  const died = state === 'dead' || state === 'suppressed' || state === 'trashed';
  const last = died
    ? job.history.findLast((entry) => entry.errorClass !== null)
    : state === 'completed'
      ? undefined
      : job.history.at(-1);
  const print = /"print":"(\w+)"/.exec(log?.split('\n').at(-1) ?? '')?.[1] ?? '-';
  const [, , , group, , , , , , operation] = death?.split(' ') ?? [];
  const entered = {
    ready: waiting,
    'in-flight': job.claim?.claimedAt ?? 0,
    retry: job.history.at(-1)?.at ?? 0,
    scheduled: job.envelope.createdAt,
    held: job.envelope.createdAt,
  };
  return {
    queue,
    id: job.envelope.jobId,
    type: job.envelope.jobType,
    version: job.envelope.jobVersion,
    tenant: job.envelope.tenantId,
    priority: job.envelope.priority,
    attempts: job.attempt,
    code: last?.errorCode ?? null,
    class: last?.errorClass ?? null,
    group: died ? (group ?? null) : last?.errorClass ? groupNamed(job, last, print) : null,
    key: job.envelope.idempotencyKey,
    correlation: job.envelope.correlationId,
    trace: job.envelope.traceId,
    operation: died ? (operation === '-' ? null : (operation ?? null)) : driven,
    enteredAt: state in entered ? entered[state as keyof typeof entered] : score,
    payload: job.payloadIsText && job.payloadBytes > 0 ? job.payload : null,
    message: last?.message ?? last?.reason ?? null,
  };
}

const groupNamed = (job: JobDetail, { errorClass, errorCode }: HistoryEntry, print: string): string =>
  createHash('sha1')
    .update(`${job.envelope.jobType}\n${errorClass}\n${errorCode}\n${print}`)
    .digest('hex')
    .slice(0, 12);
