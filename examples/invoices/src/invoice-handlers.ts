/** What each job does. */
import { defineHandler } from 'redrive';
import { chargeInvoice } from './invoice-jobs.js';
import type { Gateway, Mailer } from './invoice-services.js';

/** The card is charged once, however often the job runs: a run whose mail failed must not charge again. */
export const chargesInvoices = (gateway: Gateway, mailer: Mailer) =>
  defineHandler({
    ...chargeInvoice,
    timeoutMs: 10_000,
    run: async ({ invoiceId, cents, email }, { once, signal, logger }) => {
      const { value, reused } = await once(`charge ${invoiceId}`, (run) =>
        gateway.charge(invoiceId, cents, run.signal),
      );
      if (reused) logger.info({ receipt: value.receipt }, 'the invoice was charged by an earlier run');
      await mailer.send(email, `Receipt ${value.receipt}`, signal);
      return { receipt: value.receipt };
    },
  });
