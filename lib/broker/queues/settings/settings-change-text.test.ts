import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { changeText } from '@/lib/broker/audit/change-text';
import { type QueueConfig, queueConfigSchema } from '@/lib/contract/queues/queue-config';
import { QUEUE_CONFIG_DEFAULT } from '@/lib/contract/queues/queue-config-default';
import { OVERRIDES_MAX } from '@/lib/contract/queues/queue-limits';
import { REDACTION_RULES_MAX } from '@/lib/contract/redaction';
import { settingsTexts } from './settings-change-text';

/** What the script of a record takes. */
const RECORD_MAX_BYTES = 4_000;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const config = (patch: object): QueueConfig => queueConfigSchema.parse({ ...QUEUE_CONFIG_DEFAULT, ...patch });
const read = (before: object, after: object) => {
  const texts = settingsTexts(config(before), config(after));
  return [texts.before, texts.after].map((text) => JSON.parse(text) as Record<string, unknown>);
};
const rule = { policy: null, maxAttempts: 3, classes: ['retryable'] };
const types = (count: number, letter = 't') =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${letter.repeat(90)}${i}`, rule]));

test('L1: only what differs is named, what deletes or shows something before all else', () => {
  const [before = {}, after = {}] = read(
    { concurrency: 5 },
    { redact: ['user'], deadKeepMs: 60_000, maxDeliveries: 3 },
  );
  expect(Object.keys(after)).toEqual(['deadKeepMs', 'redact', 'concurrency', 'maxDeliveries']);
  expect(after).toEqual({ deadKeepMs: 60_000, redact: ['user'], concurrency: null, maxDeliveries: 3 });
  expect(before).toMatchObject({ deadKeepMs: null, redact: QUEUE_CONFIG_DEFAULT.redact, concurrency: 5 });
  expect(read({}, {})).toEqual([{}, {}]);
});

test('L1: of a long map or list only the members that differ are named', () => {
  const all = types(40);
  const [name = ''] = Object.keys(all);
  const [before, after] = read(
    { retryByType: all },
    { retryByType: { ...all, [name]: { ...rule, maxAttempts: 4 } } },
  );
  expect([before, after]).toEqual([
    { retryByType: { [name]: rule } },
    { retryByType: { [name]: { ...rule, maxAttempts: 4 } } },
  ]);
  const rules = Array.from({ length: REDACTION_RULES_MAX }, (_, i) => `/${'r'.repeat(150)}${i}`);
  const [had, has] = read({ redact: rules }, { redact: rules.slice(1) });
  expect([had, has]).toEqual([
    { redact: { of: rules.length, only: [rules[0]] } },
    { redact: { of: rules.length - 1, only: [] } },
  ]);
});

test('L1: what does not fit says so, with its size and a digest of the whole', () => {
  const all = types(40);
  const [before, after] = read({}, { retryByType: all, redact: [] });
  expect(after).toMatchObject({
    redact: [],
    retryByType: { bytes: JSON.stringify(all).length, sha256: sha256(JSON.stringify(all)) },
  });
  expect(before).toMatchObject({ redact: QUEUE_CONFIG_DEFAULT.redact, retryByType: {} });
  const long = 'é'.repeat(5_000);
  expect(changeText(long)).toMatch(new RegExp(`^é+… \\(cut; 10000 bytes, sha256 ${sha256(long)}\\)$`));
});

test('L1: the largest change there is fits into a record', () => {
  const longest = (letter: string) =>
    config({
      depthLimit: 100_000_000,
      shedAtPercent: 100,
      rate: { perSecond: 0.123456789012345, burst: 1_000_000 },
      concurrency: 1_000_000,
      tenantLimit: { rate: { perSecond: 0.123456789012345, burst: 1_000_000 }, concurrency: 1_000_000 },
      tenantLimits: Object.fromEntries(
        Array.from({ length: OVERRIDES_MAX }, (_, i) => [
          `${letter.repeat(60)}${i}`,
          { concurrency: 1_000_000 },
        ]),
      ),
      retryByType: types(OVERRIDES_MAX, letter),
      redact: Array.from({ length: REDACTION_RULES_MAX }, (_, i) => `/${'"'.repeat(150)}${letter}${i}`),
    });
  const whole = settingsTexts(
    { ...longest('a'), fair: 'tenant', purgeNeedsApproval: true, deadKeepMs: 1e11, completedKeepMs: 1e11 },
    { ...longest('b'), completedKeep: 0, trashGraceMs: 0, maxDeliveries: 1, completedKeepBytes: 1e12 },
  );
  for (const text of [whole.before, whole.after]) {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(RECORD_MAX_BYTES);
    expect(JSON.parse(text)).toMatchObject({ redact: { sha256: expect.any(String) } });
  }
});
