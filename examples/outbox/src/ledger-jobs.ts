/** The one kind of job: money from one account to another. */
import { defineJob } from 'redrive';
import { z } from 'zod';

export const QUEUE = 'transfers';

export const bookTransfer = defineJob({
  type: 'transfer.book',
  schema: z.strictObject({
    from: z.string().regex(/^[a-z]+$/),
    to: z.string().regex(/^[a-z]+$/),
    cents: z.number().int().positive(),
  }),
});
