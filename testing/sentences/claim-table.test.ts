/** A sentence about all or none stands under a condition that somebody wrote down, or fails here. */
import { expect, it } from 'vitest';
import { CLAIMS } from './claim-table';
import { claimsIn, isClaim, shownClaims } from './find-claims';

const rows = Object.values(CLAIMS).flat();

it('each claim on screen and in the terminal has a row', () => {
  const shown = shownClaims();
  expect(shown.length).toBeGreaterThan(50);
  const missing = shown.filter((claim) => !rows.includes(claim));
  expect(missing, 'read when the sentence shows, and add it to claim-table.ts').toEqual([]);
}, 60_000);

it('each row is said somewhere, once in the table', () => {
  const shown = new Set(shownClaims());
  expect(rows.filter((row) => !shown.has(row))).toEqual([]);
  expect(new Set(rows).size).toBe(rows.length);
}, 60_000);

it('tells claims from labels, in text, attributes and templates', () => {
  const text = `
    const a = <Empty title="No jobs left">Done. Every queue
      is idle. <b>All queues</b></Empty>;
    const b = \`None of \${n} is here.\`;
    const c = ['Every day', 'No such job', 'No limit', 'Show all', 'Notice'];`;
  expect(claimsIn([{ file: 'a.tsx', text }])).toEqual([
    'Every queue is idle.',
    'No jobs left',
    'None of … is here.',
  ]);
  expect(isClaim('Nobody knows')).toBe(true);
});
