import { describe, expect, it } from 'vitest';
import { OPERATION_KINDS } from '@/lib/contract/operations/operation-kinds';
import type { Preview } from '@/lib/contract/operations/operation-preview';
import { previewRequestSchema, type Scope } from '@/lib/contract/operations/operation-request';
import { CLASS_SAFETY } from '@/lib/contract/operations/rerun-safety';
import { UNLIMITED } from '../operation-rate';
import { changeRow, NO_PATCH } from './patch-draft';
import {
  createDraft,
  expectedMoves,
  firstStep,
  readConfirm,
  readExecutionSettings,
  readScope,
  safetySettingsOf,
  type WizardDraft,
  wizardSteps,
} from './wizard-draft';

const SCOPE: Scope = { state: 'dead', q: 'type:a' };
const preview: Preview = {
  token: 'p-1',
  expiresAt: 0,
  at: 0,
  cutoff: 0,
  kind: 'redrive',
  scope: SCOPE,
  count: 1_234,
  exact: true,
  sampled: null,
  inspected: null,
  ageSampled: null,
  breakdown: { queue: [], type: [], code: [], class: [], age: [], tenant: [] },
  samples: [],
  skips: { 'deadline-passed': 30, 'not-safe': 4 },
  blocked: [],
  unsupported: [],
  advice: [],
  typedCount: 1_234,
  deletes: null,
  needsApproval: false,
};
/** A preview of so many, of these classes. */
const of = (count: number, ...classes: (keyof typeof CLASS_SAFETY)[]) => ({
  count,
  advice: classes.map((name) => ({ class: name, count: 1, ...CLASS_SAFETY[name] })),
});
const complete: Partial<WizardDraft> = {
  target: 'other',
  patch: changeRow(NO_PATCH, 0, { path: 'a', value: '1' }),
  due: '2026-01-01T10:00',
};

describe('the wizard’s answers', () => {
  it.each(OPERATION_KINDS)('%s: what it asks for is what the API takes', (kind) => {
    const draft = {
      ...createDraft(kind, null),
      ...complete,
      ...(kind === 'delete-queue' ? { queue: 'q' } : {}),
    };
    const { request, problems } = readScope(draft);
    expect(problems).toEqual({});
    expect(previewRequestSchema.safeParse(request).error?.issues).toBeUndefined();
  });
  it('begins where there is something to say', () => {
    expect(firstStep('redrive', SCOPE)).toBe('preview');
    expect(firstStep('redrive', null)).toBe('scope');
    expect(firstStep('edit', SCOPE)).toBe('scope');
    expect(wizardSteps('export')).not.toContain('rate');
    expect(wizardSteps('edit', { state: 'dead', jobs: [{ queue: 'q', jobId: 'j' }] })).not.toContain('rate');
    expect(wizardSteps('delete-queue')).toEqual(['preview', 'confirm']);
  });
  it('names what is missing', () => {
    expect(readScope(createDraft('move', SCOPE)).problems.target).toBe('Target queue is required.');
    expect(readScope(createDraft('edit', SCOPE)).problems.patch).toBeTruthy();
    expect(readScope(createDraft('reschedule', null)).problems.due).toBeTruthy();
    expect(readScope({ ...createDraft('export', SCOPE), maxRows: '0' }).problems.maxRows).toBeTruthy();
    expect(readScope({ ...createDraft('redrive', SCOPE), queue: 'a b' }).problems.queue).toBeTruthy();
    expect(readScope({ ...createDraft('redrive', SCOPE), q: 'type:(' }).problems.q).toBeTruthy();
  });
  it('gives large re-drives a canary and an automatic stop, small ones and others none', () => {
    const draft = createDraft('redrive', SCOPE);
    expect(readExecutionSettings(draft, of(101)).settings).toEqual({
      rate: { perSecond: 50, keepReadyBelow: null },
      canary: { jobs: 20, maxDiedAgain: 0.1, waitMs: 600_000 },
      stop: { maxDiedAgain: 0.25, windowMs: 60_000, minEnded: 10 },
    });
    expect(readExecutionSettings(draft, of(100)).settings).toMatchObject({ canary: null, stop: null });
    expect(readExecutionSettings(draft, null).settings).toMatchObject({ canary: null, stop: null });
    expect(safetySettingsOf({ ...draft, canaryOn: true }, of(1)).canary.on).toBe(true);
    expect(readExecutionSettings(createDraft('purge', SCOPE), of(1e6, 'crash')).settings).toMatchObject({
      canary: null,
      stop: null,
    });
  });
  it('limits the rate where an automatic stop must come in time, until a person decides', () => {
    const draft = createDraft('redrive', SCOPE);
    const rateOf = (changed: Partial<WizardDraft>, count: number) =>
      readExecutionSettings({ ...draft, ...changed }, of(count)).settings?.rate.perSecond;
    expect([rateOf({}, 100), rateOf({}, 101), rateOf({}, 90_000)]).toEqual([null, 50, 300]);
    expect(rateOf({ stopOn: false }, 90_000)).toBeNull();
    expect(rateOf({ stopOn: true }, 5)).toBe(50);
    expect(rateOf({ rate: UNLIMITED }, 90_000)).toBeNull();
    expect(readExecutionSettings(createDraft('purge', SCOPE), of(1e6)).settings?.rate.perSecond).toBeNull();
  });
  it('lets one poison job go alone, and none may die again before the rest follow', () => {
    const { settings } = readExecutionSettings(createDraft('redrive', SCOPE), of(2, 'crash', 'retryable'));
    expect(settings?.canary).toEqual({ jobs: 1, maxDiedAgain: 0, waitMs: 600_000 });
    expect(readExecutionSettings(createDraft('redrive', SCOPE), of(1, 'crash')).settings?.canary).toBeNull();
    expect(
      readExecutionSettings(createDraft('redrive', SCOPE), of(11, 'crash')).settings?.stop,
    ).toMatchObject({
      maxDiedAgain: 0.1,
    });
  });
  it.each(['retryable', 'permanent'] as const)('sends twenty ahead of more than twenty %s', (name) => {
    const draft = createDraft('redrive', SCOPE);
    expect(readExecutionSettings(draft, of(21, name)).settings).toMatchObject({
      canary: { jobs: 20, maxDiedAgain: 0.1 },
      stop: { maxDiedAgain: 0.25 },
    });
    expect(readExecutionSettings(draft, of(20, name)).settings).toMatchObject({ canary: null, stop: null });
  });
  it('does not ask what is left alone: bad input counts only when it is included, or edited', () => {
    const [draft, bad] = [createDraft('redrive', SCOPE), of(50, 'malformed')];
    expect(safetySettingsOf(draft, bad).canary.on).toBe(false);
    expect(safetySettingsOf({ ...draft, includeUnsafe: true }, bad).canary.on).toBe(true);
    expect(safetySettingsOf(createDraft('edit', SCOPE), bad).canary.on).toBe(true);
  });
  it('keeps what a person chose, whatever the preview found', () => {
    const draft: WizardDraft = { ...createDraft('redrive', SCOPE), canaryJobs: '5', stopOn: false };
    expect(readExecutionSettings(draft, of(5_000, 'crash')).settings).toMatchObject({
      canary: { jobs: 5, maxDiedAgain: 0 },
      stop: null,
    });
    expect(
      readExecutionSettings({ ...draft, canaryOn: false }, of(5_000, 'crash')).settings?.canary,
    ).toBeNull();
    expect(
      readExecutionSettings({ ...draft, canaryJobs: '' }, of(5_000, 'crash')).problems.canaryJobs,
    ).toBeTruthy();
  });
  it('B13: takes no canary that leaves no job to follow it', () => {
    const on = { ...createDraft('redrive', SCOPE), canaryOn: true };
    expect(readExecutionSettings(on, of(13)).settings?.canary?.jobs).toBe(2);
    const large = readExecutionSettings({ ...on, canaryJobs: '20' }, of(13));
    expect(large).toMatchObject({ settings: null, problems: { canaryJobs: expect.stringContaining('12') } });
    expect(readExecutionSettings({ ...on, canaryJobs: '12' }, of(13)).settings?.canary?.jobs).toBe(12);
    expect(readExecutionSettings(on, of(1)).problems.canaryJobs).toContain('needs no canary');
  });
  it('refuses numbers it cannot read, only where they count', () => {
    const draft = {
      ...createDraft('redrive', SCOPE),
      canaryJobs: 'x',
      canaryPercent: '101',
      canaryWait: '25h',
    };
    const { settings, problems } = readExecutionSettings(draft, of(500));
    expect(settings).toBeNull();
    expect(Object.keys(problems)).toEqual(['canaryJobs', 'canaryPercent', 'canaryWait']);
    expect(readExecutionSettings(draft, of(5)).settings).not.toBeNull();
  });
  it('confirms with a reason and, where asked, the very count', () => {
    const settings = { rate: { perSecond: null, keepReadyBelow: null }, canary: null, stop: null };
    const draft = { ...createDraft('redrive', SCOPE), reason: ' fixed ', typed: '1234' };
    expect(readConfirm(draft, preview, settings)).toMatchObject({ reason: 'fixed', typedCount: 1_234 });
    expect(readConfirm({ ...draft, typed: '1,234' }, preview, settings)).not.toBeNull();
    expect(readConfirm({ ...draft, typed: '1233' }, preview, settings)).toBeNull();
    expect(readConfirm({ ...draft, reason: ' ' }, preview, settings)).toBeNull();
    expect(readConfirm(createDraft('purge', SCOPE), { ...preview, typedCount: null }, settings)).toBeNull();
  });
  it('of the deletion of a queue have its name, typed as it is', () => {
    const { settings } = readExecutionSettings(createDraft('delete-queue', SCOPE), preview);
    const deletes = { typedName: 'mail', states: [], shards: 1, schedules: 0, workers: 0 };
    const looked: Preview = { ...preview, kind: 'delete-queue', typedCount: null, deletes };
    const draft = { ...createDraft('delete-queue', SCOPE), reason: 'over' };
    if (!settings) throw new Error('no settings');
    expect(readConfirm({ ...draft, typed: 'Mail' }, looked, settings)).toBeNull();
    expect(readConfirm({ ...draft, typed: ' mail ' }, looked, settings)).toEqual({
      previewToken: 'p-1',
      reason: 'over',
      typedName: 'mail',
    });
  });
  it('knows how many will move only when every one was looked at', () => {
    expect(expectedMoves(preview)).toBe(1_200);
    expect(expectedMoves({ ...preview, sampled: 2_000 })).toBeNull();
    expect(expectedMoves({ ...preview, inspected: 2_000 })).toBeNull();
  });
});
