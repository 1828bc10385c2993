/** A worker: claims jobs, runs their handlers under a lease, reports how they ended, and stops without losing any. */
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import { WORKER_ACTIONS } from '@/lib/contract/workers/worker-limits';
import type { PendingRequest } from '@/lib/contract/workers/worker-requests';
import { activeTracer } from '@/lib/tracing/active-tracer';
import type { BackgroundLoop } from '../process/background-loop';
import { type EndToEndTimes, startEndToEndTimes } from './background/end-to-end-times';
import { createHeartbeat } from './background/heartbeat';
import { startScheduleTicks } from './background/schedule-ticks';
import { type Maintenance, startMaintenance } from './background/worker-maintenance';
import { startWorkerReporter, type WorkerReporter } from './background/worker-reporter';
import { createClaimPool } from './claim/claim-pool';
import { createClaimer } from './claim/claimer';
import { createDrain } from './drain-worker';
import { createOtherReleases } from './releases/other-releases';
import { createUnknownJobs } from './releases/unknown-jobs-registry';
import { callInEmptyContext } from './run/empty-context';
import type { RunEnd } from './run/run-end';
import { createRunJob } from './run/run-job';
import { RunTrace } from './run/run-tracing';
import { type Lease, RunningJob } from './run/running-job';
import { createSettlement, type RunCounts } from './settle/settlement';
import { CALL_DEADLINE_MS, createDeadlines } from './worker-deadline';
import { carefulLogger, createNotify, jobLogger } from './worker-logging';
import { checkWorkerOptions, concurrencySchema, leaseSchema, type WorkerOptions } from './worker-options';
import { type ClaimedJob, SILENT, type Worker, type WorkerBroker, type WorkerStatus } from './worker-types';

const ASKED = { quiet: 'take no new jobs', resume: 'take jobs again', stop: 'end' };

/**
 * @example const worker = createWorker(broker, { queues: { default: 1 }, concurrency: 10, handlers: [sendEmail] });
 *          worker.start();
 *          stopOnSignals(worker);
 * @throws RedriveError VALIDATION naming every option that is wrong
 */
export function createWorker(broker: WorkerBroker, options: WorkerOptions): Worker {
  const settings = checkWorkerOptions(options);
  const { workerId, queues, clock, random, onEvent } = settings;
  const logger = carefulLogger(settings.logger);
  let { concurrency, leaseMs } = settings;
  let status: WorkerStatus = 'idle';
  let stopRequested = false;
  let startedAt = clock.wallMs();
  let clockOffsetMs = 0;
  let reporter: WorkerReporter | null = null;
  let maintenance: Maintenance | null = null;
  let schedules: BackgroundLoop | null = null;
  let times: EndToEndTimes | null = null;
  let running: Promise<void> = Promise.resolve();
  const inHand = new Set<RunningJob>();
  /** Jobs whose end is on its way to Redis free their capacity; bounded, or they would pile up when Redis is away. */
  let occupied = 0;
  const counts: RunCounts = { completed: 0, failed: 0, released: 0 };
  let markDrained: () => void = () => undefined;
  const drained = new Promise<void>((resolve) => {
    markDrained = resolve;
  });

  const onTrouble = (where: string, error: unknown) => {
    logger.debug({ where, err: error }, 'a call to Redis failed');
    onEvent({ type: 'trouble', where, error });
  };
  const redisNowMs = () => clock.wallMs() + clockOffsetMs;
  const notify = createNotify({
    logger: settings.logJobs ? logger : SILENT,
    onEvent,
    workerId,
    redisNowMs,
    clock,
  });
  const settlement = createSettlement({
    broker,
    clock,
    random,
    counts,
    notify,
    claimIsNear: (queue) => pool.claimIsNear(queue),
    // By the clock of Redis: that of the producer said when it was enqueued.
    onCompleted: (job) => times?.add(job.queue, redisNowMs() - job.claimed.createdAt),
    onLeft(job, dueInMs) {
      inHand.delete(job);
      if (dueInMs !== undefined) maintenance?.dueIn(dueInMs);
      if (inHand.size === 0) drain.jobEnded();
    },
    onAllLeft: () => fillSoon(),
    onTrouble,
  });
  const heartbeat = createHeartbeat({
    broker,
    inHand,
    clock,
    leaseMs: () => leaseMs,
    onAnswered: settlement.answered,
    onLost: (job) => notify?.(job, { type: 'lease-lost', queue: job.queue, jobId: job.jobId }),
    onTrouble: (error) => onTrouble('heartbeat', error),
  });
  const claimer = createClaimer({
    broker,
    workerId,
    clock,
    random,
    deadlines: createDeadlines(CALL_DEADLINE_MS),
    leaseMs: () => leaseMs,
    takeAcks: settlement.takeAcks,
    onClock: (offsetMs) => {
      clockOffsetMs = offsetMs;
    },
    onTrouble,
  });
  const unknownJobs = createUnknownJobs();
  const run = createRunJob({
    ...settings,
    broker,
    otherReleases: createOtherReleases({
      broker,
      own: settings.release.digest,
      forMs: settings.rolloutMs,
      clock,
      onTrouble: (error) => onTrouble('the releases of workers', error),
    }),
    onUnknown: (job, missing) => unknownJobs.note(job, missing, redisNowMs()),
    loggerOf: (job) => jobLogger(settings.logger, job, workerId),
    watch: heartbeat.watch,
    onEnd,
  });
  const waiter = broker.waiter();
  const pool = createClaimPool({
    queues,
    priority: settings.priority,
    claimer,
    waiter,
    clock,
    random,
    onEvent,
    freeCapacity: () => concurrency - Math.max(occupied, inHand.size - concurrency),
    capacity: () => concurrency,
    onClaimed: startJobs,
    onFilled: settlement.flush,
  });

  function startJobs(claimed: readonly ClaimedJob[], lease: Lease): void {
    const tracer = activeTracer();
    // All are of one queue.
    if (claimed[0]) maintenance?.noteClaim(claimed[0].queue);
    const jobs = claimed.map((job) => new RunningJob(job, lease, settings.abortGraceMs));
    // All of them before the first runs: it may end at once.
    occupied += jobs.length;
    for (const job of jobs) inHand.add(job);
    let shard: string | undefined;
    for (const job of jobs) {
      if (job.shardName !== shard) {
        shard = job.shardName;
        settlement.answered(shard);
      }
      heartbeat.watch(job);
      const { queue, jobId, attempt, delivery } = job.claimed;
      notify?.(job, { type: 'claimed', queue, jobId, attempt, delivery });
      // The worker was stopped since the claim left: given back unrun.
      if (status === 'draining' || status === 'stopped') onEnd(job, { kind: 'release' });
      else {
        if (tracer) job.trace = job.scope.runInAsyncScope(() => new RunTrace(tracer, job.claimed, workerId));
        run(job);
      }
    }
  }

  function onEnd(job: RunningJob, end: RunEnd): void {
    occupied -= 1;
    settlement.end(job, end);
    // Nothing else could end in this tick that would be worth waiting for.
    if (occupied === 0) pool.fill();
    else fillSoon();
  }

  let fillIsDue = false;
  /** At the end of this tick: all that ends in it goes to Redis in one call. */
  function fillSoon(): void {
    if (fillIsDue) return;
    fillIsDue = true;
    setImmediate(() => {
      fillIsDue = false;
      pool.fill();
    });
  }

  const read = () => ({
    status: status === 'draining' || status === 'quiet' ? status : ('running' as const),
    actions: [...WORKER_ACTIONS],
    host: settings.host,
    version: settings.version,
    startedAt,
    queues,
    concurrency,
    leaseMs,
    completed: counts.completed,
    failed: counts.failed,
    breakers: settings.breakers.report(redisNowMs()),
    handlers: settings.handlerReport.handlers,
    unknownJobs: unknownJobs.report(redisNowMs()),
    schemasDigest: settings.handlerReport.schemasDigest,
    jobs: [...inHand].map(({ claimed, lease, leaseUntil }) => ({
      queue: claimed.queue,
      jobId: claimed.jobId,
      jobType: claimed.jobType,
      startedAt: lease.claimedAt,
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
    settlement,
    claimer,
    onTrouble,
    reportNow: () => void reporter?.now(),
    async stopRest(hurried) {
      heartbeat.stop();
      waiter.close();
      // A tick under way may go on without us; it is harmless at any time.
      void maintenance?.stop();
      void schedules?.stop();
      const timesSent = times?.stop();
      await reporter?.end(
        hurried ? 'stopped in a hurry' : stopRequested ? 'stopped on request' : 'stopped',
        counts.released,
        clock.wallMs() + clockOffsetMs,
      );
      await timesSent;
      status = 'stopped';
      logger.info({ workerId, ...counts, left: inHand.size }, 'the worker has stopped');
    },
  });

  const REQUESTS = {
    quiet: () => worker.quiet(),
    resume: () => worker.resume(),
    stop: () => {
      stopRequested = true;
      void worker.stop();
    },
  };
  function obey({ action, actor, reason }: PendingRequest): void {
    logger.info({ workerId, action, actor, reason }, `an operator asks the worker to ${ASKED[action]}`);
    onEvent({ type: 'requested', action });
    REQUESTS[action]();
  }

  const worker: Worker = {
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
      times = startEndToEndTimes({ broker, random, logger, onTrouble });
      const { schemas } = settings.handlerReport;
      const { release } = settings;
      reporter = startWorkerReporter({
        broker,
        workerId,
        random,
        logger,
        schemas,
        release,
        read,
        onRequest: obey,
        onTrouble,
      });
      running = pool.run();
      logger.info({ workerId, queues, concurrency, leaseMs }, 'the worker has started');
    },
    quiet() {
      if (status !== 'running') return;
      status = 'quiet';
      pool.pause();
      void reporter?.now();
    },
    resume() {
      if (status !== 'quiet') return;
      status = 'running';
      pool.resume();
      void reporter?.now();
    },
    stop({ hurry = false } = {}) {
      if (hurry) drain.hurry();
      if (status === 'idle') {
        status = 'stopped';
        waiter.close();
        markDrained();
      } else if (status === 'running' || status === 'quiet') {
        status = 'draining';
        void drain.run().then(markDrained, markDrained);
      }
      return drained;
    },
    adjust(change) {
      if (change.concurrency !== undefined)
        concurrency = parseOrThrow(concurrencySchema, change.concurrency, 'concurrency');
      if (change.leaseMs !== undefined) leaseMs = parseOrThrow(leaseSchema, change.leaseMs, 'leaseMs');
      heartbeat.rearm();
      pool.fill();
    },
    state: () => ({
      status,
      concurrency,
      leaseMs,
      inHand: [...inHand].map(({ claimed }) => ({
        queue: claimed.queue,
        jobId: claimed.jobId,
        jobType: claimed.jobType,
      })),
      stopRequested,
      ...counts,
    }),
  };
  // A caller may be in a context of its own, of a handler for one: the loops of the worker must not go on in it.
  return {
    ...worker,
    start: () => callInEmptyContext(worker.start),
    quiet: () => callInEmptyContext(worker.quiet),
    resume: () => callInEmptyContext(worker.resume),
    stop: (how) => callInEmptyContext(worker.stop, how),
    adjust: (change) => callInEmptyContext(worker.adjust, change),
  };
}
