/** What to do with a job: handlers by type and version, with a schema each for the payload. */
import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { type Envelope, jobVersionSchema } from '@/lib/contract/jobs/envelope';
import { jsonFault } from '@/lib/contract/json-fault';
import { jobTypeSchema } from '@/lib/contract/name-schemas';
import { parseOrThrow, validationError } from '@/lib/contract/parse-or-throw';
import { RedriveError } from '@/lib/contract/redrive-error';
import { createHandlerTable, findHandler, type MissingHandler } from '@/lib/contract/workers/handler-table';
import type { ClaimedJob, Logger } from '../worker-types';
import { type BreakerOptions, breakerOptionsSchema } from './circuit-breaker';
import type { Once } from './create-once';
import { MalformedError, UnsupportedVersionError } from './job-errors';

export interface HandlerContext {
  /** The envelope: everything about the job but its payload. */
  readonly job: Envelope;
  /** Which attempt this is, from 1. */
  readonly attempt: number;
  /** How often the job was handed out; with the job id it makes an idempotency key for one run. */
  readonly delivery: number;
  /** Fires when the run must end: timed out, lease lost, or shutting down (see `JobAborted`). Obey it. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /**
   * Does a piece of work only once for all runs of jobs of this type that name the same key: later ones get what the first
   * returned. See `createOnce` for what it promises.
   */
  readonly once: Once;
}

export interface HandlerDefinition<S extends z.ZodType> {
  readonly type: string;
  /** Job versions this handler understands. Default 1. */
  readonly version?: number;
  readonly versions?: readonly number[];
  readonly schema: S;
  /** After this long the run is aborted and fails as HANDLER_TIMEOUT; the job's own timeout comes first. */
  readonly timeoutMs?: number | ((job: Envelope) => number);
  /** Stops calling what is down: jobs are given back unrun for a while, without burning an attempt. Default off. */
  readonly breaker?: BreakerOptions | false;
  /** What it returns is kept as the result, as JSON of at most 4,000 characters. */
  run(payload: z.output<S>, ctx: HandlerContext): unknown;
}

export interface Handler {
  readonly type: string;
  readonly versions: readonly number[];
  readonly breaker?: BreakerOptions | false;
  /** Told to operators, so that an edited payload can be checked before it is put back. */
  readonly schema?: z.ZodType;
  /** In ms; 0: the worker's default. */
  readonly timeoutMs: number | ((job: Envelope) => number);
  /** The payload as `run` takes it. @throws MalformedError */
  check(payload: unknown): unknown;
  run(checked: unknown, ctx: HandlerContext): unknown;
}
/** A handler that still knows its payload's type, so that enqueueing for it can be checked. */
export interface TypedHandler<S extends z.ZodType> extends Handler {
  readonly schema: S;
}

/** Runs last at most this long; also the bound of a job's own timeout. */
const timeoutSchema = z
  .number()
  .int()
  .min(0)
  .max(24 * 3_600_000, 'must be at most a day');
const functionSchema = z.custom((value) => typeof value === 'function', 'must be a function');
const definitionSchema = z
  .strictObject({
    type: jobTypeSchema,
    version: jobVersionSchema.optional(),
    versions: z.array(jobVersionSchema).min(1, 'name at least one version').optional(),
    schema: z.custom(
      (value) => typeof (value as z.ZodType | null)?.safeParse === 'function',
      'must be a zod schema',
    ),
    timeoutMs: z.union([timeoutSchema, functionSchema]).optional(),
    breaker: z.union([breakerOptionsSchema, z.literal(false)]).optional(),
    run: functionSchema,
  })
  .refine(({ version, versions }) => version === undefined || versions === undefined, {
    path: ['versions'],
    message: 'give either version or versions, not both',
  });

/** What a worker takes as a handler. */
export const handlerSchema = z.custom<Handler>(
  (value) => typeof (value as Handler | null)?.check === 'function',
  'must be made by defineHandler',
);

/**
 * @throws RedriveError VALIDATION naming every part of the definition that is wrong or unknown
 * @example defineHandler({
 *   type: 'email.send',
 *   schema: z.object({ to: z.email() }),
 *   run: async ({ to }, { signal }) => ({ messageId: await mail.send(to, { signal }) }),
 * })
 */
export function defineHandler<S extends z.ZodType>(definition: HandlerDefinition<S>): TypedHandler<S> {
  parseOrThrow(definitionSchema, definition, 'handler');
  const { type, schema, timeoutMs = 0 } = definition;
  return {
    type,
    schema,
    versions: definition.versions ?? [definition.version ?? 1],
    breaker: definition.breaker,
    timeoutMs,
    check(payload) {
      const parsed = schema.safeParse(payload);
      if (!parsed.success) throw new PayloadRefused(validationError(parsed.error, 'payload').message);
      return parsed.data;
    },
    run: (checked, ctx) => definition.run(checked as z.output<S>, ctx),
  };
}

/** This worker has no handler for a job; one of another release may. */
export class NoHandler extends UnsupportedVersionError {
  constructor(
    message: string,
    code: string,
    readonly missing: MissingHandler,
  ) {
    super(message, code);
  }
}
/** The schema of this worker refuses a payload; that of another release may take it. */
export class PayloadRefused extends MalformedError {}

/** Finds the handler of a job. @throws NoHandler */
export type Registry = (job: ClaimedJob) => Handler;

/** @throws RedriveError VALIDATION when two handlers claim the same version of a type */
export function createRegistry(handlers: readonly Handler[]): Registry {
  const table = createHandlerTable(handlers, (type, version) => {
    throw new RedriveError('VALIDATION', `Two handlers are defined for ${type} version ${version}.`);
  });
  return ({ jobType, jobVersion }) => {
    const handler = findHandler(table, jobType, jobVersion);
    if (handler === 'unknown-type')
      throw new NoHandler(
        `No worker knows the job type ${jobType} (version ${jobVersion}).`,
        'UNKNOWN_TYPE',
        handler,
      );
    if (handler === 'unknown-version') {
      const versions = [...(table.get(jobType)?.keys() ?? [])].sort((a, b) => a - b).join(', ');
      throw new NoHandler(
        `No worker knows version ${jobVersion} of the job type ${jobType}; the one that had this job knows ${versions}.`,
        'UNKNOWN_VERSION',
        handler,
      );
    }
    return handler;
  };
}

const BYTE_ORDER_MARK = 0xfeff;

/**
 * No payload (say, one kept elsewhere under `payloadRef`) is `undefined`, for the schema to allow or refuse.
 * @throws MalformedError
 */
export function readPayload(job: Pick<ClaimedJob, 'payload' | 'payloadText'>): unknown {
  const text = payloadText(job);
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new MalformedError(`The payload is not JSON: ${jsonFault(text)}.`);
  }
}

/** @throws MalformedError */
export const payloadText = (job: Pick<ClaimedJob, 'payload' | 'payloadText'>): string =>
  job.payloadText ?? textOf(job.payload);

function textOf(payload: Buffer): string {
  if (!isUtf8(payload)) throw new MalformedError('The payload is not JSON: it is not UTF-8.');
  const text = payload.toString('utf8');
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}
