import { describe, expect, it } from 'vitest';
import {
  CLASS_SAFETY,
  OPERATION_KINDS,
  type Preview,
  previewRequestSchema,
  type Scope,
} from '@/lib/contract/operations';
import {
  brakesOf,
  type Draft,
  draftOf,
  firstStep,
  readConfirm,
  readScope,
  readVelocity,
  stepsOf,
  willMove,
} from './draft';
import { changeRow, NO_PATCH } from './patch-draft';

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
  lookedAt: null,
  ageSampled: null,
  breakdown: { queue: [], type: [], code: [], class: [], age: [], tenant: [] },
  samples: [],
  skips: { 'deadline-passed': 30, 'not-safe': 4 },
  waits: [],
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
const complete: Partial<Draft> = {
  target: 'other',
  patch: changeRow(NO_PATCH, 0, { path: 'a', value: '1' }),
  due: '2026-01-01T10:00',
};

describe('the wizard’s answers', () => {
  it.each(OPERATION_KINDS)('%s: what it asks for is what the API takes', (kind) => {
    const draft = { ...draftOf(kind, null), ...complete, ...(kind === 'delete-queue' ? { queue: 'q' } : {}) };
    const { request, problems } = readScope(draft);
    expect(problems).toEqual({});
    expect(previewRequestSchema.safeParse(request).error?.issues).toBeUndefined();
  });
  it('begins where there is something to say', () => {
    expect(firstStep('redrive', SCOPE)).toBe('preview');
    expect(firstStep('redrive', null)).toBe('scope');
    expect(firstStep('edit', SCOPE)).toBe('scope');
    expect(stepsOf('export')).not.toContain('pace');
    expect(stepsOf('delete-queue')).toEqual(['preview', 'confirm']);
  });
  it('names what is missing', () => {
    expect(readScope(draftOf('move', SCOPE)).problems.target).toBe('Say to which queue.');
    expect(readScope(draftOf('edit', SCOPE)).problems.patch).toBeTruthy();
    expect(readScope(draftOf('reschedule', null)).problems.due).toBeTruthy();
    expect(readScope({ ...draftOf('export', SCOPE), maxRows: '0' }).problems.maxRows).toBeTruthy();
    expect(readScope({ ...draftOf('redrive', SCOPE), queue: 'a b' }).problems.queue).toBeTruthy();
    expect(readScope({ ...draftOf('redrive', SCOPE), q: 'type:(' }).problems.q).toBeTruthy();
  });
  it('gives large re-drives a canary and an automatic stop, small ones and others none', () => {
    const draft = draftOf('redrive', SCOPE);
    expect(readVelocity(draft, of(101)).velocity).toEqual({
      pace: { ratePerSecond: null, keepReadyBelow: null },
      canary: { jobs: 20, maxDiedAgain: 0.1, waitMs: 600_000 },
      stop: { maxDiedAgain: 0.25, windowMs: 60_000, minEnded: 10 },
    });
    expect(readVelocity(draft, of(100)).velocity).toMatchObject({ canary: null, stop: null });
    expect(readVelocity(draft, null).velocity).toMatchObject({ canary: null, stop: null });
    expect(brakesOf({ ...draft, canaryOn: true }, of(1)).canary.on).toBe(true);
    expect(readVelocity(draftOf('purge', SCOPE), of(1e6, 'crash')).velocity).toMatchObject({
      canary: null,
      stop: null,
    });
  });
  it('lets one poison job go alone, and none may die again before the rest follow', () => {
    const { velocity } = readVelocity(draftOf('redrive', SCOPE), of(2, 'crash', 'retryable'));
    expect(velocity?.canary).toEqual({ jobs: 1, maxDiedAgain: 0, waitMs: 600_000 });
    expect(readVelocity(draftOf('redrive', SCOPE), of(1, 'crash')).velocity?.canary).toBeNull();
    expect(readVelocity(draftOf('redrive', SCOPE), of(11, 'crash')).velocity?.stop).toMatchObject({
      maxDiedAgain: 0.1,
    });
  });
  it.each(['retryable', 'permanent'] as const)('sends twenty ahead of more than twenty %s', (name) => {
    const draft = draftOf('redrive', SCOPE);
    expect(readVelocity(draft, of(21, name)).velocity).toMatchObject({
      canary: { jobs: 20, maxDiedAgain: 0.1 },
      stop: { maxDiedAgain: 0.25 },
    });
    expect(readVelocity(draft, of(20, name)).velocity).toMatchObject({ canary: null, stop: null });
  });
  it('does not ask what is left alone: bad input counts only when it is included, or edited', () => {
    const [draft, bad] = [draftOf('redrive', SCOPE), of(50, 'malformed')];
    expect(brakesOf(draft, bad).canary.on).toBe(false);
    expect(brakesOf({ ...draft, includeUnsafe: true }, bad).canary.on).toBe(true);
    expect(brakesOf(draftOf('edit', SCOPE), bad).canary.on).toBe(true);
  });
  it('keeps what a person chose, whatever the preview found', () => {
    const draft: Draft = { ...draftOf('redrive', SCOPE), canaryJobs: '5', stopOn: false };
    expect(readVelocity(draft, of(5_000, 'crash')).velocity).toMatchObject({
      canary: { jobs: 5, maxDiedAgain: 0 },
      stop: null,
    });
    expect(readVelocity({ ...draft, canaryOn: false }, of(5_000, 'crash')).velocity?.canary).toBeNull();
    expect(readVelocity({ ...draft, canaryJobs: '' }, of(5_000, 'crash')).problems.canaryJobs).toBeTruthy();
  });
  it('refuses numbers it cannot read, only where they count', () => {
    const draft = { ...draftOf('redrive', SCOPE), canaryJobs: 'x', canaryPercent: '101', canaryWait: '25h' };
    const { velocity, problems } = readVelocity(draft, of(500));
    expect(velocity).toBeNull();
    expect(Object.keys(problems)).toEqual(['canaryJobs', 'canaryPercent', 'canaryWait']);
    expect(readVelocity(draft, of(5)).velocity).not.toBeNull();
  });
  it('confirms with a reason and, where asked, the very count', () => {
    const velocity = { pace: { ratePerSecond: null, keepReadyBelow: null }, canary: null, stop: null };
    const draft = { ...draftOf('redrive', SCOPE), reason: ' fixed ', typed: '1234' };
    expect(readConfirm(draft, preview, velocity)).toMatchObject({ reason: 'fixed', typedCount: 1_234 });
    expect(readConfirm({ ...draft, typed: '1,234' }, preview, velocity)).not.toBeNull();
    expect(readConfirm({ ...draft, typed: '1233' }, preview, velocity)).toBeNull();
    expect(readConfirm({ ...draft, reason: ' ' }, preview, velocity)).toBeNull();
    expect(readConfirm(draftOf('purge', SCOPE), { ...preview, typedCount: null }, velocity)).toBeNull();
  });
  it('of the deletion of a queue have its name, typed as it is', () => {
    const { velocity } = readVelocity(draftOf('delete-queue', SCOPE), preview);
    const deletes = { typedName: 'mail', states: [], shards: 1, schedules: 0, workers: 0 };
    const looked: Preview = { ...preview, kind: 'delete-queue', typedCount: null, deletes };
    const draft = { ...draftOf('delete-queue', SCOPE), reason: 'over' };
    if (!velocity) throw new Error('no velocity');
    expect(readConfirm({ ...draft, typed: 'Mail' }, looked, velocity)).toBeNull();
    expect(readConfirm({ ...draft, typed: ' mail ' }, looked, velocity)).toEqual({
      previewToken: 'p-1',
      reason: 'over',
      typedName: 'mail',
    });
  });
  it('knows how many will move only when every one was looked at', () => {
    expect(willMove(preview)).toBe(1_200);
    expect(willMove({ ...preview, sampled: 2_000 })).toBeNull();
    expect(willMove({ ...preview, lookedAt: 2_000 })).toBeNull();
  });
});
