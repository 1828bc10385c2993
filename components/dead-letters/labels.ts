/** Dead letters, their facets and failure groups in words; pure. */

import { groupTitle } from '@/components/shared/group-title';
import type { MatchCount } from '@/components/shared/job-lists/match-count';
import type { OperationKind } from '@/lib/contract/operations/operation-kinds';
import { KIND_LABELS } from '@/lib/contract/operations/operation-text';
import { ageLabel } from '@/lib/contract/search/search-limits';
import type { Group } from '@/lib/contract/search/search-schemas';
import { titleText, truncateEnd } from '@/lib/format/display-text';
import { fullNumber } from '@/lib/format/number';
import { count, plural } from '@/lib/format/plural';
import type { FacetField } from './query-terms';

/** "1,234 dead letters match"; "at least 20,000 …" when counting stopped at its budget. */
export function matchLabel({ count: n, exact }: MatchCount): string {
  return `${exact ? '' : 'at least '}${count(n, 'dead letter')} ${plural(n, 'matches', 'match')}`;
}

export interface ScanState {
  readonly scanned: number;
  readonly of: number;
}

/** "40,000 of 1,200,000 scanned". */
export const scannedLabel = ({ scanned, of }: ScanState): string =>
  `${fullNumber(Math.min(scanned, of))} of ${fullNumber(of)} scanned`;

/** "312 found, 40,000 of 1,200,000 scanned". */
export const scanLabel = ({ found, ...scan }: ScanState & { found: number }): string =>
  `${fullNumber(found)} found, ${scannedLabel(scan)}`;

/** In the order of the page. */
export const FACET_LABELS: Readonly<Record<FacetField, string>> = {
  queue: 'Queue',
  class: 'Class',
  code: 'Code',
  type: 'Type',
  tenant: 'Tenant',
  age: 'Age',
  attempts: 'Attempts',
};

export const facetValueLabel = (field: FacetField, value: string): string =>
  field === 'age' ? ageLabel(value) : value;

/** The wizard's title: the operation and the failure. */
export const operationTitle = (
  kind: OperationKind,
  group: Pick<Group, 'name' | 'message' | 'code'>,
): string => `${KIND_LABELS[kind].verb}: ${truncateEnd(titleText(groupTitle(group)), 80)}`;

/** "acme, globex and 3 more". */
export function tenantsLabel({ tenants, tenantCount }: Pick<Group, 'tenants' | 'tenantCount'>): string {
  const listed = tenants.slice(0, 2).map(({ value }) => value);
  const more = tenantCount - listed.length;
  return more <= 0 ? listed.join(' and ') : `${listed.join(', ')} and ${fullNumber(more)} more`;
}

/** "v1, v2". */
export const versionsLabel = ({ versions }: Pick<Group, 'versions'>): string =>
  versions.map(({ value }) => `v${value}`).join(', ');

type Deaths = Pick<Group, 'trend' | 'lastHour'>;
const sumOf = (counts: readonly number[]): number => counts.reduce((a, b) => a + b, 0);

/**
 * Most deaths are of the last hour: over a day they would be one spike. By the hours of the day, which count jobs that were put back since,
 * too; the last hour knows only those that are still dead, and would be left as soon as some are re-driven.
 */
export const isOfLastHour = ({ trend, lastHour }: Deaths): boolean =>
  lastHour !== null && 2 * sumOf(trend.slice(-2)) >= sumOf(trend);

/** "12 deaths this hour, 340 in 24 h", or "12 dead letters of the last hour, 3 of the last 5 min". */
export function trendLabel(deaths: Deaths): string {
  const { trend, lastHour } = deaths;
  if (lastHour && isOfLastHour(deaths))
    return `${count(sumOf(lastHour), 'dead letter')} of the last hour, ${fullNumber(lastHour.at(-1) ?? 0)} of the last 5 min`;
  return `${count(trend.at(-1) ?? 0, 'death')} this hour, ${fullNumber(sumOf(trend))} in ${trend.length} h`;
}

const COLLAPSED_STATUSES = ['resolved', 'muted'] as const;
/** Resolved or muted groups need no attention now, so they are collapsed. */
export const isCollapsed = ({ status }: Pick<Group, 'status'>): boolean =>
  status === 'resolved' || status === 'muted';

/** "3 resolved, 2 muted". */
export function collapsedGroupsLabel(groups: readonly Pick<Group, 'status'>[]): string {
  return COLLAPSED_STATUSES.map(
    (status) => [groups.filter((group) => group.status === status).length, status] as const,
  )
    .filter(([n]) => n > 0)
    .map(([n, status]) => `${fullNumber(n)} ${status}`)
    .join(', ');
}
