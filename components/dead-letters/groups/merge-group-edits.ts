import type { Group, GroupsPage } from '@/lib/contract/search/search-schemas';

/** The listed groups with the users' changes since: a new name must show, a count must not move. */
export function mergeGroupEdits(held: GroupsPage, now: GroupsPage): GroupsPage {
  if (held === now) return held;
  const latest = new Map(now.groups.map((group) => [group.group, group]));
  return { ...held, groups: held.groups.map((group) => changed(group, latest.get(group.group))) };
}

function changed(held: Group, now: Group | undefined): Group {
  if (!now || (now.changedAt ?? 0) <= (held.changedAt ?? 0)) return held;
  const { name, note, status, changedBy, changedAt } = now;
  return { ...held, name, note, status, changedBy, changedAt };
}
