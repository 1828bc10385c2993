import { describe, expect, test } from 'vitest';
import type { QueueChange, QueueConfig } from '@/lib/contract/queues/queue-config';
import { QUEUE_CONFIG_DEFAULT } from '@/lib/contract/queues/queue-config-default';
import { changeLabel, settingDifferences } from './labels';
import { type DraftErrors, readDraft } from './read-settings-draft';
import {
  NO_RETRY_RULE,
  NO_TENANT_LIMIT,
  rebaseDraft,
  type SettingsDraft,
  settingsPatch,
  toDraft,
} from './settings-draft';

const FULL: QueueConfig = {
  depthLimit: 10_000,
  shedAtPercent: 80,
  rate: { perSecond: 1.5, burst: 20 },
  concurrency: 12,
  tenantLimit: { rate: null, concurrency: 3 },
  tenantLimits: {
    globex: { rate: { perSecond: 10, burst: 10 }, concurrency: null },
    acme: { rate: null, concurrency: null },
  },
  fair: 'tenant',
  objectiveAgeMs: 30_000,
  objectiveFailurePercent: 2,
  objectiveDepth: 500,
  maxDeliveries: 7,
  retry: {
    policy: { curve: 'linear', baseMs: 90_000, factor: 2, maxMs: 3_600_000, jitter: 0.25 },
    maxAttempts: 4,
    classes: ['rate-limited', 'retryable'],
  },
  retryByType: { 'email.send': { policy: null, maxAttempts: 2, classes: ['permanent'] } },
  completedKeep: 0,
  completedKeepMs: 86_400_000,
  completedKeepBytes: 67_108_864,
  resendWindowMs: 1_200_000,
  deadKeepMs: 30 * 86_400_000,
  trashGraceMs: 5_400_000,
  purgeNeedsApproval: true,
  redact: ['*token*', '/card/number'],
};
const errorsOf = (draft: SettingsDraft): DraftErrors => {
  const { errors } = readDraft(draft);
  return errors ?? {};
};
const blank = toDraft(QUEUE_CONFIG_DEFAULT);

describe('the settings form', () => {
  test.each([
    ['the defaults', QUEUE_CONFIG_DEFAULT],
    ['everything set', FULL],
  ])('%s survive being shown and read back', (_, config) => {
    const { config: back, errors } = readDraft(toDraft(config));
    expect(errors).toBeNull();
    expect(settingsPatch(config, back as QueueConfig)).toEqual({});
  });

  test('the default rule for retries is the one that counts as not set', () => {
    expect(toDraft(QUEUE_CONFIG_DEFAULT).retry).toEqual(NO_RETRY_RULE);
    const draft = toDraft(QUEUE_CONFIG_DEFAULT);
    expect(draft['tenantLimit.rate']).toEqual(NO_TENANT_LIMIT.rate);
    expect(draft['tenantLimit.concurrency']).toBe(NO_TENANT_LIMIT.concurrency);
  });

  test('reads units as people write them', () => {
    const draft: SettingsDraft = {
      ...blank,
      depthLimit: '10,000',
      shedAtPercent: '75 %',
      rate: { perSecond: '90/min', burst: '' },
      deadKeepMs: '2w',
      completedKeepBytes: '1.5 GB',
    };
    expect(readDraft(draft).config).toMatchObject({
      depthLimit: 10_000,
      shedAtPercent: 75,
      rate: { perSecond: 1.5, burst: 2 },
      deadKeepMs: 1_209_600_000,
      completedKeepBytes: 1_500_000_000,
    });
  });

  test.each<[string, Partial<SettingsDraft>, string, RegExp]>([
    ['a word for a number', { concurrency: 'many' }, 'concurrency', /not a number/],
    ['zero at once', { concurrency: '0' }, 'concurrency', /^must be at least 1$/],
    ['a fraction of a job', { depthLimit: '1.5' }, 'depthLimit', /^must be a whole number$/],
    ['a duration without a unit', { deadKeepMs: '90' }, 'deadKeepMs', /90s, 15m/],
    ['a retention below a minute', { deadKeepMs: '5s' }, 'deadKeepMs', /^must be at least 1m$/],
    ['a field that must be there', { trashGraceMs: '' }, 'trashGraceMs', /must not be empty/],
    ['more than all', { shedAtPercent: '101%' }, 'shedAtPercent', /^must be at most 100%$/],
    ['a burst without a rate', { rate: { perSecond: '', burst: '5' } }, 'rate.perSecond', /needs a rate/],
    ['a burst of nothing', { rate: { perSecond: '1', burst: '0' } }, 'rate.burst', /nothing would ever/],
    ['no rate at all', { rate: { perSecond: 'fast', burst: '' } }, 'rate.perSecond', /10\/s/],
    [
      'an exception without a name',
      { tenantLimits: [{ ...NO_TENANT_LIMIT, row: 'r1', name: ' ' }] },
      'tenantLimits.r1.name',
      /must not be empty/,
    ],
    [
      'a tenant named twice',
      {
        tenantLimits: ['r1', 'r2'].map((row) => ({
          ...NO_TENANT_LIMIT,
          concurrency: '1',
          row,
          name: 'acme',
        })),
      },
      'tenantLimits.r2.name',
      /twice/,
    ],
    [
      'a wrong number in an exception',
      { tenantLimits: [{ ...NO_TENANT_LIMIT, concurrency: '0', row: 'r1', name: 'acme' }] },
      'tenantLimits.r1.concurrency',
      /1/,
    ],
    [
      'a wait that is none, in the rule of a type',
      { retryByType: [{ ...NO_RETRY_RULE, curve: 'fixed', base: 'soon', row: 'r1', name: 'email.send' }] },
      'retryByType.r1.baseMs',
      /duration/,
    ],
    [
      'a rule in the middle of a name',
      { redact: [{ row: 'r1', rule: 'pass*word' }] },
      'redact.r1',
      /must be a name/,
    ],
    ['a rule of no letters', { redact: [{ row: 'r1', rule: ' ' }] }, 'redact.r1', /must not be empty/],
    [
      'a rule that is there twice',
      {
        redact: [
          { row: 'r1', rule: 'pin' },
          { row: 'r2', rule: ' pin ' },
        ],
      },
      'redact.r2',
      /twice/,
    ],
    ['too many attempts', { retry: { ...NO_RETRY_RULE, maxAttempts: '101' } }, 'retry.maxAttempts', /100/],
  ])('refuses %s at its field', (_, over, place, words) => {
    expect(errorsOf({ ...blank, ...over })[place]).toMatch(words);
  });

  test('what a curve does not use cannot stop a save', () => {
    const retry = { ...NO_RETRY_RULE, curve: 'inherit' as const, base: 'nonsense', factor: '' };
    expect(errorsOf({ ...blank, retry })).toEqual({});
  });

  test('asks the server for nothing but what was edited', () => {
    const after = readDraft({ ...toDraft(FULL), concurrency: '2' }).config as QueueConfig;
    expect(settingsPatch(FULL, after)).toEqual({ concurrency: 2 });
  });
});

test('when somebody else saved meanwhile, edits stay and the rest is theirs', () => {
  const mine = { ...toDraft(FULL), concurrency: '2', deadKeepMs: 'half typ' };
  const theirs: QueueConfig = { ...FULL, depthLimit: 5, concurrency: 99 };
  expect(rebaseDraft(mine, FULL, theirs)).toEqual({
    ...toDraft(theirs),
    concurrency: '2',
    deadKeepMs: 'half typ',
  });
});

describe('a change in words', () => {
  test('names each setting, before and after', () => {
    const after: QueueConfig = {
      ...QUEUE_CONFIG_DEFAULT,
      concurrency: 2,
      rate: { perSecond: 0.5, burst: 1 },
      fair: 'tenant',
      deadKeepMs: 86_400_000,
      purgeNeedsApproval: true,
      redact: [...QUEUE_CONFIG_DEFAULT.redact.slice(1), 'pin'],
      tenantLimits: { acme: { rate: null, concurrency: 1 } },
      retryByType: {
        'email.send': {
          policy: { curve: 'fixed', baseMs: 1_000, factor: 2, maxMs: 1_000, jitter: 0 },
          maxAttempts: 3,
          classes: [],
        },
      },
    };
    expect(
      settingDifferences(QUEUE_CONFIG_DEFAULT, after).map((d) => `${d.label}: ${d.before} → ${d.after}`),
    ).toEqual([
      'Concurrency: no limit → 2 at once',
      'Dead letters kept for: forever → 1d',
      'Rate: no limit → 30/min, burst 1',
      'Tenant acme: default → 1 at once',
      'Fairness: FIFO → fair per tenant',
      'Require approval for purge: not required → required',
      'Hide *password*: yes → no',
      'Hide pin: no → yes',
      'Retries of email.send: default → max. 3 attempts; delay 1s; no retries',
    ]);
  });
  test('says nothing when nothing differs, and compares only what both name', () => {
    expect(settingDifferences(FULL, FULL)).toEqual([]);
    expect(settingDifferences({ concurrency: 1 }, { depthLimit: 4 })).toEqual([]);
    expect(settingDifferences({ concurrency: null }, { concurrency: 4 })).toHaveLength(1);
  });
});

const changeText = (what: string, before: string | null = null, after: string | null = null): string => {
  const change: QueueChange = {
    id: '1-0',
    at: 0,
    what,
    actor: 'Ada',
    reason: null,
    requestId: null,
    before,
    after,
  };
  const { title, lines } = changeLabel(change, 'UTC');
  return [title, ...lines.map((line) => `${line.label}: ${line.before} → ${line.after}`)].join(' | ');
};

test.each<[string, string, string | null, string | null]>([
  ['Paused the whole queue', 'pause', 'queue', null],
  ['Paused tenant acme until 2026-01-01 00:00 UTC', 'pause', 'tenant:acme', `until ${Date.UTC(2026, 0, 1)}`],
  ['Resumed job type email.send', 'resume', 'type:email.send', null],
  ['Started draining', 'drain', null, null],
  ['Stopped draining', 'undrain', null, null],
  [
    'Changed settings | Concurrency: no limit → 2 at once',
    'config',
    '{"concurrency":null}',
    '{"concurrency":2}',
  ],
  [
    'Changed settings | Was: {"tenantLimits":{"a → {"tenantLimits":{}}',
    'config',
    '{"tenantLimits":{"a',
    '{"tenantLimits":{}}',
  ],
  [
    'Changed settings | Hide pin: no → yes | Limit per tenant: {"rate":… (5,120 bytes) → none',
    'config',
    '{"redact":{"of":40,"only":[]},"tenantLimit":{"cut":"{\\"rate\\":","bytes":5120,"sha256":"0"}}',
    '{"redact":{"of":41,"only":["pin"]},"tenantLimit":null}',
  ],
  [
    'Changed the shards | Shards: one → 3, by tenant',
    'sharding',
    '{"count":1,"by":"id"}',
    '{"count":3,"by":"tenant"}',
  ],
  [
    'Operation purge op-1: ended: 12 moved, 1 left alone',
    'operation',
    'purge op-1',
    'ended: 12 moved, 1 left alone',
  ],
  [
    'Operation purge op-1 (dead, code:X, up to 2026-03-01T10:00:00.000Z): began',
    'operation',
    'purge op-1: dead, code:X, up to 2026-03-01T10:00:00.000Z',
    'began',
  ],
  ['renamed', 'renamed', null, null],
])('%s', (expected, what, before, after) => expect(changeText(what, before, after)).toBe(expected));
