/** A worker: claims jobs, runs their handlers under a lease, reports how they ended, and stops without losing any. */
import { parseOrThrow } from '@/lib/contract/errors';
import { createClaimer } from './claimer';
import { createSleeper, withDeadline } from './deadline';
import { createHeartbeat } from './heartbeat';
import { JobInHand, type Lease } from './job-in-hand';
import { type Maintenance, startMaintenance } from './maintenance';
import { checkOptions, concurrencySchema, leaseSchema } from './options';
import { createOutbox } from './outbox';
import { createPool } from './pool';
import { type Reporter, startReporter } from './report';
import { runJob } from './run-job';
import { settle, type Tally } from './settle';
import type { ClaimedJob, Worker, WorkerBroker, WorkerOptions, WorkerStatus } from './types';

/** What the last release and a claim still under way may take once the handlers are done with. */
const LAST_CALLS_MS = 1_000;

/**
 * @example const worker = createWorker(broker, { queues: { default: 1 }, concurrency: 10, handlers: [sendEmail] });
 *          worker.start();
 *          stopOnSignals(worker);
 * @throws RedriveError VALIDATION naming every option that is wrong
 */
export function createWorker(broker: WorkerBroker, options: WorkerOptions): Worker {
  const settings = checkOptions(options);
  const { workerId, queues, clock, random, logger, onEvent } = settings;
  let { concurrency, leaseMs } = settings;
  let status: WorkerStatus = 'idle';
  let startedAt = clock.wallMs();
  let clockOffsetMs = 0;
  let hurriedAtMs = Number.POSITIVE_INFINITY;
  let reporter: Reporter | null = null;
  let maintenance: Maintenance | null = null;
  let running: Promise<void> = Promise.resolve();
  const inHand = new Set<JobInHand>();
  const tally: Tally = { completed: 0, failed: 0, released: 0 };
  const draining = createSleeper();
  let markDrained: () => void = () => undefined;
  const drained = new Promise<void>((resolve) => {
    markDrained = resolve;
  });

  const onTrouble = (where: string, error: unknown) => {
    logger.debug({ where, err: error }, 'a call to Redis failed');
    onEvent({ type: 'trouble', where, error });
  };
  const outbox = createOutbox({ broker, clock, random, onTrouble });
  const heartbeat = createHeartbeat({
    broker,
    inHand,
    clock,
    leaseMs: () => leaseMs,
    onLost: (job) => {
      logger.warn({ queue: job.queue, jobId: job.ref.jobId }, 'the lease was lost; the handler was aborted');
      onEvent({ type: 'lease-lost', queue: job.queue, jobId: job.ref.jobId });
    },
    onTrouble: (error) => onTrouble('heartbeat', error),
  });
  const claimer = createClaimer({
    broker,
    workerId,
    clock,
    random,
    leaseMs: () => leaseMs,
    onClaimed: (claimed, lease) => void work(claimed, lease),
    onClock: (offsetMs) => {
      clockOffsetMs = offsetMs;
    },
    onTrouble,
  });
  const waiter = broker.waiter();
  const pool = createPool({
    queues,
    claimer,
    waiter,
    clock,
    random,
    onEvent,
    freeSlots: () => concurrency - inHand.size,
  });

  async function work(claimed: ClaimedJob, lease: Lease): Promise<void> {
    const job = new JobInHand(claimed, lease, settings.abortGraceMs);
    inHand.add(job);
    const { queue, jobId, attempt, delivery } = claimed;
    onEvent({ type: 'claimed', queue, jobId, attempt, delivery });
    // A claim that was under way when we were told to stop: given back unrun.
    const late = status !== 'running';
    heartbeat.arm();
    const end = late ? ({ kind: 'release' } as const) : await runJob(job, { ...settings, logger });
    await settle(job, end, outbox, tally, onEvent);
    if (end.kind === 'failed') maintenance?.dueIn(end.failure.retryInMs ?? 0);
    inHand.delete(job);
    pool.nudge();
    if (inHand.size === 0) draining.wake();
  }

  /** Waits until nothing is in hand, or until `endMs` (asked again at every wake-up: a hurry brings it forward). */
  async function emptyBefore(endMs: () => number): Promise<void> {
    for (let left = 1; inHand.size > 0 && left > 0; ) {
      left = endMs() - clock.monotonicMs();
      if (left > 0) await draining.sleep(left);
    }
  }

  const read = () => ({
    status: status === 'draining' ? ('draining' as const) : ('running' as const),
    host: settings.host,
    version: settings.version,
    startedAt,
    queues,
    concurrency,
    leaseMs,
    completed: tally.completed,
    failed: tally.failed,
    jobs: [...inHand].map(({ claimed, claimedAt, leaseUntil }) => ({
      queue: claimed.queue,
      jobId: claimed.jobId,
      jobType: claimed.envelope.jobType,
      startedAt: claimedAt,
      leaseUntil,
    })),
  });

  /**
   * Claims no more; waits; aborts; gives back. A handler that ignores its signal is given back while it still runs, as the
   * very last thing: the process is expected to exit when `drained` resolves, or that job runs twice at once.
   */
  async function drain(): Promise<void> {
    pool.stop();
    void reporter?.now();
    const drainEndsAtMs = clock.monotonicMs() + settings.drainMs;
    await emptyBefore(() => Math.min(drainEndsAtMs, hurriedAtMs));
    for (const job of inHand) job.abort('shutdown');
    await withDeadline(running, LAST_CALLS_MS, 'the last claim').catch((error) => onTrouble('stop', error));
    const graceEndsAtMs = clock.monotonicMs() + settings.abortGraceMs;
    await emptyBefore(() => Math.min(graceEndsAtMs, hurriedAtMs) + LAST_CALLS_MS);
    outbox.close();
    await withDeadline(claimer.settle(), LAST_CALLS_MS, 'abandoning lost claims').catch((error) =>
      onTrouble('stop', error),
    );
    heartbeat.stop();
    waiter.close();
    await withDeadline(maintenance?.stop() ?? Promise.resolve(), LAST_CALLS_MS, 'maintenance').catch(
      () => undefined,
    );
    await reporter?.end(
      hurriedAtMs < Number.POSITIVE_INFINITY ? 'stopped in a hurry' : 'stopped',
      tally.released,
      clock.wallMs() + clockOffsetMs,
    );
    status = 'stopped';
    logger.info({ workerId, ...tally, left: inHand.size }, 'the worker has stopped');
  }

  return {
    workerId,
    drained,
    start() {
      if (status !== 'idle') return;
      status = 'running';
      startedAt = clock.wallMs();
      maintenance = startMaintenance({
        broker,
        queues: Object.keys(queues),
        random,
        logger,
        redisNowMs: () => clock.wallMs() + clockOffsetMs,
        isIdle: () => pool.isIdle(),
        onTrouble,
      });
      reporter = startReporter({ broker, workerId, random, logger, read, onTrouble });
      running = pool.run();
      logger.info({ workerId, queues, concurrency, leaseMs }, 'the worker has started');
    },
    stop({ hurry = false } = {}) {
      if (hurry) {
        hurriedAtMs = Math.min(hurriedAtMs, clock.monotonicMs());
        for (const job of inHand) {
          job.abort('shutdown');
          job.giveUp();
        }
        draining.wake();
      }
      if (status === 'idle') {
        status = 'stopped';
        waiter.close();
        markDrained();
      } else if (status === 'running') {
        status = 'draining';
        void drain().then(markDrained, markDrained);
      }
      return drained;
    },
    adjust(change) {
      if (change.concurrency !== undefined)
        concurrency = parseOrThrow(concurrencySchema, change.concurrency, 'concurrency');
      if (change.leaseMs !== undefined) leaseMs = parseOrThrow(leaseSchema, change.leaseMs, 'leaseMs');
      heartbeat.arm();
      pool.nudge();
    },
    state: () => ({
      status,
      concurrency,
      leaseMs,
      inHand: [...inHand].map(({ claimed }) => ({
        queue: claimed.queue,
        jobId: claimed.jobId,
        jobType: claimed.envelope.jobType,
      })),
      ...tally,
    }),
  };
}
