/** A kind of job, known to those who enqueue it and those who run it alike. */
import { z } from 'zod';
import { type EnqueueInput, jobVersionSchema } from '@/lib/contract/jobs/envelope';
import { jobTypeSchema } from '@/lib/contract/name-schemas';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import { RedriveError } from '@/lib/contract/redrive-error';

export interface JobDefinition<S extends z.ZodType> {
  readonly type: string;
  readonly version: number;
  readonly schema: S;
}

/** What can be enqueued with a checked payload: a job definition, or the handler itself. */
export interface Enqueueable<S extends z.ZodType> {
  readonly type: string;
  readonly version?: number;
  /** Of several versions a handler knows, the newest is enqueued. */
  readonly versions?: readonly number[];
  readonly schema: S;
}

/** Everything that may be said of a job besides its type and payload. */
export type EnqueueOptions = Omit<EnqueueInput, 'jobType' | 'jobVersion' | 'payload'>;

const definitionSchema = z.strictObject({
  type: jobTypeSchema,
  version: jobVersionSchema.default(1),
  schema: z.custom(
    (value) => typeof (value as z.ZodType | null)?.safeParse === 'function',
    'must be a zod schema',
  ),
});

/**
 * Names a type, its version and the shape of its payload once, in a file both sides import.
 *
 * @throws RedriveError VALIDATION naming every part that is wrong or unknown
 * @example export const sendInvoice = defineJob({ type: 'invoice.send', schema: z.object({ invoiceId: z.string() }) });
 *          const handler = defineHandler({ ...sendInvoice, run: ({ invoiceId }) => mail(invoiceId) });
 */
export function defineJob<S extends z.ZodType>(definition: {
  readonly type: string;
  /** Default 1. Raise it when old workers could not run the new payload. */
  readonly version?: number;
  readonly schema: S;
}): JobDefinition<S> {
  const { type, version } = parseOrThrow(definitionSchema, definition, 'job definition');
  return { type, version, schema: definition.schema };
}

/**
 * A job ready to be enqueued. What its handler would refuse is refused here: the schema judges the payload as it will read
 * after its way through JSON, where a `Date` is a string and `undefined` is nothing.
 * @throws RedriveError VALIDATION naming each field of the payload that is wrong
 */
export function jobInput<S extends z.ZodType>(
  job: Enqueueable<S>,
  payload: z.input<S>,
  options: EnqueueOptions = {},
): EnqueueInput {
  const text = toJson(payload);
  parseOrThrow(job.schema, text === undefined ? undefined : JSON.parse(text), 'payload');
  return {
    ...options,
    jobType: job.type,
    jobVersion: job.version ?? Math.max(...(job.versions?.length ? job.versions : [1])),
    payload: text,
  };
}

function toJson(payload: unknown): string | undefined {
  try {
    // Its type says string; for undefined, functions and symbols it is undefined.
    return JSON.stringify(payload) as string | undefined;
  } catch (error) {
    const why = error instanceof TypeError ? 'it holds a bigint or a circle' : 'its toJSON failed';
    throw new RedriveError('VALIDATION', `payload cannot be written as JSON: ${why}.`, {
      fields: [{ field: 'payload', message: `cannot be written as JSON: ${why}` }],
      cause: error,
    });
  }
}
