/**
 * Writes testing/golden/<version>.json: every key of a Redis in which this version left jobs in each state, settings, a pause, a schedule and
 * a failure group, as DUMP gives them. Made once with each release; later versions must read it (golden-data.redis.test.ts).
 *
 *   node --import ./scripts/ensure-lua.mjs --import tsx testing/golden/make-golden-data.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBroker } from '@/lib/broker';
import { createSchedule } from '@/lib/broker/schedules/manage-schedules';
import { startRedis } from '../worlds/redis-server';

const BY = { actor: 'ann', reason: 'for the golden data' };
/** Jobs and leases are of this moment, whenever the data are made. */
const MADE_AT = Date.UTC(2026, 10, 23, 12);
const FAR = MADE_AT + 360 * 86_400_000;
const job = (jobId: string, more: object = {}) => ({
  jobId,
  jobType: 'mail.send',
  payload: `{"to":"${jobId}@example.com","n":12345678901234567890}`,
  tenantId: 'acme',
  ...more,
});

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
const redis = await startRedis();
try {
  const client = redis.connect();
  const broker = createBroker({ redis: client, clock: () => MADE_AT });
  const enqueueOne = (queue: string, id: string, more = {}) => broker.enqueue(queue, job(id, more));
  const claim = async (queue: string) => {
    const [claimed] = (await broker.claim(queue, { worker: 'w1', leaseMs: 15_000 })).jobs;
    if (!claimed) throw new Error(`There was nothing to claim in ${queue}.`);
    return claimed;
  };
  const fail = async (queue: string, errorClass: 'permanent' | 'retryable') => {
    const { jobId, token } = await claim(queue);
    await broker.fail(queue, [
      { jobId, token, failure: { errorClass, errorCode: 'SMTP', message: 'No route.' } },
    ]);
  };

  await enqueueOne('mail', 'completed');
  const done = await claim('mail');
  await broker.ack('mail', [{ jobId: done.jobId, token: done.token, result: '{"sent":true}' }]);
  for (const id of ['dead', 'suppressed', 'trashed']) {
    await enqueueOne('mail', id);
    await fail('mail', 'permanent');
  }
  await broker.suppress('mail', ['suppressed'], BY);
  await broker.purge('mail', ['trashed'], BY);
  await enqueueOne('mail', 'retry');
  await fail('mail', 'retryable');
  await enqueueOne('mail', 'in-flight');
  await claim('mail');
  await enqueueOne('mail', 'scheduled', { notBefore: FAR });
  for (const [id, priority] of [
    ['ready-low', 1],
    ['ready-high', 9],
  ] as const)
    await enqueueOne('mail', id, { priority });
  await broker.config.change('mail', { depthLimit: 1_000, deadKeepMs: 7 * 86_400_000 }, BY);
  await enqueueOne('reports', 'paused-one');
  await broker.pause('reports', { reason: 'while the disk is full' }, BY);
  await createSchedule(
    broker,
    {
      id: 'nightly',
      queue: 'reports',
      timing: { cron: '0 3 * * *', timeZone: 'Europe/Berlin' },
      job: { jobType: 'report.build' },
    },
    BY,
  );

  const keys = (await client.keys('*')).sort();
  const rows = await Promise.all(
    keys.map(async (key) => ({
      key,
      ttlMs: await client.pttl(key),
      dump: (await client.dumpBuffer(key))?.toString('base64') ?? '',
    })),
  );
  const file = join(import.meta.dirname, `${version}.json`);
  writeFileSync(file, `${JSON.stringify({ version, madeAt: MADE_AT, keys: rows }, null, 1)}\n`);
  console.log(`${file}: ${rows.length} keys.`);
  broker.close();
} finally {
  await redis.stop();
}
