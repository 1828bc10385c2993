import { describe, expect, it } from 'vitest';
import type { Preview } from '@/lib/contract/operations';
import { draftOf, type Velocity } from './draft';
import { planSentences, sampleWords, skippedOf, startLabel, willWords } from './words';

const scope = { state: 'dead', q: 'type:a' } as const;
const preview: Preview = {
  token: 'p-1',
  expiresAt: 0,
  at: 0,
  cutoff: 0,
  kind: 'redrive',
  scope,
  count: 1_200,
  exact: true,
  sampled: null,
  lookedAt: null,
  ageSampled: null,
  breakdown: { queue: [], type: [], code: [], class: [], age: [], tenant: [] },
  samples: [],
  skips: { 'deadline-passed': 150, 'not-safe': 50, unreadable: 0 },
  waits: [],
  advice: [],
  deletes: null,
  typedCount: null,
  needsApproval: false,
};
const velocity: Velocity = {
  pace: { ratePerSecond: 10, keepReadyBelow: null },
  canary: { jobs: 20, maxDiedAgain: 0.1, waitMs: 600_000 },
  stop: { maxDiedAgain: 0.25, windowMs: 60_000, minEnded: 10 },
};

describe('what the wizard says', () => {
  it('says in numbers what will happen', () => {
    expect(planSentences(draftOf('redrive', scope), preview, velocity)).toEqual([
      '1,200 dead letters: each goes back to ready with its attempts reset. Its history is kept, and says who re-drove it and why.',
      '200 of them will be skipped, each with its reason.',
      'First 20 jobs only. The rest follows if at most 10% of those die again; it pauses if more do, or if they have not ended within 10 m.',
      'It goes at most 10/s, so it takes about 1 m 40 s.',
      'It pauses by itself when more than 25% of what ended in 1 m died again.',
      'What comes to match later, or dies again because of this, is not touched.',
    ]);
  });
  it('promises nothing it does not know', () => {
    const some = { ...preview, exact: false, sampled: 2_000, lookedAt: 2_000 };
    const sentences = planSentences(draftOf('redrive', scope), some, velocity).join(' ');
    expect(sentences).toContain('At least 1,200 dead letters');
    expect(sentences).not.toContain('will be skipped');
    expect(sentences).toContain('about 2 m or longer');
    expect(startLabel(some)).toBe('Re-drive at least 1,200');
  });
  it('an export changes nothing and says so', () => {
    const plain = { pace: { ratePerSecond: null, keepReadyBelow: null }, canary: null, stop: null };
    expect(planSentences(draftOf('export', scope), { ...preview, kind: 'export', skips: {} }, plain)).toEqual(
      ['Up to 100,000 of 1,200 dead letters are written as NDJSON. Nothing is changed.'],
    );
  });
  it('says which numbers are of a part only', () => {
    expect(sampleWords(preview)).toBeNull();
    expect(sampleWords({ sampled: null, lookedAt: 2_000 })).toBe(
      'Skips and waits are of 2,000 that were looked at one by one, not of all.',
    );
    expect(sampleWords({ sampled: 2_000, lookedAt: 2_000 })).toContain('Breakdown, skips and waits');
  });
  it('asks for approval on the button where that is what it does', () => {
    expect(startLabel({ ...preview, kind: 'purge', needsApproval: true })).toBe(
      'Ask for approval: purge 1,200',
    );
    expect(willWords('purge', 3)).toBe('3 will be moved to the trash');
  });
  it('lists reasons to skip, most first, none that are zero', () => {
    expect(skippedOf(preview.skips)).toEqual([
      { reason: 'deadline-passed', count: 150 },
      { reason: 'not-safe', count: 50 },
    ]);
  });
});
