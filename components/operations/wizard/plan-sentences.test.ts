import { describe, expect, it } from 'vitest';
import { sortSkips } from '@/components/operations/labels';
import type { Preview } from '@/lib/contract/operations/operation-preview';
import {
  blockedSentences,
  effectLabel,
  planSentences,
  sampleNote,
  startLabel,
  unsupportedSentences,
} from './plan-sentences';
import { createDraft, type ExecutionSettings } from './wizard-draft';

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
  inspected: null,
  ageSampled: null,
  breakdown: { queue: [], type: [], code: [], class: [], age: [], tenant: [] },
  samples: [],
  skips: { 'deadline-passed': 150, 'not-safe': 50, unreadable: 0 },
  blocked: [],
  unsupported: [],
  advice: [],
  deletes: null,
  typedCount: null,
  needsApproval: false,
};
const settings: ExecutionSettings = {
  rate: { perSecond: 10, keepReadyBelow: null },
  canary: { jobs: 20, maxDiedAgain: 0.1, waitMs: 600_000 },
  stop: { maxDiedAgain: 0.25, windowMs: 60_000, minEnded: 10 },
};

describe('plan sentences', () => {
  it('says in numbers what will happen', () => {
    expect(planSentences(createDraft('redrive', scope), preview, settings)).toEqual([
      '1,200 dead letters: each becomes ready again with its attempts reset. It keeps its history, with who re-drove it and why.',
      '200 will be skipped, each with its reason.',
      'Canary: 20 jobs first. The rest follows if at most 10% of them die again within 10 m; otherwise the operation pauses.',
      'Rate: at most 10/s, about 1 m 40 s, and up to 10 m for the canary.',
      'Automatic stop: pauses when more than 25% of the jobs that ended within 1 m died again.',
      'Jobs that match later, or die again, are not touched.',
    ]);
  });
  it.each([
    [
      { takeType: 4, takeVersion: 0 },
      '13 will die again at once: 4 workers take hook, none knows v99.',
      true,
    ],
    [
      { takeType: 0, takeVersion: 0 },
      '13 will die again at once: none of 4 workers of low takes hook.',
      true,
    ],
    [
      { takeType: 4, takeVersion: 3 },
      '13 may die again at once: 1 of 4 workers of low does not know hook v99.',
      false,
    ],
    [
      { takeType: 4, takeVersion: 0, retried: true },
      '13 will fail and be retried: 4 workers take hook, none knows v99.',
      false,
    ],
  ])('B2: says which jobs die again at once, and why: %j', (known, text, certain) => {
    const job = { queue: 'low', jobType: 'hook', jobVersion: 99, count: 13, workers: 4, retried: false };
    const unsupported = [{ ...job, ...known }];
    expect(unsupportedSentences({ unsupported, inspected: null })).toEqual([{ text, certain }]);
    expect(unsupportedSentences({ unsupported, inspected: 2_000 })[0]?.text).toMatch(/^At least 13 /);
  });
  it('promises nothing it does not know', () => {
    const some = { ...preview, exact: false, sampled: 2_000, inspected: 2_000 };
    const sentences = planSentences(createDraft('redrive', scope), some, settings).join(' ');
    expect(sentences).toContain('At least 1,200 dead letters');
    expect(sentences).not.toContain('will be skipped');
    expect(sentences).toContain('about 2 m or longer');
    expect(startLabel(some)).toBe('Re-drive at least 1,200');
  });
  it('B14: an export says how many rows it has, and that it changes nothing', () => {
    const plain = { rate: { perSecond: null, keepReadyBelow: null }, canary: null, stop: null };
    const sentences = (maxRows: string) =>
      planSentences(
        { ...createDraft('export', scope), maxRows },
        { ...preview, kind: 'export', skips: {} },
        plain,
      );
    expect(sentences('100000')).toEqual([
      '1,200 dead letters will be exported as NDJSON. Nothing is changed.',
    ]);
    expect(sentences('100')).toEqual([
      'Up to 100 of 1,200 dead letters will be exported as NDJSON. Nothing is changed.',
    ]);
  });
  it('says on the last step, too, which jobs will wait', () => {
    const blocked = [
      { reason: 'no-worker' as const, scope: 'mail', count: 1_400 },
      { reason: 'paused' as const, scope: 'tenant acme', count: 3 },
      { reason: 'paused' as const, scope: 'tenant acme and type slow', count: 172, pauses: 2 },
      { reason: 'paused' as const, scope: 'mail, tenant acme and type slow', count: 1, pauses: 3 },
    ];
    expect(blockedSentences({ blocked })).toEqual([
      '1,400 will wait: no live worker handles mail.',
      '3 will wait until tenant acme is resumed (paused).',
      '172 will wait until tenant acme and type slow are both resumed (paused).',
      '1 will wait until mail, tenant acme and type slow are all resumed (paused).',
    ]);
  });

  it('says which numbers are of a part only', () => {
    expect(sampleNote(preview)).toBeNull();
    expect(sampleNote({ sampled: null, inspected: 2_000 })).toBe(
      'Skipped and blocked jobs are counted in a sample of 2,000.',
    );
    expect(sampleNote({ sampled: 2_000, inspected: 2_000 })).toContain('Breakdown, skipped and blocked jobs');
  });
  it('asks for approval on the button where that is what it does', () => {
    expect(startLabel({ ...preview, kind: 'purge', needsApproval: true })).toBe(
      'Request approval: purge 1,000',
    );
    expect(effectLabel('purge', 3)).toBe('3 will be moved to the trash');
  });
  it('lists reasons to skip, most first, none that are zero', () => {
    expect(sortSkips(preview.skips)).toEqual([
      { reason: 'deadline-passed', count: 150 },
      { reason: 'not-safe', count: 50 },
    ]);
  });
});
