/** Claims over HTTP, for workers in other languages. The same fencing as in the library: every change names its token. */

import { z } from 'zod';
import { jsonText } from '../exact-json';
import { errorCodeSchema, workerIdSchema } from '../name-schemas';
import { DAY_MS, MONTH_MS } from '../time-units';
import { wholeText } from '../whole-text';
import { envelopeSchema } from './envelope';
import { CLAIM_TOKEN_PATTERN } from './job-limits';
import { errorClassSchema } from './job-state-schemas';

export const claimTokenSchema = z.string().regex(CLAIM_TOKEN_PATTERN, 'is not a claim token');

export const claimRequestSchema = z.strictObject({
  worker: workerIdSchema,
  count: z.number().int().min(1).max(100).default(1),
  leaseMs: z
    .number()
    .int()
    .min(1_000, 'must be at least one second')
    .max(DAY_MS, 'must be at most a day')
    .default(30_000),
});
const RESULT_MAX_CHARS = 4_000;
/** Stored letter for letter. A `result` is any JSON value, stored as JSON. */
const resultText = wholeText().max(RESULT_MAX_CHARS);

/** What the holder of a claim may do with it, and what each call carries. */
export const CLAIM_ACTIONS = {
  ack: z
    .strictObject({
      token: claimTokenSchema,
      result: z.unknown().optional(),
      resultText: resultText.optional(),
    })
    .refine((ack) => ack.result === undefined || ack.resultText === undefined, {
      path: ['result'],
      message: 'give either result or resultText, not both',
    })
    .transform(({ token, result, resultText }) => ({ token, result: resultText ?? jsonText(result) }))
    .refine(({ result }) => result === undefined || result.length <= RESULT_MAX_CHARS, {
      path: ['result'],
      message: `is at most ${RESULT_MAX_CHARS} characters as JSON`,
    }),
  fail: z.strictObject({
    token: claimTokenSchema,
    errorClass: errorClassSchema.exclude(['cancelled', 'crash']),
    errorCode: errorCodeSchema,
    message: z.string().max(1_000),
    stack: z.string().max(3_000).optional(),
    /** Backoff before the next attempt, for retryable classes. */
    retryInMs: z.number().int().min(0).max(MONTH_MS).optional(),
  }),
  extend: z.strictObject({
    token: claimTokenSchema,
    leaseMs: z.number().int().min(1_000).max(DAY_MS),
  }),
  release: z.strictObject({ token: claimTokenSchema }),
} as const;

/** Claimed jobs over HTTP. */
export const claimReplySchema = z.object({
  jobs: z.array(
    z.object({
      token: z.string(),
      attempt: z.number(),
      delivery: z.number(),
      leaseUntil: z.number(),
      envelope: envelopeSchema,
      payload: z.string(),
      /** False when the payload is not UTF-8 text and is given as base64. */
      payloadIsText: z.boolean(),
    }),
  ),
  paused: z.boolean(),
  more: z.boolean(),
  nextAt: z.number().nullable(),
});
export type ClaimAction = keyof typeof CLAIM_ACTIONS;
