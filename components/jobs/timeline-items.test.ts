import { describe, expect, it } from 'vitest';
import type { HistoryEntry, JobDetail } from '@/lib/contract/jobs/job-schemas';
import { timelineItems } from './timeline-items';

const entry = (at: number, kind: HistoryEntry['kind']) => ({ at, kind }) as HistoryEntry;
const job = (patch: Partial<JobDetail>) =>
  ({ envelope: { createdAt: 1 }, history: [], claim: null, result: null, ...patch }) as JobDetail;

describe('timelineItems', () => {
  it('runs from the latest back to the creation', () => {
    const items = timelineItems(
      job({
        history: [entry(10, 'failed'), entry(10, 'dead'), entry(20, 'redriven')],
        result: { worker: 'w', claimedAt: 25, completedAt: 30, result: null },
      }),
    );
    expect(items.map((item) => (item.kind === 'history' ? item.entry.kind : item.kind))).toEqual([
      'completed',
      'redriven',
      'dead',
      'failed',
      'created',
    ]);
  });

  it('starts with the claim while it is in flight', () => {
    const claim = { worker: 'w', claimedAt: 5, leaseUntil: 9 };
    expect(timelineItems(job({ claim })).map((item) => item.kind)).toEqual(['claimed', 'created']);
  });
});
