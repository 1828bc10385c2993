/** Changes since auto-refresh of a list was paused; pure. */
import type { GroupsPage, SearchPage } from '@/lib/contract/search/search-schemas';
import { fullNumber } from '@/lib/format/number';
import { count } from '@/lib/format/plural';

interface NewResults {
  /** Matches that died since the list was read … */
  readonly arrived: number;
  /** … at least: the first page is full of them. */
  readonly more: boolean;
  /** Number of rows that no longer match; null: unknown. */
  readonly left: number | null;
}

/** `now` is the first page, newest first, of the same query. */
export function countNewResults(shown: Pick<SearchPage, 'at' | 'matching'>, now: SearchPage): NewResults {
  const arrived = now.jobs.filter(({ stateAt }) => (stateAt ?? 0) > shown.at).length;
  const more = arrived > 0 && arrived === now.jobs.length && now.nextCursor !== null;
  const isKnown = shown.matching.exact && now.matching.exact && !more;
  return {
    arrived,
    more,
    left: isKnown ? Math.max(0, shown.matching.count + arrived - now.matching.count) : null,
  };
}

/** "37 new", "50+ new, 12 left"; null when the list is up to date. */
export function newResultsLabel({ arrived, more, left }: NewResults): string | null {
  return joined(
    arrived > 0 && `${fullNumber(arrived)}${more ? '+' : ''} new`,
    left !== null && left > 0 && `${fullNumber(left)} left`,
  );
}

const joined = (...parts: readonly (string | false)[]): string | null =>
  parts.filter((part) => part !== false).join(', ') || null;

interface GroupChanges {
  /** New groups … */
  readonly groups: number;
  /** … and dead letters in all groups; null when the counts come from a sample, which only shows that there are some. */
  readonly arrived: number | null;
  readonly left: number;
}
type Counted = Pick<GroupsPage, 'at' | 'groups' | 'total' | 'matching' | 'sampled'>;

const isWhole = ({ groups, total }: Counted) => groups.length >= total;
const isCounted = ({ matching, sampled }: Counted) => matching.exact && sampled === null;

/** `now` is the page of the same query. A group with as many deaths as jobs that left it counts as unchanged. */
export function countGroupChanges(shown: Counted, now: Counted): GroupChanges {
  const before = new Map(shown.groups.map((group) => [group.group, group]));
  const after = new Set(now.groups.map(({ group }) => group));
  // A list of the largest groups may gain a group that grew; that group is not new.
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

/** "37 new", "40 new, 1 new group", "12 left"; null when the groups are up to date. */
export function groupChangesLabel({ groups, arrived, left }: GroupChanges): string | null {
  return joined(
    arrived === null ? 'some new' : arrived > 0 && `${fullNumber(arrived)} new`,
    groups > 0 && count(groups, 'new group'),
    left > 0 && `${fullNumber(left)} left`,
  );
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
