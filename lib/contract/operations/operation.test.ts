import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { JOB_STATES } from '../jobs/job-states';
import {
  DESTRUCTIVE,
  KIND_RULES,
  KIND_STATES,
  needsTypedCount,
  OPERATION_KINDS,
  RERUNS,
  SKIP_REASONS,
  TYPED_ABOVE,
  TYPED_ABOVE_DESTRUCTIVE,
} from './operation-kinds';
import { previewRequestSchema } from './operation-request';
import { CLASS_SAFETY } from './rerun-safety';

const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()));

it('takes no patch that is longer than a payload may be', () => {
  const edit = (value: unknown) =>
    previewRequestSchema.safeParse({
      kind: 'edit',
      scope: { q: '' },
      patch: [
        { op: 'add', path: '/a', value },
        { op: 'remove', path: '/b' },
      ],
    });
  expect(edit('x'.repeat(60_000)).success).toBe(true);
  expect(edit('x'.repeat(66_000)).error?.issues).toMatchObject([
    { path: ['patch'], message: expect.stringContaining('64 KiB') },
  ]);
});

describe('docs/operations.md', () => {
  it.each(OPERATION_KINDS)('says what %s works on, and what undoes it', (kind) => {
    const row = rows.find(([, name]) => name === `\`${kind}\``);
    const states = KIND_STATES[kind];
    const all = states.length === JOB_STATES.length ? 'any of the nine' : 'the queue as a whole';
    expect(row?.[2]).toBe(states.length % JOB_STATES.length === 0 ? all : states.join(', '));
    expect(row?.[4]?.match(/^`(\w+)`/)?.[1]).toBe(KIND_RULES[kind].undoneBy ?? undefined);
  });

  it('names every reason for which a job is skipped', () => {
    const named = rows.flatMap(([, first]) =>
      [...(first ?? '').matchAll(/`([a-z-]+)`/g)].map(([, word]) => word),
    );
    for (const reason of SKIP_REASONS) expect(named).toContain(reason);
  });
});

describe('the table of kinds', () => {
  it('undoes a kind where that kind leaves its jobs', () => {
    const leaves = { purge: 'trashed', suppress: 'suppressed', redrive: 'ready', edit: 'ready' } as const;
    for (const [kind, state] of Object.entries(leaves)) {
      const undo = KIND_RULES[kind as keyof typeof leaves].undoneBy;
      expect(undo && KIND_STATES[undo]).toContain(state);
    }
  });

  it('has an outcome for exactly the kinds that put dead jobs back', () => {
    for (const kind of OPERATION_KINDS)
      if (RERUNS.has(kind)) expect(KIND_STATES[kind]).toEqual(['dead', 'suppressed']);
  });

  it('asks for the number sooner where jobs are taken away, and never for an export or a queue, whose name is typed', () => {
    for (const kind of OPERATION_KINDS) {
      const limit = DESTRUCTIVE.has(kind) ? TYPED_ABOVE_DESTRUCTIVE : TYPED_ABOVE;
      expect(needsTypedCount(kind, limit)).toBe(false);
      expect(needsTypedCount(kind, limit + 1)).toBe(kind !== 'export' && kind !== 'delete-queue');
    }
  });

  it('has a word for every class of failure, and none that hides what it does', () => {
    for (const { sentence } of Object.values(CLASS_SAFETY)) expect(sentence).toMatch(/\.$/);
  });
});

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

it.each([
  [{ kind: 'edit', patch: Array(21).fill({ op: 'remove', path: '/a' }) }, 'patch'],
  [{ kind: 'edit', patch: [{ op: 'copy', from: '/a', path: '/b' }] }, 'patch'],
  [{ kind: 'edit', patch: [{ op: 'add', path: '/a', value: nested(101) }] }, 'value'],
  [{ kind: 'edit', patch: [{ op: 'add', path: '/a', value: nested(50_000) }] }, 'value'],
  [{ kind: 'edit', patch: [{ op: 'add', path: '/a', value: JSON.parse('[{"__proto__":1}]') }] }, 'value'],
  [{ kind: 'redrive', scope: { jobs: Array(501).fill({ queue: 'q', jobId: 'j' }) } }, 'jobs'],
  [{ kind: 'redrive', scope: { q: 'x'.repeat(2_049) } }, 'q'],
  [{ kind: 'export', maxRows: 1_000_001 }, 'maxRows'],
  [{ kind: 'reschedule', dueAt: Number.MAX_SAFE_INTEGER, scope: { state: 'retry', q: '' } }, 'dueAt'],
])('a request of the wrong size is refused: %#', (part, field) => {
  const parsed = previewRequestSchema.safeParse({ scope: { q: '' }, ...part });
  expect(parsed.error?.issues.flatMap(({ path }) => path)).toContain(field);
});
