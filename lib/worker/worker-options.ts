/** Fills in defaults, then checks everything at once, then refuses to start with all that is wrong. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { z } from 'zod';
import { CLAIM_MAX_JOBS, LEASE_DEFAULT_MS, type ReportedRelease } from '@/lib/broker/application';
import { RETRY_DEFAULT } from '@/lib/contract/jobs/retry-policy';
import { queueNameSchema, workerIdSchema } from '@/lib/contract/name-schemas';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import type { RetryPolicy } from '../contract/jobs/retry-policy';
import { retryPolicySchema } from '../contract/queues/queue-config';
import type { QueuePriority } from './claim/fair-shares';
import { QUEUE_PRIORITIES } from './claim/fair-shares';
import { type BreakerRegistry, createBreakerRegistry } from './run/breaker-registry';
import { callInEmptyContext } from './run/empty-context';
import type { Handler } from './run/handler';
import { createRegistry, handlerSchema, type Registry } from './run/handler';
import { type HandlerReport, handlerReport, releaseReport } from './run/handler-report';
import { carefulLogger } from './worker-logging';
import { type Clock, type Logger, NO_LISTENER, type OnEvent, SILENT, SYSTEM_CLOCK } from './worker-types';

export const concurrencySchema = z.number().int().min(1).max(CLAIM_MAX_JOBS);
export const leaseSchema = z
  .number()
  .int()
  .min(100)
  .max(24 * 3_600_000);
const DAY_MS = 24 * 3_600_000;
/** Longer than a deploy takes, with one that is taken back. */
export const ROLLOUT_DEFAULT_MS = 600_000;
const LOGGER_METHODS = ['debug', 'info', 'warn', 'error'] as const;
const isArrayIndex = (name: string) => /^(0|[1-9]\d{0,9})$/.test(name);

const functionSchema = <F>() =>
  z.custom<F>((value) => typeof value === 'function', 'must be a function').optional();
const loggerSchema = z.custom<Logger>(
  (value) => LOGGER_METHODS.every((name) => typeof (value as Logger | null)?.[name] === 'function'),
  `must have the methods ${LOGGER_METHODS.join(', ')}`,
);

const optionsSchema = z
  .strictObject({
    queues: z
      .record(queueNameSchema, z.number().positive())
      .refine((queues) => Object.keys(queues).length > 0, 'name at least one queue'),
    priority: z.enum(QUEUE_PRIORITIES).default('weighted'),
    concurrency: concurrencySchema,
    leaseMs: leaseSchema.default(LEASE_DEFAULT_MS),
    schedules: z.boolean().default(true),
    drainMs: z.number().int().min(0).max(DAY_MS).default(10_000),
    abortGraceMs: z.number().int().min(0).max(DAY_MS).default(2_000),
    workerId: workerIdSchema.optional(),
    host: z.string().default(() => hostname()),
    version: z.string().default(''),
    rolloutMs: z.number().int().min(0).max(DAY_MS).default(ROLLOUT_DEFAULT_MS),
    retry: retryPolicySchema.default(RETRY_DEFAULT),
    defaultTimeoutMs: z.number().int().min(1).max(DAY_MS).default(60_000),
    logJobs: z.boolean().default(true),
    handlers: z
      .array(handlerSchema)
      .min(1, 'give at least one handler: without any, each job it claims would die'),
    logger: loggerSchema.default(() => SILENT),
    onEvent: functionSchema<OnEvent>(),
    random: functionSchema<() => number>(),
    clock: z
      .custom<Clock>((value) => typeof value === 'object' && value !== null, 'must be a clock')
      .optional(),
  })
  .refine(({ queues, priority }) => priority === 'weighted' || !Object.keys(queues).some(isArrayIndex), {
    path: ['queues'],
    message:
      'JavaScript moves names that are whole numbers to the front of an object, so their order is lost: rename these queues, or use weights',
  });

type Options = z.output<typeof optionsSchema>;
export interface WorkerSettings extends Omit<Options, 'handlers' | 'onEvent' | 'random' | 'clock'> {
  workerId: string;
  registry: Registry;
  handlerReport: HandlerReport;
  release: ReportedRelease;
  breakers: BreakerRegistry;
  random: () => number;
  clock: Clock;
  logger: Logger;
  onEvent: OnEvent;
}

/** @throws RedriveError VALIDATION naming every option that is wrong or unknown */
export function checkWorkerOptions(options: WorkerOptions): WorkerSettings {
  const { handlers, onEvent, ...checked } = parseOrThrow(optionsSchema, options, 'worker options');
  const random = isolated(checked.random) ?? Math.random;
  const clock = checked.clock ? isolatedClock(checked.clock) : SYSTEM_CLOCK;
  const { logger } = checked;
  const reported = handlerReport(handlers);
  const ownLogger = carefulLogger(logger);
  const notify = safeListener(onEvent, ownLogger);
  return {
    ...checked,
    workerId: checked.workerId ?? defaultWorkerId(),
    registry: createRegistry(handlers),
    handlerReport: reported,
    release: releaseReport(checked.version, Object.keys(checked.queues), reported),
    breakers: createBreakerRegistry(
      handlers,
      () => clock.monotonicMs(),
      (jobType, state) => {
        ownLogger.warn({ event: 'breaker', jobType, state }, `the circuit breaker of ${jobType} is ${state}`);
        notify({ type: 'breaker', jobType, state });
      },
    ),
    random,
    clock,
    logger,
    onEvent: notify,
  };
}

/** The random part keeps apart two processes that are given the same pid after a crash. */
function defaultWorkerId(): string {
  const host =
    hostname()
      .replace(/[^A-Za-z0-9-]/g, '-')
      .replace(/^-+/, '')
      .slice(0, 40) || 'host';
  return `${host}-${process.pid}-${randomBytes(3).toString('hex')}`;
}

const isolated = <R>(call: (() => R) | undefined): (() => R) | undefined =>
  call && (() => callInEmptyContext(call));

const isolatedClock = (clock: Clock): Clock => ({
  wallMs: () => callInEmptyContext(() => clock.wallMs()),
  monotonicMs: () => callInEmptyContext(() => clock.monotonicMs()),
});

/** A failing listener must not end the loop that called it. */
function safeListener(onEvent: OnEvent | undefined, logger: Logger): OnEvent {
  if (!onEvent) return NO_LISTENER;
  return (event) => {
    try {
      callInEmptyContext(onEvent, event);
    } catch (error) {
      logger.error({ err: error, event: event.type }, 'the listener for worker events failed');
    }
  };
}

export interface WorkerOptions {
  /** Queue → weight: the share of runs each gets while all are busy. None starves. */
  queues: Readonly<Record<string, number>>;
  /**
   * `weighted` (default): by weight. `strict`: in the order given, whatever the weights: a queue gets only the capacity that none
   * above it can use, so it waits as long as one of these is busy.
   */
  priority?: QueuePriority;
  concurrency: number;
  handlers: readonly Handler[];
  leaseMs?: number;
  /** Whether it enters the jobs of schedules that fall due, of all queues. Default true; some process has to. */
  schedules?: boolean;
  /** How long a stopping worker lets its jobs finish before it aborts them. Default 10 s. */
  drainMs?: number;
  /** How long an aborted handler may take to end before its capacity is freed without it. Default 2 s. */
  abortGraceMs?: number;
  /** Unique to one process at a time: reclaim and the registry go by it. */
  workerId?: string;
  host?: string;
  /** Its release, such as a commit: workers of another one may know job types, versions and payloads that this one does not. */
  version?: string;
  /**
   * A job that only workers of another release can run is given back unrun, without an attempt, as long as one of them was seen within
   * this many ms. Default 10 min; at most a day.
   */
  rolloutMs?: number;
  /** For queues and job types that set no policy of their own. */
  retry?: RetryPolicy;
  /** For jobs and handlers that name no timeout. Default 60 s. */
  defaultTimeoutMs?: number;
  /** Chance in [0, 1). */
  random?: () => number;
  clock?: Clock;
  /** Default: silent. `createLogger()` makes one; any other with these four methods will do. */
  logger?: Logger;
  /** A line for each change of a job's state. Default true; false: only what concerns the worker itself. */
  logJobs?: boolean;
  onEvent?: OnEvent;
}
