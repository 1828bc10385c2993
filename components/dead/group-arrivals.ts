/** What changed behind failure groups that are held still; pure. */
import type { Group, GroupsPage } from '@/lib/contract/dead';
import { full } from '@/lib/format/number';
import { count } from '@/lib/format/plural';

export interface GroupArrivals {
  /** Groups that were not there … */
  readonly groups: number;
  /** … and dead letters, in those and in the others; null when counts are of a sample and tell no more than that some died. */
  readonly arrived: number | null;
  readonly left: number;
}
type Counted = Pick<GroupsPage, 'at' | 'groups' | 'total' | 'matching' | 'sampled'>;

const isWhole = ({ groups, total }: Counted) => groups.length >= total;
const isCounted = ({ matching, sampled }: Counted) => matching.exact && sampled === null;

/** `now` is of the same query. Where as many died in a group as left it, that group looks as it did. */
export function groupArrivalsOf(shown: Counted, now: Counted): GroupArrivals {
  const before = new Map(shown.groups.map((group) => [group.group, group]));
  const after = new Set(now.groups.map(({ group }) => group));
  // One that climbed into a list that shows the largest only is not new.
  const fresh = now.groups.filter(
    ({ group, firstSeen }) => !before.has(group) && (isWhole(shown) || firstSeen > shown.at),
  );
  if (!isCounted(shown) || !isCounted(now)) {
    const some = now.groups.some(({ group, lastSeen }) => before.has(group) && lastSeen > shown.at);
    return { groups: fresh.length, arrived: some || fresh.length > 0 ? null : 0, left: 0 };
  }
  const grown = now.groups.map(({ group, count: dead }) => dead - (before.get(group)?.count ?? dead));
  const gone = isWhole(now) ? shown.groups.filter(({ group }) => !after.has(group)) : [];
  return {
    groups: fresh.length,
    arrived: sum(grown.filter((more) => more > 0)) + sum(fresh.map((group) => group.count)),
    left: -sum(grown.filter((more) => more < 0)) + sum(gone.map((group) => group.count)),
  };
}

/** "37 new", "40 new, 1 new group", "12 left"; null when the groups are still the truth. */
export function groupArrivalWords({ groups, arrived, left }: GroupArrivals): string | null {
  const parts = [
    arrived === null ? 'some new' : arrived > 0 ? `${full(arrived)} new` : null,
    groups > 0 ? count(groups, 'new group') : null,
    left > 0 ? `${full(left)} left` : null,
  ].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(', ') : null;
}

/** Held groups with what a person did to them since: a name given here must show, a count must not move. */
export function withChanges(held: GroupsPage, now: GroupsPage): GroupsPage {
  if (held === now) return held;
  const latest = new Map(now.groups.map((group) => [group.group, group]));
  return { ...held, groups: held.groups.map((group) => changed(group, latest.get(group.group))) };
}

function changed(held: Group, now: Group | undefined): Group {
  if (!now || (now.changedAt ?? 0) <= (held.changedAt ?? 0)) return held;
  const { name, note, status, changedBy, changedAt } = now;
  return { ...held, name, note, status, changedBy, changedAt };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
