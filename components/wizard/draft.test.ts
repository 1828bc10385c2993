import { describe, expect, it } from 'vitest';
import { OPERATION_KINDS, type Preview, previewRequestSchema, type Scope } from '@/lib/contract/operations';
import {
  canaryOn,
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
  breakdown: { queue: [], type: [], code: [], class: [], age: [], tenant: [] },
  samples: [],
  skips: { 'deadline-passed': 30, 'not-safe': 4 },
  waits: [],
  advice: [],
  typedCount: 1_234,
  needsApproval: false,
};
const complete: Partial<Draft> = {
  target: 'other',
  patch: changeRow(NO_PATCH, 0, { path: 'a', value: '1' }),
  due: '2026-01-01T10:00',
};

describe('the wizard’s answers', () => {
  it.each(OPERATION_KINDS)('%s: what it asks for is what the API takes', (kind) => {
    const draft = { ...draftOf(kind, null), ...complete };
    const { request, problems } = readScope(draft);
    expect(problems).toEqual({});
    expect(previewRequestSchema.safeParse(request).error?.issues).toBeUndefined();
  });
  it('begins where there is something to say', () => {
    expect(firstStep('redrive', SCOPE)).toBe('preview');
    expect(firstStep('redrive', null)).toBe('scope');
    expect(firstStep('edit', SCOPE)).toBe('scope');
    expect(stepsOf('export')).not.toContain('pace');
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
    expect(readVelocity(draft, 101).velocity).toEqual({
      pace: { ratePerSecond: null, keepReadyBelow: null },
      canary: { jobs: 20, maxDiedAgain: 0.1, waitMs: 600_000 },
      stop: { maxDiedAgain: 0.25, windowMs: 60_000, minEnded: 10 },
    });
    expect(readVelocity(draft, 100).velocity).toMatchObject({ canary: null, stop: null });
    expect(canaryOn({ ...draft, canaryOn: true }, 1)).toBe(true);
    expect(readVelocity(draftOf('purge', SCOPE), 1e6).velocity).toMatchObject({ canary: null, stop: null });
  });
  it('refuses numbers it cannot read, only where they count', () => {
    const draft = { ...draftOf('redrive', SCOPE), canaryJobs: 'x', canaryPercent: '101', canaryWait: '25h' };
    const { velocity, problems } = readVelocity(draft, 500);
    expect(velocity).toBeNull();
    expect(Object.keys(problems)).toEqual(['canaryJobs', 'canaryPercent', 'canaryWait']);
    expect(readVelocity(draft, 5).velocity).not.toBeNull();
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
  it('knows how many will move only when every one was looked at', () => {
    expect(willMove(preview)).toBe(1_200);
    expect(willMove({ ...preview, sampled: 2_000 })).toBeNull();
    expect(willMove({ ...preview, lookedAt: 2_000 })).toBeNull();
  });
});
