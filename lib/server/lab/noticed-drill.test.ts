import { expect, it } from 'vitest';
import type { LabDrill } from '@/lib/contract/lab/lab-schemas';
import type { Verdict } from '@/lib/contract/queues/queue-schemas';
import { NoticedDrill } from './noticed-drill';

const drill = (over: Partial<LabDrill> = {}) =>
  ({ startedAt: 1_000, stoppedAt: null, verdictAt: null, ...over }) as LabDrill;
const saying = (...ids: string[]) => ({
  findings: ids.map((id) => ({ id, level: 'warn', sentence: `${id} stands.` })) as Verdict['findings'],
});
const crashes = (sentence: string, level = 'warn') => ({
  findings: [{ id: 'WORKERS_GONE', level, sentence }] as Verdict['findings'],
});

it('B11: a drill is noticed by the first frame with a finding that did not stand before', () => {
  const noticed = new NoticedDrill();
  expect(noticed.look(undefined, saying('PAUSED'))).toBe(false);
  expect(noticed.look(drill(), saying('PAUSED'))).toBe(false);
  expect(noticed.look(drill(), saying('PAUSED', 'FAILING'))).toBe(true);
  expect(noticed.look(drill({ verdictAt: 3_000 }), saying('FAILING'))).toBe(false);
  // What the drill before left is not the doing of the next.
  expect(noticed.look(drill({ startedAt: 9_000 }), saying('FAILING'))).toBe(false);
  expect(noticed.look(drill({ startedAt: 9_000 }), saying('FAILING', 'OLD'))).toBe(true);
  expect(noticed.look(drill({ startedAt: 9_000, stoppedAt: 9_500 }), saying('OLD'))).toBe(false);
});

it('B11: a finding that stood before notices it when it says more, or ended and came back', () => {
  const noticed = new NoticedDrill();
  noticed.look(undefined, crashes('9 worker crashes in 1 min.'));
  expect(noticed.look(drill(), crashes('9 worker crashes in 1 min.'))).toBe(false);
  expect(noticed.look(drill(), crashes('3 worker crashes in 1 min.'))).toBe(false);
  expect(noticed.look(drill(), crashes('12 worker crashes in 1 min.'))).toBe(true);
  expect(noticed.look(drill(), crashes('3 worker crashes in 1 min.', 'bad'))).toBe(true);
  expect(noticed.look(drill(), saying())).toBe(false);
  expect(noticed.look(drill(), crashes('1 worker crash in 1 min.'))).toBe(true);
});

it('B11: an age that grows is no news', () => {
  const noticed = new NoticedDrill();
  const old = (age: string) => ({
    findings: [
      { id: 'OLD', level: 'bad', sentence: `The oldest ready job has waited ${age}.` },
    ] as Verdict['findings'],
  });
  noticed.look(undefined, old('2 m'));
  expect(noticed.look(drill(), old('2 m'))).toBe(false);
  expect(noticed.look(drill(), old('3 m'))).toBe(false);
});
