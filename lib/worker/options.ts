/** Fills in defaults, then checks everything at once, then refuses to start with all that is wrong. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { z } from 'zod';
import { CLAIM_MAX_JOBS, LEASE_DEFAULT_MS } from '@/lib/broker';
import { parseOrThrow } from '@/lib/contract/errors';
import { queueNameSchema, workerIdSchema } from '@/lib/contract/names';
import { RETRY_DEFAULT, retryPolicySchema } from '@/lib/contract/retry';
import { type Breakers, createBreakers } from './breakers';
import { PRIORITIES } from './fair-shares';
import { createRegistry, handlerSchema, type Registry } from './handler';
import { type HandlerReport, handlerReport } from './handler-report';
import { carefulLogger } from './logging';
import { type Clock, type Logger, type OnEvent, SILENT, SYSTEM_CLOCK, type WorkerOptions } from './types';

export const concurrencySchema = z.number().int().min(1).max(CLAIM_MAX_JOBS);
export const leaseSchema = z
  .number()
  .int()
  .min(100)
  .max(24 * 3_600_000);
const DAY_MS = 24 * 3_600_000;
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
    priority: z.enum(PRIORITIES).default('weighted'),
    concurrency: concurrencySchema,
    leaseMs: leaseSchema.default(LEASE_DEFAULT_MS),
    schedules: z.boolean().default(true),
    drainMs: z.number().int().min(0).max(DAY_MS).default(10_000),
    abortGraceMs: z.number().int().min(0).max(DAY_MS).default(2_000),
    workerId: workerIdSchema.optional(),
    host: z.string().default(() => hostname()),
    version: z.string().default(''),
    retry: retryPolicySchema.default(RETRY_DEFAULT),
    defaultTimeoutMs: z.number().int().min(1).max(DAY_MS).default(60_000),
    logJobs: z.boolean().default(true),
    handlers: z
      .array(handlerSchema)
      .min(1, 'give at least one handler: without any, each job it claims would die'),
    logger: loggerSchema.default(SILENT),
    onEvent: functionSchema<OnEvent>(),
    random: functionSchema<() => number>(),
    clock: z
      .custom<Clock>((value) => typeof value === 'object' && value !== null, 'must be a clock')
      .optional(),
  })
  .refine(({ queues, priority }) => priority === 'weighted' || !Object.keys(queues).some(isArrayIndex), {
    path: ['queues'],
    message:
      'JavaScript moves names that are whole numbers to the front of an object, so their order cannot be told: rename these queues, or use weights',
  });

type Options = z.output<typeof optionsSchema>;
export interface Settings extends Omit<Options, 'handlers' | 'onEvent' | 'random' | 'clock'> {
  workerId: string;
  registry: Registry;
  handlerReport: HandlerReport;
  breakers: Breakers;
  random: () => number;
  clock: Clock;
  logger: Logger;
  onEvent: OnEvent;
}

/** @throws RedriveError VALIDATION naming every option that is wrong or unknown */
export function checkOptions(options: WorkerOptions): Settings {
  const {
    handlers,
    random = Math.random,
    clock = SYSTEM_CLOCK,
    onEvent,
    ...checked
  } = parseOrThrow(optionsSchema, options, 'worker options');
  const { logger } = checked;
  const tell = guarded(onEvent, carefulLogger(logger));
  return {
    ...checked,
    workerId: checked.workerId ?? defaultWorkerId(),
    registry: createRegistry(handlers),
    handlerReport: handlerReport(handlers),
    breakers: createBreakers(
      handlers,
      () => clock.monotonicMs(),
      (jobType, state) => {
        logger.warn({ event: 'breaker', jobType, state }, `the circuit breaker of ${jobType} is ${state}`);
        tell({ type: 'breaker', jobType, state });
      },
    ),
    random,
    clock,
    logger,
    onEvent: tell,
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

/** A listener's fault must not end the loop that told it something. */
function guarded(onEvent: OnEvent | undefined, logger: Logger): OnEvent {
  return (event) => {
    try {
      onEvent?.(event);
    } catch (error) {
      logger.error({ err: error, event: event.type }, 'the listener for worker events failed');
    }
  };
}
