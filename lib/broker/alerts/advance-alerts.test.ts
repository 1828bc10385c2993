import { describe, expect, test } from 'vitest';
import { ALERT_QUEUES_MAX } from '@/lib/contract/alerts/alert-limits';
import type { Alert, Silence } from '@/lib/contract/alerts/alert-schemas';
import type { StoredAlert } from '@/lib/contract/alerts/alert-storage';
import { type AlertChanges, type AlertFinding, type AlertReceiver, advanceAlerts } from './advance-alerts';
import { channel, finding, RULES } from './fixture-findings';

const SECOND = 1_000;
const NIGHT = channel('night', ({ level }) => level === 'bad');
const ALL = channel('all');

/** Alerts over time, as Redis would hold them. */
function course(channels: readonly AlertReceiver[] = [ALL]) {
  let live = new Map<string, StoredAlert>();
  let now = 1_000_000;
  let ids = 0;
  const ended: Alert[] = [];
  const silences: Silence[] = [];
  return {
    silences,
    ended,
    alert: (code = 'FAILING') => live.get(code),
    acknowledge(code = 'FAILING') {
      const alert = live.get(code);
      if (alert) live.set(code, { ...alert, acknowledged: { at: now, actor: 'Ada', note: null } });
    },
    now: () => now,
    /** @returns what was told: `channel event` */
    look(afterMs: number, findings: readonly AlertFinding[], isComplete = true): string[] {
      now += afterMs;
      const state = { now, live: [...live.values()], silences };
      const newId = () => `id${++ids}`;
      const changes: AlertChanges = advanceAlerts(
        state,
        { at: now, findings, isComplete },
        RULES,
        channels,
        newId,
      );
      live = new Map(live);
      for (const alert of changes.live) live.set(alert.code, alert);
      for (const code of changes.removed) live.delete(code);
      ended.push(...changes.ended);
      return changes.messages.map(({ channel: name, event }) => `${name} ${event}`);
    },
  };
}
const warn = (over: Partial<AlertFinding> = {}) => finding({ level: 'warn', ...over });

describe('a finding that lasts', () => {
  test('is told to channels that are named like members of objects, once', () => {
    const it = course(['constructor', 'toString', 'hasOwnProperty'].map((name) => channel(name)));
    it.look(0, [finding()]);
    expect(it.look(30 * SECOND, [finding()])).toEqual([
      'constructor fired',
      'toString fired',
      'hasOwnProperty fired',
    ]);
    expect(it.look(SECOND, [finding()])).toEqual([]);
    it.look(SECOND, []);
    expect(it.look(60 * SECOND, [])).toEqual(['constructor ended', 'toString ended', 'hasOwnProperty ended']);
  });

  test('fires when it has stood for as long as its rule says, and not again', () => {
    const it = course();
    expect(it.look(0, [finding()])).toEqual([]);
    expect(it.alert()).toMatchObject({ state: 'pending', firedAt: null, seenAt: it.now() });
    expect(it.look(29 * SECOND, [finding()])).toEqual([]);
    expect(it.look(SECOND, [finding()])).toEqual(['all fired']);
    const { sentence } = finding();
    expect(it.alert()).toMatchObject({ state: 'firing', firedAt: it.now(), firedSentence: sentence });
    it.look(SECOND, [{ ...finding(), sentence: 'Worse by now.' }]);
    expect(it.alert()).toMatchObject({ sentence: 'Worse by now.', firedSentence: sentence });
    for (let i = 0; i < 20; i++) expect(it.look(30 * SECOND, [finding()])).toEqual([]);
  });

  test('starts anew when a look does not have it before it fires', () => {
    const it = course();
    it.look(0, [finding()]);
    it.look(29 * SECOND, []);
    expect(it.alert()).toBeUndefined();
    it.look(SECOND, [finding()]);
    expect(it.look(29 * SECOND, [finding()])).toEqual([]);
    expect(it.look(SECOND, [finding()])).toEqual(['all fired']);
  });

  test('counts from when it became bad, or as a warning from its beginning', () => {
    const it = course();
    it.look(0, [warn()]);
    it.look(60 * SECOND, [finding()]);
    expect(it.look(29 * SECOND, [finding()])).toEqual([]);
    expect(it.look(SECOND, [finding()])).toEqual(['all fired']);
    const other = course();
    other.look(0, [warn()]);
    other.look(290 * SECOND, [finding()]);
    expect(other.look(10 * SECOND, [warn()])).toEqual(['all fired']);
  });

  test('a rule that is off makes no alert, and ends one', () => {
    const it = course();
    expect(it.look(0, [finding({ code: 'PAUSED' })])).toEqual([]);
    expect(it.alert('PAUSED')).toBeUndefined();
  });
});

describe('the end', () => {
  const firing = () => {
    const it = course();
    it.look(0, [finding()]);
    it.look(30 * SECOND, [finding()]);
    return it;
  };

  test('comes when the finding has not stood for a minute, dated when it went', () => {
    const it = firing();
    it.look(5 * SECOND, []);
    const goneAt = it.now();
    expect(it.look(59 * SECOND, [])).toEqual([]);
    expect(it.look(SECOND, [])).toEqual(['all ended']);
    expect(it.alert()).toBeUndefined();
    expect(it.ended).toMatchObject([{ state: 'ended', endedAt: goneAt, level: 'bad' }]);
  });

  test('says what was worst, not what was last: a storm is no two crashes', () => {
    const it = course();
    const crashes = (n: number, ...named: string[]) =>
      finding({ sentence: `${n} worker crashes in 1 min.`, queues: { total: named.length, named } });
    it.look(0, [crashes(3, 'mail')]);
    it.look(30 * SECOND, [crashes(71, 'mail', 'pay')]);
    it.look(5 * SECOND, [warn({ sentence: '90 worker crashes in 1 min.' })]);
    it.look(5 * SECOND, [crashes(2, 'mail')]);
    expect(it.alert()).toMatchObject({ sentence: '2 worker crashes in 1 min.' });
    it.look(5 * SECOND, []);
    it.look(60 * SECOND, []);
    // With its queues: who may not see one of them must not read of it.
    const queues = { total: 2, named: ['mail', 'pay'] };
    expect(it.ended).toMatchObject([{ sentence: '71 worker crashes in 1 min.', queues, level: 'bad' }]);
    expect(it.ended[0]).not.toHaveProperty('peak');
  });

  test('does not come while the finding comes and goes', () => {
    const it = firing();
    for (let i = 0; i < 10; i++) {
      expect(it.look(30 * SECOND, [])).toEqual([]);
      expect(it.look(29 * SECOND, [finding()])).toEqual([]);
    }
    expect(it.alert()).toMatchObject({ state: 'firing' });
  });

  test('is not concluded from a look that does not have all queues', () => {
    const it = firing();
    for (let i = 0; i < 10; i++) expect(it.look(30 * SECOND, [], false)).toEqual([]);
    expect(it.alert()).toMatchObject({ state: 'firing', goneAt: null });
  });

  test('leaves no trace of what never fired', () => {
    const it = course();
    it.look(0, [finding()]);
    it.look(SECOND, []);
    expect(it.ended).toEqual([]);
  });
});

describe('what becomes worse', () => {
  test('is told: a channel that hears of bad ones only hears that it fired', () => {
    const it = course([NIGHT, ALL]);
    it.look(0, [warn()]);
    expect(it.look(300 * SECOND, [warn()])).toEqual(['all fired']);
    expect(it.look(5 * SECOND, [finding()])).toEqual(['night fired', 'all worse']);
    expect(it.look(5 * SECOND, [warn()])).toEqual([]);
    expect(it.look(5 * SECOND, [finding()])).toEqual([]);
    it.look(5 * SECOND, []);
    expect(it.look(60 * SECOND, [])).toEqual(['all ended', 'night ended']);
  });

  const wider = (...named: string[]) => finding({ queues: { total: named.length, named } });
  test('new queues are told every five minutes at most, and not while a user takes care', () => {
    const it = course();
    it.look(0, [wider('a')]);
    it.look(30 * SECOND, [wider('a')]);
    expect(it.look(60 * SECOND, [wider('a', 'b')])).toEqual([]);
    expect(it.look(240 * SECOND, [wider('a', 'b')])).toEqual(['all worse']);
    expect(it.look(300 * SECOND, [wider('b')])).toEqual([]);
    expect(it.look(5 * SECOND, [wider('a', 'b')])).toEqual([]);
    it.acknowledge();
    expect(it.look(300 * SECOND, [wider('a', 'b', 'c')])).toEqual([]);
    expect(it.alert()?.acknowledged).toMatchObject({ actor: 'Ada' });
  });

  test('no more queues are named than fit', () => {
    const it = course();
    const names = Array.from({ length: 80 }, (_, i) => `q${i}`);
    it.look(0, [finding({ queues: { total: 200, named: names } })]);
    expect(it.alert()?.queues).toEqual({ total: 200, named: names.slice(0, ALERT_QUEUES_MAX) });
  });
});

describe('a silence', () => {
  const silence = (over: Partial<Silence>): Silence => ({
    id: 's',
    code: null,
    queue: null,
    reason: 'planned',
    actor: 'Ada',
    at: 0,
    until: Number.MAX_SAFE_INTEGER,
    ...over,
  });

  test('keeps an alert from being sent; what still stands at its end is sent then', () => {
    const it = course();
    it.silences.push(silence({ code: 'FAILING', until: it.now() + 120 * SECOND }));
    it.look(0, [finding()]);
    expect(it.look(30 * SECOND, [finding()])).toEqual([]);
    expect(it.alert()).toMatchObject({ state: 'firing', silencedBy: 's', firedAt: null });
    expect(it.look(90 * SECOND, [finding()])).toEqual(['all fired']);
    expect(it.alert()).toMatchObject({ silencedBy: null, firedAt: it.now() });
  });

  test('of queues holds only while every queue of the alert is silenced', () => {
    const it = course();
    it.silences.push(silence({ queue: 'mail' }));
    it.look(0, [finding()]);
    it.look(30 * SECOND, [finding()]);
    expect(it.alert()?.silencedBy).toBe('s');
    const two = finding({ queues: { total: 2, named: ['mail', 'sms'] } });
    expect(it.look(5 * SECOND, [two])).toEqual(['all fired']);
  });

  test('of another code or queue changes nothing, and none hides more queues than are named', () => {
    const it = course();
    it.silences.push(silence({ code: 'DEEP' }), silence({ queue: 'sms' }));
    it.look(0, [finding()]);
    expect(it.look(30 * SECOND, [finding()])).toEqual(['all fired']);
    const many = course();
    many.silences.push(silence({ queue: 'mail' }));
    const all = finding({ queues: { total: 60, named: ['mail'] } });
    many.look(0, [all]);
    expect(many.look(30 * SECOND, [all])).toEqual(['all fired']);
  });

  test('the end of what was told is told all the same', () => {
    const it = course();
    it.look(0, [finding()]);
    it.look(30 * SECOND, [finding()]);
    it.silences.push(silence({ code: 'FAILING' }));
    it.look(5 * SECOND, []);
    expect(it.look(60 * SECOND, [])).toEqual(['all ended']);
  });
});

test('many findings and channels are told in several looks', () => {
  const it = course(Array.from({ length: 20 }, (_, i) => channel(`c${i}`)));
  const findings = Array.from({ length: 30 }, (_, i) =>
    finding({ code: `CODE_${String.fromCharCode(65 + (i % 26))}${i < 26 ? '' : 'X'}` }),
  );
  it.look(0, findings);
  const told = [it.look(30 * SECOND, findings), it.look(5 * SECOND, findings), it.look(5 * SECOND, findings)];
  expect(told.map((messages) => messages.length)).toEqual([300, 300, 0]);
});
