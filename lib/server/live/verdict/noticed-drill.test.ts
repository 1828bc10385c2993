import { expect, it } from 'vitest';
import type { LabDrill } from '@/lib/contract/lab/lab-schemas';
import type { Verdict } from '@/lib/contract/queues/queue-schemas';
import { NoticedDrill } from './noticed-drill';

const drill = (over: Partial<LabDrill> = {}) =>
  ({ startedAt: 1_000, stoppedAt: null, verdictAt: null, ...over }) as LabDrill;
const saying = (...ids: string[]) => ({ findings: ids.map((id) => ({ id })) as Verdict['findings'] });

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
