/** The response to a claim over HTTP, as clients read it. */
import { z } from 'zod';
import { envelopeSchema } from '@/lib/contract/jobs/envelope';

export const claimResponseSchema = z.object({
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
