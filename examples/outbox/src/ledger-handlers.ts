/** What the job does, so that it is done exactly once though the job may run more than once. */
import { setTimeout as wait } from 'node:timers/promises';
import { defineHandler } from 'redrive';
import type { Ledger } from './ledger-database.js';
import { bookTransfer } from './ledger-jobs.js';

/**
 * Between the booking and the end of the job there is work to do (`afterMs` stands in for it), and a process may die in it.
 * The next run of the job then finds its booking, by the id of the job: the same for all its runs.
 */
export const booksTransfers = (ledger: Ledger, afterMs: number) =>
  defineHandler({
    ...bookTransfer,
    timeoutMs: 10_000,
    run: async ({ from, to, cents }, { job, signal }) => {
      const bookedNow = await ledger.book(job.jobId, from, to, cents);
      await wait(afterMs, undefined, { signal });
      return { booked: bookedNow ? 'by this run' : 'by an earlier run' };
    },
  });
