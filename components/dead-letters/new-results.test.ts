import { describe, expect, it } from 'vitest';
import type { Group, GroupsPage, SearchPage } from '@/lib/contract/search/search-schemas';
import { mergeGroupEdits } from './groups/merge-group-edits';
import { countGroupChanges, countNewResults, groupChangesLabel, newResultsLabel } from './new-results';

const rows = (diedAt: readonly number[], count: number, more = false): SearchPage =>
  ({
    at: 2_000,
    jobs: diedAt.map((stateAt) => ({ stateAt })),
    nextCursor: more ? 'on' : null,
    matching: { count, exact: true },
    scan: { found: 0, scanned: 0, of: 0 },
  }) as unknown as SearchPage;
const listed = { at: 1_000, matching: { count: 10, exact: true } };
const label = (now: SearchPage) => newResultsLabel(countNewResults(listed, now));

describe('new results behind a paused list', () => {
  it('nothing happened', () => expect(label(rows([900, 800], 10))).toBeNull());
  it('some died', () => expect(label(rows([1_500, 1_200, 900], 12))).toBe('2 new'));
  it('some left', () => expect(label(rows([900], 7))).toBe('3 left'));
  it('some died while others left', () => expect(label(rows([1_500, 900], 10))).toBe('1 new, 1 left'));
  it('more died than a page holds: nobody can tell how many left', () => {
    expect(label(rows([1_900, 1_800], 500, true))).toBe('2+ new');
  });
  it('is not known to have lost any when counts are no more than lower bounds', () => {
    const now = { ...rows([900], 7), matching: { count: 7, exact: false } };
    expect(label(now)).toBeNull();
  });
});

const group = (id: string, count: number, more: Partial<Group> = {}) =>
  ({ group: id, count, firstSeen: 500, lastSeen: 900, changedAt: null, status: 'open', ...more }) as Group;
const page = (groups: readonly Group[], more: Partial<GroupsPage> = {}): GroupsPage => ({
  at: 2_000,
  groups: [...groups],
  total: groups.length,
  matching: { count: groups.reduce((sum, { count }) => sum + count, 0), exact: true },
  sampled: null,
  ...more,
});
const shown = page([group('a', 60), group('b', 12)], { at: 1_000 });
const words = (now: GroupsPage, before = shown) => groupChangesLabel(countGroupChanges(before, now));

describe('changes behind paused failure groups', () => {
  it('nothing happened', () => expect(words(page([group('b', 12), group('a', 60)]))).toBeNull());
  it('some died', () => expect(words(page([group('a', 61), group('b', 14)]))).toBe('3 new'));
  it('another group came', () =>
    expect(words(page([group('c', 4, { firstSeen: 1_500 }), group('a', 60), group('b', 12)]))).toBe(
      '4 new, 1 new group',
    ));
  it('some left, and a group went away', () => expect(words(page([group('a', 50)]))).toBe('22 left'));
  it('says only what it knows of counts that are samples', () => {
    const sampled = { sampled: 2_000, matching: { count: 9_000, exact: false } };
    expect(words(page([group('a', 10), group('b', 1)], sampled))).toBeNull();
    expect(words(page([group('a', 10, { lastSeen: 1_500 })], sampled))).toBe('some new');
  });
  it('does not take a group for new, or gone, that only changed places with one that is not shown', () => {
    const cut = { ...shown, total: 200 };
    expect(words(page([group('a', 60), group('c', 13)], { total: 200 }), cut)).toBeNull();
    expect(words(page([group('a', 60), group('c', 13, { firstSeen: 1_500 })], { total: 201 }), cut)).toBe(
      '13 new, 1 new group',
    );
  });
});

it('shows what a user changed in a paused group, and nothing else', () => {
  const now = page([
    group('a', 99, { name: 'Gateway', status: 'muted', changedAt: 1_500 }),
    group('b', 99, { status: 'reopened' }),
  ]);
  const held = mergeGroupEdits(shown, now);
  expect(held.groups).toMatchObject([
    { count: 60, name: 'Gateway', status: 'muted' },
    { count: 12, status: 'open' },
  ]);
  expect(mergeGroupEdits(shown, shown)).toBe(shown);
});
