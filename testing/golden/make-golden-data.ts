/**
 * Writes testing/golden/<version>.json: every key of a Redis in which this version left jobs in each state and something of all else that it
 * keeps, as DUMP gives them. Made once with each release; later versions must read it (golden-data.redis.test.ts).
 *
 *   node --import ./scripts/ensure-lua.mjs --import tsx testing/golden/make-golden-data.ts
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { channel, finding, RULES } from '@/lib/broker/alerts/fixture-findings';
import { createSchedule } from '@/lib/broker/schedules/manage-schedules';
import { createBroker } from '@/testing/create-broker';
import { startRedis } from '../worlds/redis-server';

const AUDIT_KEY = 'the audit key of the golden data';
/** Of the secret `golden`. */
const TOKEN_DIGEST = createHash('sha256').update('golden').digest('hex');
const BY = { actor: 'ann', reason: 'for the golden data' };
/** Jobs and leases are of this moment, whenever the data are made. */
const MADE_AT = Date.UTC(2026, 10, 24, 12);
const MINUTE_MS = 60_000;
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
  let now = MADE_AT - 10 * MINUTE_MS;
  const broker = createBroker({ redis: client, clock: () => now });
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

  // Some minutes before: an operation on an own queue, and what is not about one job.
  await broker.config.change(
    'orders',
    { concurrency: 50, fair: 'tenant', tenantLimits: { acme: { concurrency: 9 } } },
    BY,
  );
  await enqueueOne('orders', 'unique', {
    unique: { key: 'order-1', scope: 'window', ttlMs: FAR - now },
    deadline: FAR,
  });
  for (const id of ['driven-1', 'driven-2']) {
    await enqueueOne('orders', id, { priority: 5 });
    await fail('orders', 'permanent');
  }
  const scope = { state: 'dead', q: 'queue:orders' } as const;
  const { token } = await broker.operations.preview({ kind: 'redrive', scope }, BY);
  const { id: operation } = await broker.operations.start({ previewToken: token, reason: BY.reason }, BY);
  for (let i = 0; i < 10; i++) await broker.operations.runSlice(operation, 'console-1');
  await broker.sharding.set('wide', { count: 4 }, BY);
  for (let i = 0; i < 8; i++) await enqueueOne('wide', `wide-${i}`);
  await broker.marks.add({ kind: 'deploy', text: 'web 41', queues: ['orders'] }, BY);
  await broker.searches.save({ name: 'no route', q: 'code:SMTP', shared: true }, 'ann', BY);
  await broker.access.users.change('local:bob', { disabled: true }, BY);
  const owner = { id: 'local:ann', name: 'Ann', method: 'local' as const };
  const grants = [{ role: 'producer' as const, queues: ['mail'], tenants: null }];
  const days = 90 * 86_400_000;
  await broker.access.tokens.create(
    { digest: TOKEN_DIGEST, name: 'deploy', hint: 'rdt_abcd', owner, grants, forMs: days },
    BY,
  );
  await broker.alerts.silence({ queue: 'orders', reason: BY.reason, forMs: days / 9 }, BY, 'request-1');
  for (let i = 0; i < 2; i++) {
    await broker.alerts.look({ at: now, findings: [finding()], isComplete: true }, RULES, [channel('night')]);
    now += MINUTE_MS;
  }
  now = MADE_AT - MINUTE_MS;
  await broker.foldAllQueues(['orders', 'wide']);
  // What comes after is still to be collected.
  await broker.audit.collect({ thorough: true, keys: [AUDIT_KEY] });

  now = MADE_AT;
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
