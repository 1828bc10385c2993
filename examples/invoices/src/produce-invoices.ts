/** Enqueues invoices: `node dist/produce.js 100`. Run twice, it enqueues nothing new, for an invoice's id is its job's. */
import { createClient } from 'redrive';
import { chargeInvoice, QUEUE } from './invoice-jobs.js';

const count = Number(process.argv[2] ?? 10);
const client = createClient({
  url: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379',
  actor: 'invoices',
});
try {
  const results = await client.enqueueMany(
    QUEUE,
    chargeInvoice,
    Array.from({ length: count }, (_, i) => ({
      jobId: `in_${i + 1}`,
      tenantId: i % 2 === 0 ? 'acme' : 'globex',
      maxAttempts: 5,
      payload: { invoiceId: `in_${i + 1}`, cents: 100 * (i + 1), email: `customer${i + 1}@example.com` },
    })),
  );
  const fresh = results.filter(({ outcome }) => outcome === 'ready').length;
  console.log(`${fresh} invoices enqueued, ${results.length - fresh} known already`);
} finally {
  client.close();
}
