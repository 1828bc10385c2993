import { beforeEach, describe, expect, test } from 'vitest';
import type { AlertRules } from '@/lib/broker/alerts';
import type { Alert } from '@/lib/contract/alerts/alert-schemas';
import type { AlertChannel } from '../alert-config';
import type { SendFailure } from '../send-messages';
import { type OwnMessage, RedisAlert } from './redis-alert';

const RULES: AlertRules = { forMs: () => 10_000, resolveAfterMs: 60_000 };
const channel = (name: string, more: object = {}): AlertChannel =>
  ({
    name,
    kind: 'webhook',
    url: 'https://x.example',
    secret: 'x',
    levels: ['bad', 'warn'],
    ...more,
  }) as AlertChannel;
const REFUSED: SendFailure = { error: 'It answered 503.', isFinal: false, retryAfterMs: null };

let sent: string[];
let ids: string[];
let recorded: { alert: Alert; messages: readonly OwnMessage[]; goneAt: number }[];
let failing: Set<string>;
let clock: { monotonicMs: number; now: number };
beforeEach(() => {
  [sent, ids, recorded, failing] = [[], [], [], new Set()];
  clock = { monotonicMs: 0, now: Date.UTC(2026, 0, 1) };
});

const open = (redisUrl = 'redis://ada:secret@r:6379') =>
  new RedisAlert({
    redisUrl,
    channels: () => [channel('night'), channel('depth', { codes: ['DEEP'] })],
    async attempt({ name }, message) {
      sent.push(`${name} ${message.event}`);
      ids.push(message.id);
      return failing.has(name) ? REFUSED : null;
    },
    async record(alert, messages, goneAt) {
      recorded.push({ alert, messages, goneAt });
    },
    logger: { info: () => undefined, error: () => undefined },
  });
const pass = async (alert: RedisAlert, ms: number, failure: string | null) => {
  for (let left = ms; left > 0; left -= 5_000) {
    clock = { monotonicMs: clock.monotonicMs + 5_000, now: clock.now + 5_000 };
    await alert.look(failure, RULES, clock);
  }
};

describe('Redis is away', () => {
  test('for ten seconds: told once; once that it answers Redis has it, with when it came back', async () => {
    const alert = open();
    await pass(alert, 10_000, 'Redis cannot be reached.');
    expect(sent).toEqual([]);
    await pass(alert, 60_000, 'Redis cannot be reached.');
    expect(sent).toEqual(['night fired']);
    expect(alert.alert()).toMatchObject({
      code: 'REDIS',
      state: 'firing',
      sentence: 'Redis cannot be reached.',
    });
    // At the first look that succeeds: a console that starts anew knows nothing of it.
    await pass(alert, 5_000, null);
    expect(recorded).toMatchObject([{ alert: { state: 'firing' }, goneAt: clock.now }]);
    expect(recorded[0]?.messages.map(({ status }) => status.state)).toEqual(['sent']);
    expect(alert.alert()).toBeNull();
    await pass(alert, 120_000, null);
    expect([recorded.length, sent]).toEqual([1, ['night fired']]);
  });

  test('again soon: it goes on, and is handed over again; after its end it is another one', async () => {
    const alert = open();
    await pass(alert, 15_000, 'away');
    await pass(alert, 30_000, null);
    await pass(alert, 20_000, 'away');
    expect(alert.alert()?.id).toBe(recorded[0]?.alert.id);
    await pass(alert, 65_000, null);
    await pass(alert, 15_000, 'away');
    await pass(alert, 5_000, null);
    const [first, again, other] = recorded.map(({ alert: { id } }) => id);
    expect([again, recorded.length]).toEqual([first, 3]);
    expect(other).not.toBe(first);
    expect(sent).toEqual(['night fired', 'night fired']);
  });

  test('for a moment, or comes and goes: told once', async () => {
    const alert = open();
    for (let i = 0; i < 10; i++) {
      await pass(alert, 10_000, 'away');
      await pass(alert, 5_000, null);
    }
    expect(sent).toEqual([]);
    await pass(alert, 20_000, 'away');
    for (let i = 0; i < 10; i++) {
      await pass(alert, 50_000, null);
      await pass(alert, 20_000, 'away');
    }
    expect(sent).toEqual(['night fired']);
  });

  test('and the receiver, too: tried again, from its return on by all consoles', async () => {
    const alert = open();
    failing.add('night');
    await pass(alert, 15_000, 'away');
    expect(sent).toEqual(['night fired']);
    await pass(alert, 35_000, 'away');
    expect(sent).toEqual(['night fired', 'night fired', 'night fired']);
    await pass(alert, 65_000, null);
    expect(recorded[0]?.messages.map(({ message, status }) => `${message.event} ${status.state}`)).toEqual([
      'fired waiting',
    ]);
    expect(sent).toHaveLength(3);
  });

  test('all consoles give alert and messages the same ids, which hold nothing of the password', async () => {
    const start = clock;
    await pass(open(), 20_000, 'away');
    clock = { ...start, now: start.now + 4_000 };
    await pass(open('redis://ada:other@r:6379'), 20_000, 'away');
    expect(new Set(ids).size).toBe(1);
    clock = start;
    await pass(open('redis://another:6379'), 20_000, 'away');
    expect(new Set(ids).size).toBe(2);
  });

  test('tells nobody where the rule is off', async () => {
    const alert = open();
    for (let i = 0; i < 10; i++) {
      clock = { monotonicMs: clock.monotonicMs + 5_000, now: clock.now + 5_000 };
      await alert.look('away', { ...RULES, forMs: () => null }, clock);
    }
    expect(sent).toEqual([]);
  });
});
