/** Which refused attempts are entered, under which name, and how often. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Actor, AuditEvent } from '@/lib/broker';
import { AUDIT_ENTRIES_MAX } from '@/lib/broker/audit/trim-log';
import type { ErrorCode } from '@/lib/contract/redrive-error';
import { routeFiles } from '@/testing/worlds/route-caller';
import { attemptedAction } from '../authorization/attempted-action';
import { isAuditedRefusal } from '../authorization/record-refusal';
import { REFUSALS_A_DAY, RefusalLog } from './audit-refusals';

process.env.REDIS_URL = 'redis://127.0.0.1:1';
process.env.LOG_LEVEL = 'silent';

describe('an attempt', () => {
  it.each([
    [
      'POST',
      'queues/email/pause',
      { action: 'queue.pause', queue: 'email', object: { kind: 'queue', id: 'email' } },
    ],
    ['POST', 'queues/e%6Dail/jobs', { action: 'job.enqueue', queue: 'email', object: null }],
    [
      'POST',
      'queues/email/jobs/j1/purge',
      { action: 'job.purge', queue: 'email', object: { kind: 'job', id: 'j1' } },
    ],
    ['POST', 'queues/email/jobs/j1/ack', { action: 'job.ack', weight: 'work' }],
    ['POST', 'queues/email/jobs/j1/toString', { action: 'job.unknown' }],
    ['POST', 'operations', { action: 'operation.start', weight: 'change' }],
    ['POST', 'operations/preview', { action: 'operation.preview', weight: 'look' }],
    [
      'POST',
      'operations/op-1/cancel',
      { action: 'operation.cancel', object: { kind: 'operation', id: 'op-1' } },
    ],
    ['GET', 'operations/op-1/file', { action: 'operation.download', weight: 'look' }],
    [
      'PATCH',
      'access/users/local%3Aann',
      { action: 'access.change', object: { kind: 'user', id: 'local:ann' } },
    ],
    ['DELETE', 'access/tokens/t1', { action: 'token.revoke', object: { kind: 'token', id: 't1' } }],
    ['GET', 'audit', { action: 'audit.read', weight: 'look' }],
    ['GET', 'queues/email/config', { action: 'queue.read', queue: 'email', weight: 'look' }],
    ['PATCH', '%E0%A4%A', { action: 'page.change', weight: 'change' }],
  ])('%s %s', (method, path, expected) => {
    expect(attemptedAction(method, path)).toMatchObject(expected);
  });

  it('has a name of its own on every route that changes something', async () => {
    const nameless: string[] = [];
    for (const { pattern, file } of routeFiles()) {
      if (!pattern.startsWith('/api/v1/')) continue;
      const path = pattern
        .slice('/api/v1/'.length)
        .replace(/\[action\]/, 'pause')
        .replace(/\[\w+\]/g, 'x');
      const { readFileSync } = await import('node:fs');
      for (const [, method = ''] of readFileSync(file, 'utf8').matchAll(
        /export const (POST|PUT|PATCH|DELETE)\b/g,
      ))
        if (
          /^[a-z]+\.change$/.test(attemptedAction(method, path).action) &&
          !/dead\/groups|schedules\/x|operations\/x|access\/users/.test(path)
        )
          nameless.push(`${method} ${path}`);
    }
    expect(nameless).toEqual([]);
  });
});

describe('what is entered', () => {
  const known = { known: true, claims: true };
  const tried = { known: false, claims: true };
  const stranger = { known: false, claims: false };
  it.each<['change' | 'look' | 'work', ErrorCode, typeof known, boolean]>([
    ['change', 'FORBIDDEN', known, true],
    ['look', 'FORBIDDEN', known, true],
    ['work', 'FORBIDDEN', known, true],
    ['change', 'REAUTHENTICATION_REQUIRED', known, true],
    ['change', 'WRONG_STATE', known, true],
    ['change', 'PREVIEW_STALE', known, true],
    ['change', 'VALIDATION', known, true],
    ['change', 'JOB_NOT_FOUND', known, true],
    ['look', 'JOB_NOT_FOUND', known, false],
    ['look', 'BAD_QUERY', known, false],
    ['work', 'STALE_CLAIM', known, false],
    ['work', 'QUEUE_NOT_FOUND', known, true],
    ['change', 'RATE_LIMITED', known, true],
    ['change', 'REDIS_UNAVAILABLE', known, false],
    ['change', 'UNAUTHENTICATED', tried, true],
    ['change', 'UNAUTHENTICATED', stranger, false],
    ['look', 'UNAUTHENTICATED', tried, false],
    ['change', 'CROSS_ORIGIN', stranger, true],
    ['look', 'CROSS_ORIGIN', stranger, false],
    ['change', 'SIGN_IN_FAILED', tried, false],
    ['change', 'TOO_MANY_ATTEMPTS', tried, false],
    ['change', 'VALIDATION', stranger, false],
  ])('%s %s %j: %s', (weight, code, who, expected) => {
    expect(isAuditedRefusal({ weight }, code, who)).toBe(expected);
  });
});

describe('repeats', () => {
  let entered: { note: AuditEvent; by: Actor }[];
  let refusals: RefusalLog;
  beforeEach(() => {
    entered = [];
    refusals = new RefusalLog(async (note, by) => {
      entered.push({ note, by });
    });
  });
  const add = (action: string, actorId: string, times = 1) => {
    for (let i = 0; i < times; i++)
      void refusals.add({ action, code: 'FORBIDDEN' }, { actor: actorId, actorId, address: '10.0.0.1' });
  };
  const counts = () => entered.map(({ note, by }) => [by.actorId, note.action, note.count]);

  it('are counted, and entered together', async () => {
    add('queue.pause', 'eve', 1_000);
    add('queue.drain', 'eve', 2);
    add('queue.pause', 'mallory');
    expect(counts()).toEqual([
      ['eve', 'queue.pause', 1],
      ['eve', 'queue.drain', 1],
      ['mallory', 'queue.pause', 1],
    ]);
    await refusals.flush();
    expect(counts().slice(3)).toEqual([
      ['eve', 'queue.pause', 999],
      ['eve', 'queue.drain', 1],
    ]);
    for (const { note } of entered) expect(note).toMatchObject({ result: 'refused', code: 'FORBIDDEN' });
    await refusals.flush();
    expect(entered).toHaveLength(5);
  });

  it('of very many are counted together: memory and log stay small, and none is lost', async () => {
    for (let i = 0; i < 10_000; i++) add(`act.${i}`, 'eve');
    add('queue.pause', 'mallory');
    expect(entered).toHaveLength(31);
    for (let i = 0; i < 5_000; i++)
      void refusals.add(
        { action: 'queue.pause', code: 'UNAUTHENTICATED' },
        { actor: 'anonymous', address: `10.0.${i >> 8}.${i & 255}` },
      );
    add('queue.drain', 'trent');
    expect(refusals.size).toBeLessThanOrEqual(203);
    await refusals.flush();
    expect(entered.length).toBeLessThan(250);
    expect(entered.reduce((sum, { note }) => sum + (note.count ?? 0), 0)).toBe(15_002);
  });

  it('of one person, with all their tokens, do not hide those of others', async () => {
    for (let i = 0; i < 1_000; i++)
      void refusals.add(
        { action: `act.${i % 50}`, code: 'FORBIDDEN' },
        { actor: 'ci', actorId: `token:${i % 20}`, ownerId: 'local:eve' },
      );
    expect(entered).toHaveLength(30);
    add('job.unmask', 'local:mallory');
    expect(counts().at(-1)).toEqual(['local:mallory', 'job.unmask', 1]);
    await refusals.flush();
    const beyond = entered.find(({ note }) => note.action === 'audit.refusals');
    expect(beyond).toMatchObject({ by: { ownerId: 'local:eve' }, note: { code: 'FORBIDDEN' } });
  });

  it('are within a bound an hour, too', async () => {
    for (let minute = 0; minute < 20; minute++) {
      for (let i = 0; i < 40; i++) add(`act.${i}`, 'eve');
      await refusals.flush();
    }
    expect(entered.filter(({ note }) => note.action !== 'audit.refusals')).toHaveLength(300);
    expect(entered.reduce((sum, { note }) => sum + (note.count ?? 0), 0)).toBe(800);
  });

  it('H1: of those without a session are bounded by place and for all of them, by the minute and by the hour', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const knock = (name: string, address: string) =>
        void refusals.add(
          { action: 'session.begin', code: 'SIGN_IN_FAILED', isStranger: true },
          { actor: name, actorId: `local:${name}`, address },
        );
      const first = () =>
        entered.filter(({ note }) => note.action !== 'audit.refusals' && note.count === 1).length;
      for (let i = 0; i < 3_000; i++) void knock(`name ${i}`, `2001:db8:1:2::${i.toString(16)}`);
      expect(first(), 'one /64 in a minute').toBe(5);
      for (let i = 0; i < 3_000; i++) void knock('ann', `2001:db8:${i.toString(16)}::1`);
      expect(first(), 'a /32 in a minute').toBe(10);
      for (let minute = 0; minute < 59; minute++) {
        await refusals.flush();
        vi.setSystemTime(Date.now() + 60_000);
        for (let i = 0; i < 50; i++) void knock('ann', `2001:db8:${(minute * 50 + i).toString(16)}::1`);
      }
      expect(first(), 'a /32 in an hour').toBe(60);
      expect(refusals.size).toBeLessThanOrEqual(200);
      // Whoever has a session has room of their own, and nobody who only tried their name has used it up.
      await refusals.add(
        { action: 'queue.pause', code: 'FORBIDDEN' },
        { actor: 'ann', actorId: 'local:ann' },
      );
      expect(counts().at(-1)).toEqual(['local:ann', 'queue.pause', 1]);
      await refusals.flush();
      expect(entered.reduce((sum, { note }) => sum + (note.count ?? 0), 0)).toBe(3_000 + 3_000 + 59 * 50 + 1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('H1: a day of them leaves most of the log to what was there, with five consoles', () => {
    expect(5 * REFUSALS_A_DAY.networks).toBeLessThan(AUDIT_ENTRIES_MAX / 8);
    expect(5 * REFUSALS_A_DAY.user).toBeLessThan(AUDIT_ENTRIES_MAX / 2);
  });

  it('say what was tried last, and on how many things', async () => {
    for (let i = 0; i < 30; i++)
      void refusals.add(
        { action: 'job.purge', code: 'FORBIDDEN', queue: 'email', object: { kind: 'job', id: `j${i}` } },
        { actor: 'eve', actorId: 'eve' },
      );
    await refusals.flush();
    expect(entered[1]?.note).toMatchObject({ object: { id: 'j0' }, count: 29 });
    expect(JSON.parse(entered[1]?.note.after ?? '')).toEqual({
      last: 'email: job j29',
      objects: 'more than 20',
    });
  });

  it('are entered after a minute by themselves', async () => {
    vi.useFakeTimers();
    try {
      add('queue.pause', 'eve', 3);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(counts()).toEqual([
        ['eve', 'queue.pause', 1],
        ['eve', 'queue.pause', 2],
      ]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('that cannot be written break nothing', async () => {
    const broken = new RefusalLog(async () => {
      throw new Error('Redis is away');
    });
    await broken.add({ action: 'queue.pause', code: 'FORBIDDEN' }, { actor: 'eve' });
    await broken.flush();
  });
});
