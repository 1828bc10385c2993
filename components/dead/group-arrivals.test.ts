import { describe, expect, it } from 'vitest';
import type { Group, GroupsPage } from '@/lib/contract/dead';
import { groupArrivalsOf, groupArrivalWords, withChanges } from './group-arrivals';

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
const words = (now: GroupsPage, before = shown) => groupArrivalWords(groupArrivalsOf(before, now));

describe('behind failure groups that are held still', () => {
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

it('shows what a person did to a held group, and nothing else', () => {
  const now = page([
    group('a', 99, { name: 'Gateway', status: 'muted', changedAt: 1_500 }),
    group('b', 99, { status: 'reopened' }),
  ]);
  const held = withChanges(shown, now);
  expect(held.groups).toMatchObject([
    { count: 60, name: 'Gateway', status: 'muted' },
    { count: 12, status: 'open' },
  ]);
  expect(withChanges(shown, shown)).toBe(shown);
});
