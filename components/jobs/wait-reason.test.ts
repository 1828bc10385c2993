/** Every sentence about a waiting job, and the condition under which it stands. */
import { describe, expect, it } from 'vitest';
import type { JobDetail } from '@/lib/contract/jobs/job-schemas';
import { QUEUE_CONFIG_DEFAULT } from '@/lib/contract/queues/queue-config-default';
import { IDLE_WORKER } from '@/testing/records/idle-worker';
import { CALM_QUEUE } from '@/testing/worlds/queue-snapshot';
import { type WaitContext, waitReason } from './wait-reason';

const job = (over: Partial<JobDetail> = {}): JobDetail =>
  ({
    queue: 'mail',
    state: 'ready',
    ahead: 340,
    envelope: { jobType: 'mail.send', jobVersion: 2, tenantId: 'acme' },
    ...over,
  }) as JobDetail;
const worker = {
  ...IDLE_WORKER,
  status: 'running' as const,
  queues: { mail: 1 },
  handlers: [{ type: 'mail.send', versions: [1, 2] }],
};
const queue = {
  ...CALM_QUEUE,
  workers: 1,
  flow: { donePerSecond: 12, arrivalPerSecond: 4, chancePerSecond: 0.2 },
};
const open: WaitContext = { queue, workers: [worker], config: QUEUE_CONFIG_DEFAULT };
const pause = (scope: 'queue' | `tenant:${string}` | `type:${string}`, until: number | null = null) => ({
  ...open,
  queue: { ...queue, pauses: [{ scope, since: 0, until, actor: 'Ada', reason: 'refunds' }] },
});
const withWorkers = (...workers: (typeof worker)[]): WaitContext => ({ ...open, workers });

const SENTENCES: [
  condition: string,
  job: JobDetail,
  context: WaitContext,
  sentence: string,
  isBlocked: boolean,
][] = [
  ['jobs are before it', job(), open, 'Behind 340 ready jobs, about 30 s at the present 12/s.', false],
  [
    'one job is before it',
    job({ ahead: 1 }),
    open,
    'Behind 1 ready job, under 5 s at the present 12/s.',
    false,
  ],
  [
    'nothing ends',
    job(),
    { ...open, queue: { ...queue, flow: CALM_QUEUE.flow } },
    'Behind 340 ready jobs.',
    false,
  ],
  ['no job is before it', job({ ahead: 0 }), open, 'First in order.', false],
  [
    'the queue has a rate',
    job({ ahead: 0 }),
    { ...open, config: { ...QUEUE_CONFIG_DEFAULT, rate: { perSecond: 5, burst: 5 } } },
    'First in order. The queue is limited to 5/s.',
    false,
  ],
  ['its place is not known', job({ ahead: null }), open, 'Waits for a worker to claim it.', false],
  [
    'nothing is known of the queue',
    job(),
    { ...open, queue: undefined },
    'Waits for a worker to claim it.',
    false,
  ],
  [
    'the queue is paused',
    job({ ahead: 0 }),
    pause('queue'),
    'The queue is paused by Ada, “refunds”, until it is resumed.',
    true,
  ],
  [
    'the pause ends by itself',
    job(),
    pause('queue', 9),
    'The queue is paused by Ada, “refunds”, until the pause ends or is resumed.',
    true,
  ],
  [
    'its tenant is paused',
    job(),
    pause('tenant:acme'),
    'Tenant acme is paused by Ada, “refunds”, until it is resumed.',
    true,
  ],
  [
    'its type is paused',
    job(),
    pause('type:mail.send'),
    'Job type mail.send is paused by Ada, “refunds”, until it is resumed.',
    true,
  ],
  [
    'its tenant and its type are paused',
    job(),
    {
      ...open,
      queue: {
        ...queue,
        pauses: [...pause('type:mail.send').queue.pauses, ...pause('tenant:acme').queue.pauses],
      },
    },
    'Tenant acme is paused by Ada, “refunds”, until it is resumed. Job type mail.send is paused by Ada, “refunds”, until it is resumed.',
    true,
  ],
  [
    'no worker lives',
    job({ ahead: 0 }),
    { ...open, queue: { ...queue, workers: 0 } },
    'No live worker serves the queue.',
    true,
  ],
  [
    'all workers are quiet',
    job(),
    withWorkers({ ...worker, status: 'quiet' as never }),
    'No worker of the queue takes new jobs: all of them are quiet, draining or gone.',
    true,
  ],
  [
    'the list of workers lacks one',
    job(),
    { ...withWorkers({ ...worker, status: 'quiet' as never }), queue: { ...queue, workers: 2 } },
    'Behind 340 ready jobs, about 30 s at the present 12/s.',
    false,
  ],
  [
    'no worker knows the type',
    job(),
    withWorkers({ ...worker, handlers: [{ type: 'mail.read', versions: [1] }] }),
    'No worker of the queue runs mail.send (1 worker).',
    true,
  ],
  [
    'no worker knows the version',
    job(),
    withWorkers({ ...worker, handlers: [{ type: 'mail.send', versions: [1] }] }),
    'No worker of the queue runs version 2 of mail.send (1 worker).',
    true,
  ],
  [
    'a worker does not report its handlers',
    job({ ahead: 0 }),
    withWorkers({ ...worker, handlers: [] }),
    'First in order.',
    false,
  ],
  [
    'the breaker is open everywhere',
    job(),
    withWorkers({
      ...worker,
      breakers: [{ jobType: 'mail.send', state: 'open', failures: 5, retryAt: null }],
    }),
    'The circuit breaker of mail.send is open on every worker: its calls keep failing.',
    true,
  ],
  [
    'the queue is at its limit',
    job(),
    {
      ...open,
      config: { ...QUEUE_CONFIG_DEFAULT, concurrency: 2 },
      queue: { ...queue, counts: { ...queue.counts, 'in-flight': 2 } },
    },
    'The queue is at its limit of 2 jobs in flight.',
    true,
  ],
  [
    'a pause holds it',
    job({ state: 'held' }),
    pause('tenant:acme'),
    'Held by the pause of tenant acme: “refunds” (Ada).',
    true,
  ],
  [
    'a limit holds it',
    job({ state: 'held' }),
    { ...open, config: { ...QUEUE_CONFIG_DEFAULT, tenantLimit: { rate: null, concurrency: 2 } } },
    'Held by the limit of tenant acme: 2 at once.',
    true,
  ],
  [
    'nothing holds it any more',
    job({ state: 'held' }),
    open,
    'Nothing holds it any more: maintenance puts it back among the ready jobs.',
    false,
  ],
  [
    'it is scheduled, and nothing runs its queue',
    job({ state: 'scheduled', ahead: null }),
    { ...open, queue: { ...queue, workers: 0 } },
    'Waiting for the time its producer set. As things stand, it will not run when it is due: No live worker serves the queue.',
    true,
  ],
  [
    'it is scheduled',
    job({ state: 'scheduled', ahead: null }),
    open,
    'Waiting for the time its producer set.',
    false,
  ],
  [
    'it is done',
    job({ state: 'completed', ahead: null }),
    pause('queue'),
    'Done; kept for a capped history.',
    false,
  ],
];

describe('B1: what the page of a job says', () => {
  it.each(SENTENCES)('%s', (_, given, context, text, isBlocked) => {
    expect(waitReason(given, context)).toEqual({ text, isBlocked });
  });
});
