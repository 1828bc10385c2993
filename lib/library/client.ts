/** What an application enqueues with, and asks about its jobs: a broker with types, traces and a name. */
import type { z } from 'zod';
import { type Actor, type Broker, type BrokerOptions, createBroker, type TriageOutcome } from '@/lib/broker';
import type { EnqueueInput, EnqueueResult } from '@/lib/contract/envelope';
import { parseOrThrow } from '@/lib/contract/errors';
import type { JobDetail } from '@/lib/contract/job';
import { sentenceSchema } from '@/lib/contract/names';
import type { PauseScope } from '@/lib/contract/queue';
import { type Enqueueable, type EnqueueOptions, jobInput } from './job';
import { traceEnqueue } from './tracing';

export interface ClientOptions extends BrokerOptions {
  /** Who changes what this client changes, in the history of jobs. Default `application`. */
  readonly actor?: string;
}

/** Why something is done, kept with what it changed. */
export type Note = Omit<Actor, 'actor'>;
export type JobToEnqueue<S extends z.ZodType> = EnqueueOptions & { readonly payload: z.input<S> };

export interface Client {
  /** Everything else a broker can do. */
  readonly broker: Broker;
  /** Connects and checks the server; calls do that by themselves. @throws RedriveError REDIS_UNSAFE | REDIS_UNAVAILABLE */
  ready(): Promise<unknown>;
  /** Adds one job. Sent again with the same `jobId` it is found, not doubled. @throws RedriveError */
  enqueue<S extends z.ZodType>(
    queue: string,
    job: Enqueueable<S>,
    payload: z.input<S>,
    options?: EnqueueOptions,
  ): Promise<EnqueueResult>;
  /** Adds up to 1,000 jobs of one type. All are checked before any is sent. Results in the order given. */
  enqueueMany<S extends z.ZodType>(
    queue: string,
    job: Enqueueable<S>,
    jobs: readonly JobToEnqueue<S>[],
  ): Promise<EnqueueResult[]>;
  /** The same for jobs of several types, each made by `jobInput`. */
  enqueueMany(queue: string, jobs: readonly EnqueueInput[]): Promise<EnqueueResult[]>;
  /** A job with its payload, state and history. @throws RedriveError JOB_NOT_FOUND */
  job(queue: string, jobId: string): Promise<JobDetail>;
  /** Hands out no more jobs of the queue, a tenant or a job type. */
  pause(queue: string, options: { reason: string; scope?: PauseScope; forMs?: number }): Promise<void>;
  resume(queue: string, scope?: PauseScope): Promise<void>;
  /** These change jobs by id and are safe to repeat; each answers what became of each. */
  promote(queue: string, jobIds: readonly string[], note?: Note): Promise<TriageOutcome[]>;
  cancel(queue: string, jobIds: readonly string[], note?: Note): Promise<TriageOutcome[]>;
  redrive(queue: string, jobIds: readonly string[], note?: Note): Promise<TriageOutcome[]>;
  suppress(queue: string, jobIds: readonly string[], note?: Note): Promise<TriageOutcome[]>;
  purge(queue: string, jobIds: readonly string[], note?: Note): Promise<TriageOutcome[]>;
  restore(queue: string, jobIds: readonly string[], note?: Note): Promise<TriageOutcome[]>;
  remove(queue: string, jobIds: readonly string[]): Promise<TriageOutcome[]>;
  /** Closes the connection, if the client opened it. */
  close(): void;
}

const actorSchema = sentenceSchema(100);

/**
 * @example const client = createClient({ url: 'redis://127.0.0.1:6379' });
 *          await client.enqueue('billing', sendInvoice, { invoiceId: 'in_42' }, { jobId: 'in_42' });
 * @throws RedriveError VALIDATION when an option is wrong; nothing is connected before the first call
 */
export function createClient({ actor = 'application', ...options }: ClientOptions): Client {
  const name = parseOrThrow(actorSchema, actor, 'actor');
  const broker = createBroker(options);
  const by = (note?: Note): Actor => ({ ...note, actor: name });

  async function enqueueMany(
    queue: string,
    jobOrInputs: Enqueueable<z.ZodType> | readonly EnqueueInput[],
    jobs: readonly JobToEnqueue<z.ZodType>[] = [],
  ): Promise<EnqueueResult[]> {
    const typed = 'schema' in jobOrInputs;
    const inputs = typed
      ? jobs.map(({ payload, ...rest }) => jobInput(jobOrInputs, payload, rest))
      : jobOrInputs;
    if (inputs.length === 0) return [];
    const sending = { queue, jobs: inputs.length, jobType: typed ? jobOrInputs.type : undefined };
    return traceEnqueue(sending, (traceParent) =>
      broker.enqueueMany(
        queue,
        inputs.map((input) => ({ ...input, traceParent: input.traceParent ?? traceParent })),
      ),
    );
  }

  return {
    broker,
    ready: () => broker.ready(),
    async enqueue(queue, job, payload, options) {
      const input = jobInput(job, payload, options);
      return traceEnqueue({ queue, jobs: 1, jobType: job.type }, (traceParent) =>
        broker.enqueue(queue, { ...input, traceParent: input.traceParent ?? traceParent }),
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
