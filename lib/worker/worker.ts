/** A worker: claims jobs, runs their handlers under a lease, reports how they ended, and stops without losing any. */
import { parseOrThrow } from '@/lib/contract/errors';
import { createClaimer } from './claimer';
import { createDrain } from './drain';
import { createHeartbeat } from './heartbeat';
import { JobInHand, type Lease } from './job-in-hand';
import { carefulLogger, createJobLog, jobLogger } from './logging';
import type { Loop } from './loop';
import { type Maintenance, startMaintenance } from './maintenance';
import { checkOptions, concurrencySchema, leaseSchema } from './options';
import { createOutbox } from './outbox';
import { createPool } from './pool';
import { type Reporter, startReporter } from './report';
import { type RunEnd, runJob } from './run-job';
import { startScheduleTicks } from './schedules';
import { settle, type Tally } from './settle';
import { traceRun } from './tracing';
import {
  type ClaimedJob,
  SILENT,
  type Worker,
  type WorkerBroker,
  type WorkerEvent,
  type WorkerOptions,
  type WorkerStatus,
} from './types';

/**
 * @example const worker = createWorker(broker, { queues: { default: 1 }, concurrency: 10, handlers: [sendEmail] });
 *          worker.start();
 *          stopOnSignals(worker);
 * @throws RedriveError VALIDATION naming every option that is wrong
 */
export function createWorker(broker: WorkerBroker, options: WorkerOptions): Worker {
  const settings = checkOptions(options);
  const { workerId, queues, clock, random, onEvent } = settings;
  const logger = carefulLogger(settings.logger);
  let { concurrency, leaseMs } = settings;
  let status: WorkerStatus = 'idle';
  let startedAt = clock.wallMs();
  let clockOffsetMs = 0;
  let reporter: Reporter | null = null;
  let maintenance: Maintenance | null = null;
  let schedules: Loop | null = null;
  let running: Promise<void> = Promise.resolve();
  const inHand = new Set<JobInHand>();
  /** A job whose end is on its way to Redis has left its slot; not so many that they pile up when no end gets there. */
  let occupied = 0;
  const tally: Tally = { completed: 0, failed: 0, released: 0 };
  let markDrained: () => void = () => undefined;
  const drained = new Promise<void>((resolve) => {
    markDrained = resolve;
  });

  const onTrouble = (where: string, error: unknown) => {
    logger.debug({ where, err: error }, 'a call to Redis failed');
    onEvent({ type: 'trouble', where, error });
  };
  const redisNowMs = () => clock.wallMs() + clockOffsetMs;
  const logJob = createJobLog({ logger: settings.logJobs ? logger : SILENT, workerId, redisNowMs });
  const tell = (job: JobInHand, event: WorkerEvent, dueInMs?: number) => {
    logJob(job, event, dueInMs);
    onEvent(event);
  };
  const outbox = createOutbox({ broker, clock, random, claimIsNear: () => pool.claimIsNear(), onTrouble });
  const heartbeat = createHeartbeat({
    broker,
    inHand,
    clock,
    leaseMs: () => leaseMs,
    onLost: (job) => {
      tell(job, { type: 'lease-lost', queue: job.queue, jobId: job.ref.jobId });
    },
    onTrouble: (error) => onTrouble('heartbeat', error),
  });
  const claimer = createClaimer({
    broker,
    workerId,
    clock,
    random,
    leaseMs: () => leaseMs,
    takeAcks: outbox.takeAcks,
    onClaimed: (claimed, lease) => void work(claimed, lease),
    onClock: (offsetMs) => {
      clockOffsetMs = offsetMs;
    },
    onTrouble,
  });
  const runDeps = {
    ...settings,
    broker,
    loggerOf: (job: JobInHand) => jobLogger(settings.logger, job, workerId),
  };
  const waiter = broker.waiter();
  const pool = createPool({
    queues,
    priority: settings.priority,
    claimer,
    waiter,
    clock,
    random,
    onEvent,
    freeSlots: () => concurrency - Math.max(occupied, inHand.size - concurrency),
    slots: () => concurrency,
    onQuiet: outbox.flush,
  });

  async function work(claimed: ClaimedJob, lease: Lease): Promise<void> {
    const job = new JobInHand(claimed, lease, settings.abortGraceMs);
    inHand.add(job);
    occupied += 1;
    const { queue, jobId, attempt, delivery } = claimed;
    tell(job, { type: 'claimed', queue, jobId, attempt, delivery });
    // A claim that was under way when we were told to stop: given back unrun.
    const late = status !== 'running';
    heartbeat.arm();
    const run = () => runJob(job, runDeps);
    const end: RunEnd = late ? { kind: 'release' } : await traceRun(job, workerId, run);
    occupied -= 1;
    const dueInMs =
      end.kind === 'failed' ? end.failure.retryInMs : end.kind === 'release' ? end.delayMs : undefined;
    const settled = settle(job, end, outbox, tally, (event) => tell(job, event, dueInMs));
    pool.nudge();
    await settled;
    if (dueInMs !== undefined) maintenance?.dueIn(dueInMs);
    inHand.delete(job);
    pool.nudge();
    drain.jobEnded();
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
    breakers: settings.breakers.report(redisNowMs()),
    handlers: settings.handlerReport.handlers,
    schemasDigest: settings.handlerReport.schemasDigest,
    jobs: [...inHand].map(({ claimed, claimedAt, leaseUntil }) => ({
      queue: claimed.queue,
      jobId: claimed.jobId,
      jobType: claimed.envelope.jobType,
      startedAt: claimedAt,
      leaseUntil,
    })),
  });

  const drain = createDrain({
    inHand,
    clock,
    drainMs: settings.drainMs,
    abortGraceMs: settings.abortGraceMs,
    pool,
    running: () => running,
    outbox,
    claimer,
    onTrouble,
    reportNow: () => void reporter?.now(),
    async stopRest(hurried) {
      heartbeat.stop();
      waiter.close();
      // A tick under way may go on without us; it is harmless at any time.
      void maintenance?.stop();
      void schedules?.stop();
      await reporter?.end(
        hurried ? 'stopped in a hurry' : 'stopped',
        tally.released,
        clock.wallMs() + clockOffsetMs,
      );
      status = 'stopped';
      logger.info({ workerId, ...tally, left: inHand.size }, 'the worker has stopped');
    },
  });

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
        redisNowMs,
        isIdle: () => pool.isIdle(),
        onTrouble,
      });
      if (settings.schedules) schedules = startScheduleTicks({ broker, random, logger, onTrouble });
      const { schemas } = settings.handlerReport;
      reporter = startReporter({ broker, workerId, random, logger, schemas, read, onTrouble });
      running = pool.run();
      logger.info({ workerId, queues, concurrency, leaseMs }, 'the worker has started');
    },
    stop({ hurry = false } = {}) {
      if (hurry) drain.hurry();
      if (status === 'idle') {
        status = 'stopped';
        waiter.close();
        markDrained();
      } else if (status === 'running') {
        status = 'draining';
        void drain.run().then(markDrained, markDrained);
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
