import { describe, expect, it } from 'vitest';
import { type Operation, operationEventSchema } from '@/lib/contract/operations/operation';
import { OPERATION_STATUSES } from '@/lib/contract/operations/operation-kinds';
import {
  actorLabel,
  availableActions,
  canaryState,
  canUndo,
  EVENT_LABELS,
  isDownloadable,
  operationQuery,
  outcomeParts,
  pauseReason,
  phaseLabel,
  progressLabel,
  progressTotal,
  undoLabel,
  undoSentence,
} from './labels';

const operation: Operation = {
  id: 'op-1',
  kind: 'redrive',
  status: 'running',
  scope: { state: 'dead', q: 'queue:email' },
  target: null,
  patch: null,
  dueAt: null,
  format: null,
  maxRows: null,
  includeUnsafe: false,
  cutoff: 0,
  actor: 'ada',
  reason: 'fixed',
  createdAt: 5_000,
  startedAt: 10_000,
  endedAt: null,
  marks: [],
  expected: 1_000,
  estimated: false,
  scanned: 250,
  moved: 240,
  skipped: 10,
  skips: { changed: 10 },
  rate: { perSecond: null, keepReadyBelow: null },
  canary: null,
  stop: null,
  phase: null,
  paused: null,
  outcome: { completed: 200, running: 5, waiting: 25, diedAgain: 10, recalled: 0, deleted: 0, groups: [] },
  trouble: null,
  error: null,
  undoes: null,
  undoneBy: [],
  undone: 0,
  undo: { kind: 'recall', until: null },
  decidedBy: null,
  events: [],
};

describe('operation labels', () => {
  it('says how far it is', () => {
    expect(progressLabel(operation)).toBe('250 of 1,000');
    expect(progressLabel({ ...operation, estimated: true })).toBe('250 of at least 1,000');
    expect(progressLabel({ ...operation, status: 'completed' })).toBe('250 done');
  });
  it('never shows a bar beyond its end', () => {
    expect(progressTotal({ ...operation, expected: 100 })).toBe(250);
    expect(progressTotal({ ...operation, expected: 0, moved: 0, skipped: 0 })).toBe(1);
  });
  it('says where the canary is', () => {
    const canary = { jobs: 20, maxDiedAgain: 0.1, waitMs: 1_000 };
    expect(phaseLabel({ ...operation, canary, phase: 'canary', moved: 5 })).toBe('canary: 5 of 20 sent');
    const outcome = { ...operation.outcome, completed: 12, diedAgain: 3 } as Operation['outcome'];
    expect(phaseLabel({ ...operation, canary, phase: 'canary-wait', moved: 20, outcome })).toBe(
      'canary: 15 of 20 ended',
    );
    // The counts are of both canaries.
    expect(phaseLabel({ ...operation, canary, phase: 'canary', moved: 30 })).toBe('another canary is sent');
    expect(phaseLabel({ ...operation, canary, phase: 'canary-wait', moved: 40 })).toBe('another canary runs');
    expect(phaseLabel(operation)).toBeNull();
  });
  it.each(OPERATION_STATUSES)('%s: offers what fits', (status) => {
    const offered = availableActions({ ...operation, status });
    expect(offered.includes('approve')).toBe(status === 'awaiting-approval');
    expect(offered.includes('pause')).toBe(status === 'running');
    expect(offered.includes('resume')).toBe(status === 'paused');
  });
  it('lets an export be fetched or called off, nothing else', () => {
    const exported = { ...operation, kind: 'export' } as const;
    expect(availableActions(exported)).toEqual(['cancel']);
    expect(isDownloadable(exported)).toBe(true);
    expect(isDownloadable({ ...exported, status: 'cancelled' })).toBe(false);
    expect(phaseLabel(exported)).toBe('waiting for the download');
  });
  it('B13: says what became of the canary', () => {
    const event = (what: 'canary-passed' | 'paused', by: string) => ({
      at: 1,
      type: what,
      by,
      sentence: null,
    });
    expect(canaryState({ ...operation, phase: 'canary' })).toBe('sending');
    expect(canaryState({ ...operation, events: [event('canary-passed', 'redrive')] })).toBe('passed');
    expect(canaryState({ ...operation, events: [event('paused', 'canary')] })).toContain('failed');
    expect(canaryState({ ...operation, startedAt: null })).toBe('pending');
    // The phase stays while it is paused.
    const paused = { by: 'canary', at: 1, sentence: 'The canary failed.' };
    expect(canaryState({ ...operation, status: 'paused', phase: 'canary-wait', paused })).toBe('failed');
    expect(canaryState({ ...operation, status: 'cancelled', phase: 'canary-wait' })).toBe(
      'ended before its result',
    );
  });
  it('offers undo while there is something to undo, and time', () => {
    const ended = { ...operation, status: 'completed' } as const;
    expect(canUndo(ended, 0)).toBe(true);
    expect(canUndo(operation, 0)).toBe(false);
    expect(canUndo({ ...ended, moved: 0 }, 0)).toBe(false);
    expect(canUndo({ ...ended, undo: null }, 0)).toBe(false);
    expect(canUndo({ ...ended, undo: { kind: 'restore', until: 100 } }, 100)).toBe(false);
  });
  it.each([
    [3_599_000, 'Undo, 59 min left'],
    [59_000, 'Undo, under 1 min left'],
    [3 * 3_600_000, 'Undo, 3 h left'],
    [null, 'Undo…'],
  ])('B8: says how long an undo is possible: %s', (until, label) => {
    expect(undoLabel({ undo: { kind: 'restore', until } }, 0)).toBe(label);
  });
  it('B8: says in a sentence what an undo does to the jobs that are left', () => {
    const purge = { moved: 5, undone: 1, undo: { kind: 'restore', until: 1 } } as const;
    expect(undoSentence(purge)).toBe(
      '4 jobs will move from trash back to dead letters and keep their time of death.',
    );
  });
  it('has a word for everything that happens, and none of them is a person', () => {
    expect(Object.keys(EVENT_LABELS).sort()).toEqual([...operationEventSchema.shape.type.options].sort());
    expect(actorLabel('canary')).toBe('Canary');
    expect(actorLabel('ada')).toBe('ada');
    expect(pauseReason({ by: 'ada', at: 1, sentence: 'Paused by ada.' })).toBeNull();
    expect(pauseReason({ by: 'ada', at: 1, sentence: 'Too many' })).toBe('Too many');
  });
  it('splits the outcome into what it moved', () => {
    const parts = outcomeParts(operation.outcome as NonNullable<Operation['outcome']>);
    expect(parts.reduce((sum, { value }) => sum + value, 0)).toBe(operation.moved);
    expect(operationQuery('op-1', 'ab12')).toBe('operation:op-1 group:ab12');
  });
});
