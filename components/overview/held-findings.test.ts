import { expect, it } from 'vitest';
import type { Verdict } from '@/lib/contract/queues/queue-schemas';
import { fitFindings, type HeldFinding, heldVerdict, holdFindings, roomOf } from './held-findings';

const finding = (id: string): Verdict['findings'][number] => ({
  id,
  level: 'warn',
  code: id,
  queue: null,
  queues: { total: 0, named: [] },
  sentence: id,
  evidence: null,
  actions: [],
});
const shown = (held: readonly HeldFinding[]) =>
  held.map(({ finding: { id }, endedAt }) => (endedAt === null ? id : `(${id})`)).join(' ');
const after = (before: readonly HeldFinding[], at: number, ...ids: string[]) =>
  holdFindings(before, ids.map(finding), at);

it('a finding that comes and goes keeps its place, and leaves some seconds after its end', () => {
  let held = after([], 0, 'A', 'B', 'C');
  held = after(held, 1_000, 'A', 'C');
  expect(shown(held)).toBe('A (B) C');
  held = after(held, 9_000, 'A', 'B', 'C');
  expect(shown(held)).toBe('A B C');
  held = after(held, 20_000, 'C', 'D');
  expect(shown(held)).toBe('(A) (B) C D');
  held = after(held, 29_999, 'C', 'D');
  expect(shown(held)).toBe('(A) (B) C D');
  expect(shown(after(held, 30_000, 'C', 'D'))).toBe('C D');
});

it('an ended finding makes room for one that stands', () => {
  const held = after(after([], 0, 'A', 'B', 'C'), 1_000, 'B', 'C', 'D');
  expect(shown(held)).toBe('(A) B C D');
  expect(shown(fitFindings(held, 5))).toBe('(A) B C D');
  expect(shown(fitFindings(held, 4))).toBe('(A) B C D');
  expect(shown(fitFindings(held, 3))).toBe('B C D');
  expect(shown(fitFindings(held, 2))).toBe('B C');
  expect(shown(fitFindings(after(held, 2_000), 2))).toBe('(C) (D)');
});

it('a problem is never left out for warnings, and order stays', () => {
  const held = after([], 0, 'A', 'B', 'C', 'D').map((one, i) =>
    i === 2 ? { ...one, finding: { ...one.finding, level: 'bad' as const } } : one,
  );
  expect(shown(fitFindings(held, 2))).toBe('A C');
  expect(shown(fitFindings(held, 1))).toBe('C');
});

it('a phone shows as many as its room has height for, and keeps no line for actions that are missing', () => {
  const held = after([], 0, 'A', 'B', 'C').map((one, i) =>
    i === 2 ? { ...one, finding: { ...one.finding, actions: ['workers' as const] } } : one,
  );
  const room = roomOf(held.map((one) => one.finding));
  expect(room).toBe(2.25 + 2.25 + 3.5);
  expect(shown(fitFindings(held, 3, room))).toBe('A B C');
  expect(shown(fitFindings(held, 3, room - 1))).toBe('A B');
  expect(shown(fitFindings(held, 3, 0))).toBe('A');
  expect(roomOf([{ ...finding('long'), sentence: 'x'.repeat(100) }])).toBe(3.25);
});

/** What WORKERS_GONE named each second of a crash storm of the lab (30 % of runs): nothing, queues without workers, lost runs. */
const STORM =
  '------------------w----ll-lwlwwwllwlllllllwwwlllllwwllwllwwlwlllwwwwlllwwwlwwwwllllwlwlllwlwlllwwlwwlllllllllwwwwlwwllwwllllllllwwl';

it('D11: in a crash storm the effect stays until it has not been true for ten seconds', () => {
  let held: readonly HeldFinding[] = [];
  let named = '';
  let changes = 0;
  for (const [second, cause] of [...STORM].entries()) {
    const storm = { ...finding('WORKERS_GONE'), cause, sentence: `${second} crashes, ${cause}` };
    held = holdFindings(held, [storm], second * 1_000);
    // A page renders a frame more than once.
    expect(holdFindings(held, [storm], second * 1_000)).toEqual(held);
    const [shown] = held;
    const [, saidAt = '', saidCause = ''] = /^(\d+) crashes, (.)/.exec(shown?.finding.sentence ?? '') ?? [];
    expect(second - Number(saidAt)).toBeLessThan(10);
    expect(STORM[Number(saidAt)]).toBe(saidCause);
    if (saidCause !== named) changes += 1;
    named = saidCause;
  }
  expect(changes).toBe(2);
});

it('D11: numbers go on under the same cause, and a graver finding shows at once', () => {
  const storm = (sentence: string, cause: string, level: 'warn' | 'bad' = 'bad') => [
    { ...finding('WORKERS_GONE'), cause, sentence, level },
  ];
  const said = (held: readonly HeldFinding[]) => held.map(({ finding }) => finding.sentence).join();
  let held = holdFindings([], storm('1 crash', 'none', 'warn'), 0);
  held = holdFindings(held, storm('2 crashes', 'none', 'warn'), 1_000);
  expect(said(held)).toBe('2 crashes');
  held = holdFindings(held, storm('3 crashes, no worker', 'no-worker'), 2_000);
  expect(said(held)).toBe('3 crashes, no worker');
  const calmer = storm('3 crashes', 'none', 'warn');
  held = holdFindings(held, calmer, 3_000);
  expect(said(held)).toBe('3 crashes, no worker');
  // The headline counts what the line shows.
  const verdict = { level: 'warn' as const, total: { bad: 0, warn: 2 }, findings: calmer };
  expect(heldVerdict(verdict, held)).toMatchObject({ level: 'bad', total: { bad: 1, warn: 1 } });
  held = holdFindings(held, calmer, 12_000);
  expect(said(held)).toBe('3 crashes');
  expect(heldVerdict(verdict, held)).toBe(verdict);
});
