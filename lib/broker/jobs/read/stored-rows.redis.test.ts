/**
 * Scripts and TypeScript read the same rows. What Lua writes is read here, and what is written here Lua reads, in a real Redis; every
 * field has a value of its own, so that one that is renamed, missing or elsewhere fails.
 */
import { expect, it } from 'vitest';
import { parseTransfer } from '@/lib/broker/operations/kinds/job-transfer';
import { createSchedule } from '@/lib/broker/schedules';
import { decodeSchedule, encodeSchedule } from '@/lib/broker/schedules/schedule-row';
import type { EnqueueJob } from '@/lib/contract/jobs/envelope';
import { compile, readModule } from '@/scripts/lua.mjs';
import { BY, claimOne, setUpWorld } from '@/testing/worlds/world';
import { decodeEnvelope, decodeRow, encodeRow } from '../job-row';
import { parseClaim, parseDeathRow, parseHistoryLine, parseResult, parseTries } from './stored-rows';

const world = await setUpWorld();

/** Runs a line of Lua with a module of lib/broker/lua. */
function lua(module: string, expression: string, args: (string | Buffer)[] = []): Promise<unknown> {
  const source = `-- KEYS:\n-- ARGV:\n-- REPLY:\nlocal m = require('${module}')\nreturn ${expression}\n`;
  const script = compile('x', source, (id: string) => readModule(id), { mayLeaveKeys: true }).lua;
  return world.redis.eval(script, 0, '1000', ...args);
}

const JOB: EnqueueJob = {
  jobId: 'j-1',
  jobType: 'mail.send',
  jobVersion: 3,
  tenantId: 'acme',
  priority: -7,
  maxAttempts: 11,
  deadline: 1_700_000_000_001,
  timeoutMs: 4_321,
  unique: { key: 'order:1', ttlMs: 9_999, scope: 'window' },
  idempotencyKey: 'k-1',
  correlationId: 'c-1',
  payload: 'two\nlines',
  critical: true,
};

it('a job: written here, read by Lua and here', async () => {
  const row = Buffer.from(encodeRow(JOB, 1_234));
  expect(await lua('rows.job_row', '{ m.parse(ARGV[2]) }', [row])).toEqual([
    '-7',
    '11',
    '1700000000001',
    'mail.send',
    'acme',
    'w:9999:order:1',
    '3',
  ]);
  const head = String(await lua('rows.job_row', 'm.head(ARGV[2])', [row]));
  expect(decodeEnvelope('j-1', head)).toMatchObject({
    ...{ jobId: 'j-1', jobType: 'mail.send', jobVersion: 3, tenantId: 'acme', priority: -7, maxAttempts: 11 },
    ...{ deadline: 1_700_000_000_001, timeoutMs: 4_321, idempotencyKey: 'k-1', correlationId: 'c-1' },
    ...{ createdAt: 1_234, unique: { key: 'order:1', scope: 'window' } },
  });
  expect(decodeRow('j-1', row).payload.toString()).toBe('two\nlines');
});

it('attempts: written by Lua, read here and by Lua', async () => {
  const row = String(await lua('rows.attempt_row', "m.format(2, 3, 4, 5, '3-abc')"));
  expect(parseTries(row)).toEqual({ attempt: 2, deliveries: 3, losses: 4, redrives: 5 });
  expect(await lua('rows.attempt_row', '{ m.parse(ARGV[2]) }', [row])).toEqual(['2', '3', '4', '5', '3-abc']);
});

it('a claim and its result: written by the scripts, read here and by Lua', async () => {
  const queue = world.freshQueue();
  await world.broker.enqueueMany(queue, [{ ...JOB, deadline: world.clock.now + 60_000 }]);
  await world.redis.hset(world.column(queue, 'attempts'), 'j-1', '2 3 4 5 -');
  const { token } = await claimOne(world.broker, queue, 'worker-1');
  const stored = { token, worker: 'worker-1', claimedAt: world.clock.now, deliveries: 4, attempt: 3 };
  const bytes = await world.redis.hstrlen(world.column(queue, 'jobs'), 'j-1');
  const claim = (await world.redis.hget(world.column(queue, 'claims'), 'j-1')) ?? '';
  expect(parseClaim(claim)).toEqual({ ...stored, losses: 4, redrives: 5 });
  const fields = 'm.parse(ARGV[2])';
  const score = await lua('rows.claim_row', `${fields}.score`, [claim]);
  expect(
    await lua(
      'rows.claim_row',
      `{ ${['token', 'worker', 'claimedAt', 'attempt', 'losses', 'redrives', 'bytes', 'tenant', 'unique'].map((name) => `${fields}.${name}`).join(', ')} }`,
      [claim],
    ),
  ).toEqual([
    token,
    'worker-1',
    String(world.clock.now),
    '3',
    '4',
    '5',
    String(bytes),
    'acme',
    'w:9999:order:1',
  ]);
  expect(Number(score)).toBeGreaterThan(2 ** 41);
  await world.broker.ack(queue, [{ jobId: 'j-1', token, result: 'a result' }]);
  const result = (await world.redis.hget(world.column(queue, 'results'), 'j-1')) ?? '';
  expect(parseResult(result)).toEqual({ ...stored, losses: 4, redrives: 5, result: 'a result' });
});

it('a death: written by Lua, read here and by Lua', async () => {
  const death =
    "{ diedAt = '1001', class = 'permanent', code = 'HTTP_500', group = 'abc', type = 'mail', version = '3', tenant = 'acme', priority = '-7', attempt = '9', operation = 'op-1' }";
  const row = String(await lua('rows.death_row', `m.format(${death})`));
  expect(parseDeathRow(row)).toEqual({
    ...{ class: 'permanent', code: 'HTTP_500', group: 'abc', type: 'mail', version: 3, tenant: 'acme' },
    ...{ priority: -7, attempts: 9, operation: 'op-1' },
  });
  expect(await lua('rows.death_row', 'm.format(m.parse(ARGV[2]))', [row])).toBe(row);
  const names = ['class', 'code', 'group', 'type', 'version', 'tenant', 'priority', 'attempts', 'operation'];
  expect(
    await lua(
      'rows.death_row',
      `{ ${names.map((name) => `string.match(ARGV[2], m.FIELDS.${name}[1])`).join(', ')} }`,
      [row],
    ),
  ).toEqual(['permanent', 'HTTP_500', 'abc', 'mail', '3', 'acme', '-7', '9', 'op-1']);
});

it('a history entry: written by Lua, read here', async () => {
  const line = await lua(
    'rows.history_log',
    `m.format('failed', 2, 1003, 'worker-1', 'retryable', 'HTTP_503', '{"message":"it failed"}')`,
  );
  expect(parseHistoryLine(String(line))).toMatchObject({
    ...{ at: 1_000, kind: 'failed', delivery: 2, claimedAt: 1_003, worker: 'worker-1' },
    ...{ errorClass: 'retryable', errorCode: 'HTTP_503', message: 'it failed' },
  });
});

it('jobs on their way to another queue: written by Lua, read here and by Lua', async () => {
  const line = String(
    await lua('transfers.transfer', "m.format('j-1', 'dead', 1001, 'row', 'lo', '2 3 4 5 -', '1001 a b')"),
  );
  const stored = `7 1 2 4 tenant\n${line}\nrowlo`;
  expect(parseTransfer(Buffer.from(stored))).toMatchObject({
    batch: '7',
    sharding: '2 4 tenant',
    jobs: [
      {
        jobId: 'j-1',
        row: Buffer.from('row'),
        log: Buffer.from('lo'),
        deliveries: 3,
        redrives: 5,
        death: '1001 a b',
      },
    ],
  });
  const job = 'select(2, m.parse(ARGV[2]))[1]';
  expect(
    await lua(
      'transfers.transfer',
      `{ ${job}.id, ${job}.shelf, ${job}.score, ${job}.row, ${job}.log, ${job}.attempts, ${job}.death }`,
      [stored],
    ),
  ).toEqual(['j-1', 'dead', '1001', 'row', 'lo', '2 3 4 5 -', '1001 a b']);
});

it('a schedule: written here, moved on by Lua, read here', async () => {
  const input = {
    id: 's-1',
    queue: world.freshQueue(),
    timing: { everyMs: 60_000 },
    job: { jobType: 'mail' },
  };
  await createSchedule(world.broker, input, BY);
  const key = world.keys.global('schedulesRecords');
  const before = decodeSchedule('s-1', (await world.redis.hget(key, 's-1')) ?? '');
  if (!before) throw new Error('the schedule cannot be read');
  const last = { fireTime: 5_001, jobId: 'j-1', outcome: 'entered' as const };
  expect(await world.broker.schedules.advance(before, 6_002, { last, entered: 7, skipped: 8 })).toBe(true);
  const text = (await world.redis.hget(key, 's-1')) ?? '';
  const after = decodeSchedule('s-1', text);
  expect(after?.schedule).toEqual({ ...before.schedule, nextAt: 6_002, last, entered: 7, skipped: 8 });
  expect(after && encodeSchedule(after)).toBe(text);
});
