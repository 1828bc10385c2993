/** What an application enqueues with, and asks about its jobs: a broker with types, traces and a name. */
import { z } from 'zod';
import {
  type Actor,
  type ApplicationBroker,
  type BrokerOptions,
  createBroker,
  type TriageOutcome,
} from '@/lib/broker/application';
import { type ResendOptions, resendOptionsSchema } from '@/lib/contract/jobs/claim-options';
import type { EnqueueInput, EnqueueResult } from '@/lib/contract/jobs/envelope';
import type { JobDetail } from '@/lib/contract/jobs/job-schemas';
import { sentenceSchema } from '@/lib/contract/name-schemas';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import type { PauseScope } from '@/lib/contract/queues/pause-schemas';
import { traceEnqueue } from '@/lib/tracing/trace-enqueue';
import { type Enqueueable, type EnqueueOptions, jobInput } from './job-definition';

export interface ClientOptions extends BrokerOptions {
  /** Who changes what this client changes, in the history of jobs. Default `application`. */
  readonly actor?: string;
  /** For how long `enqueue` sends jobs again when Redis does not answer: up to 55 s, default 30 s; 0: never. */
  readonly resendForMs?: number;
  /** So many bytes of jobs may wait for Redis at a time; what comes on top is not sent again. Default 64 MiB. */
  readonly resendMaxBytes?: number;
}

/** How one call is sent. */
export interface SendOptions {
  /** Instead of the client's. */
  readonly resendForMs?: number;
  /** No other try once it is aborted. */
  readonly signal?: AbortSignal;
}

/** Why something is done, kept with what it changed. */
export type ChangeContext = Omit<Actor, 'actor'>;
export type JobToEnqueue<S extends z.ZodType> = EnqueueOptions & { readonly payload: z.input<S> };

export interface Client {
  /** What the client has no method for. */
  readonly broker: ApplicationBroker;
  /** Connects and checks the server; calls do that by themselves. @throws RedriveError REDIS_UNSAFE | DATA_NEWER | REDIS_UNAVAILABLE */
  ready(): Promise<unknown>;
  /**
   * Adds one job. Sent again under its id until Redis answers or `resendForMs` is over: it is there once, whatever was lost on the way.
   * @throws RedriveError UNKNOWN_OUTCOME when it may be in and may not
   */
  enqueue<S extends z.ZodType>(
    queue: string,
    job: Enqueueable<S>,
    payload: z.input<S>,
    options?: EnqueueOptions,
    sending?: SendOptions,
  ): Promise<EnqueueResult>;
  /** Adds up to 1,000 jobs of one type. All are checked before any is sent. Results in the order given. */
  enqueueMany<S extends z.ZodType>(
    queue: string,
    job: Enqueueable<S>,
    jobs: readonly JobToEnqueue<S>[],
    sending?: SendOptions,
  ): Promise<EnqueueResult[]>;
  /** The same for jobs of several types, each made by `jobInput`. */
  enqueueMany(queue: string, jobs: readonly EnqueueInput[], sending?: SendOptions): Promise<EnqueueResult[]>;
  /** A job with its payload, state and history. @throws RedriveError JOB_NOT_FOUND */
  job(queue: string, jobId: string): Promise<JobDetail>;
  /** Hands out no more jobs of the queue, a tenant or a job type. */
  pause(queue: string, options: { reason: string; scope?: PauseScope; forMs?: number }): Promise<void>;
  resume(queue: string, scope?: PauseScope): Promise<void>;
  /** These change jobs by id and are safe to repeat; each answers what became of each. */
  promote(queue: string, jobIds: readonly string[], note?: ChangeContext): Promise<TriageOutcome[]>;
  cancel(queue: string, jobIds: readonly string[], note?: ChangeContext): Promise<TriageOutcome[]>;
  redrive(queue: string, jobIds: readonly string[], note?: ChangeContext): Promise<TriageOutcome[]>;
  suppress(queue: string, jobIds: readonly string[], note?: ChangeContext): Promise<TriageOutcome[]>;
  purge(queue: string, jobIds: readonly string[], note?: ChangeContext): Promise<TriageOutcome[]>;
  restore(queue: string, jobIds: readonly string[], note?: ChangeContext): Promise<TriageOutcome[]>;
  remove(queue: string, jobIds: readonly string[]): Promise<TriageOutcome[]>;
  /** Closes the connection, if the client opened it. */
  close(): void;
}

const actorSchema = sentenceSchema(100);
const { forMs: forMsSchema, maxBytes: maxBytesSchema } = resendOptionsSchema.shape;
const clientResendSchema = z
  .strictObject({ resendForMs: forMsSchema, resendMaxBytes: maxBytesSchema })
  .transform(({ resendForMs, resendMaxBytes }) => ({ forMs: resendForMs, maxBytes: resendMaxBytes }));
const sendOptionsSchema = z.strictObject({
  resendForMs: forMsSchema.removeDefault().optional(),
  signal: resendOptionsSchema.shape.signal,
});

/**
 * @example const client = createClient({ url: 'redis://127.0.0.1:6379' });
 *          await client.enqueue('billing', sendInvoice, { invoiceId: 'in_42' }, { jobId: 'in_42' });
 * @throws RedriveError VALIDATION when an option is wrong; nothing is connected before the first call
 */
export function createClient({
  actor = 'application',
  resendForMs,
  resendMaxBytes,
  ...options
}: ClientOptions): Client {
  const name = parseOrThrow(actorSchema, actor, 'actor');
  const { forMs, maxBytes } = parseOrThrow(
    clientResendSchema,
    { resendForMs, resendMaxBytes },
    'client options',
  );
  const broker = createBroker(options);
  const by = (note?: ChangeContext): Actor => ({ ...note, actor: name });

  const usual: ResendOptions = { forMs, maxBytes };
  const how = (sending?: SendOptions): ResendOptions => {
    if (sending === undefined) return usual;
    const { resendForMs: ownMs = forMs, signal } = parseOrThrow(sendOptionsSchema, sending, 'send options');
    return { forMs: ownMs, maxBytes, signal };
  };

  async function enqueueMany(
    queue: string,
    jobOrInputs: Enqueueable<z.ZodType> | readonly EnqueueInput[],
    jobsOrSending?: readonly JobToEnqueue<z.ZodType>[] | SendOptions,
    sendingTyped?: SendOptions,
  ): Promise<EnqueueResult[]> {
    const typed = 'schema' in jobOrInputs;
    const jobs = Array.isArray(jobsOrSending) ? (jobsOrSending as readonly JobToEnqueue<z.ZodType>[]) : [];
    const inputs = typed
      ? jobs.map(({ payload, ...rest }) => jobInput(jobOrInputs, payload, rest))
      : jobOrInputs;
    const resending = how(typed ? sendingTyped : (jobsOrSending as SendOptions | undefined));
    if (inputs.length === 0) return [];
    const sending = { queue, jobs: inputs.length, jobType: typed ? jobOrInputs.type : undefined };
    return traceEnqueue(sending, (traceParent) =>
      broker.enqueueManyUntil(
        queue,
        inputs.map((input) => ({ ...input, traceParent: input.traceParent ?? traceParent })),
        resending,
      ),
    );
  }

  return {
    broker,
    ready: () => broker.ready(),
    async enqueue(queue, job, payload, options, sending) {
      const input = jobInput(job, payload, options);
      const resending = how(sending);
      return traceEnqueue({ queue, jobs: 1, jobType: job.type }, (traceParent) =>
        broker.enqueueUntil(queue, { ...input, traceParent: input.traceParent ?? traceParent }, resending),
      );
    },
    enqueueMany,
    job: (queue, jobId) => broker.inspect.unmasked(queue, jobId),
    pause: (queue, pause) => broker.pause(queue, pause, by()),
    async resume(queue, scope) {
      await broker.resume(queue, scope, by());
    },
    promote: (queue, ids, note) => broker.promote(queue, ids, by(note)),
    cancel: (queue, ids, note) => broker.cancel(queue, ids, by(note)),
    redrive: (queue, ids, note) => broker.redrive(queue, ids, by(note)),
    suppress: (queue, ids, note) => broker.suppress(queue, ids, by(note)),
    purge: (queue, ids, note) => broker.purge(queue, ids, by(note)),
    restore: (queue, ids, note) => broker.restore(queue, ids, by(note)),
    remove: (queue, ids) => broker.remove(queue, ids, by()),
    close: () => broker.close(),
  };
}
