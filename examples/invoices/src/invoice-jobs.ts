/** The kinds of job there are. Producers and workers import this file. */
import { defineJob } from 'redrive';
import { z } from 'zod';

export const QUEUE = 'billing';

export const chargeInvoice = defineJob({
  type: 'invoice.charge',
  schema: z.strictObject({
    invoiceId: z.string().regex(/^in_\d+$/),
    cents: z.number().int().positive(),
    email: z.email(),
  }),
});
