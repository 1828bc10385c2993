/** A failure group in words; pure. */
import type { Group } from '@/lib/contract/dead';
import { KIND_WORDS } from '@/lib/contract/operation-words';
import type { OperationKind } from '@/lib/contract/operations';
import { full } from '@/lib/format/number';
import { count } from '@/lib/format/plural';
import { truncateEnd, visible } from '@/lib/format/text';

/** What a person called it, or what it says; a group without either is known by its code. */
export const titleOf = ({ name, message, code }: Pick<Group, 'name' | 'message' | 'code'>): string =>
  name ?? message ?? code;

/** Heads the wizard: what is done, and to which failure. */
export const askTitle = (kind: OperationKind, group: Pick<Group, 'name' | 'message' | 'code'>): string =>
  `${KIND_WORDS[kind].verb}: ${truncateEnd(visible(titleOf(group)), 80)}`;

/** "acme, globex and 3 more". */
export function tenantWords({ tenants, tenantCount }: Pick<Group, 'tenants' | 'tenantCount'>): string {
  const shown = tenants.slice(0, 2).map(({ value }) => value);
  const more = tenantCount - shown.length;
  if (more <= 0) return shown.join(' and ');
  return `${shown.join(', ')} and ${full(more)} more`;
}

/** "v1, v2". */
export const versionWords = ({ versions }: Pick<Group, 'versions'>): string =>
  versions.map(({ value }) => `v${value}`).join(', ');

/** "12 deaths in the last hour, 340 in the last 24 h". */
export function trendWords(trend: readonly number[]): string {
  const sum = trend.reduce((a, b) => a + b, 0);
  return `${count(trend.at(-1) ?? 0, 'death')} this hour, ${full(sum)} in ${trend.length} h`;
}

export const ATTENDED = ['resolved', 'muted'] as const;
/** Folded away: somebody said that it needs no attention now. */
export const isAttended = ({ status }: Pick<Group, 'status'>): boolean =>
  status === 'resolved' || status === 'muted';

/** "3 resolved, 2 muted". */
export function attendedWords(groups: readonly Pick<Group, 'status'>[]): string {
  return ATTENDED.map((status) => [groups.filter((group) => group.status === status).length, status] as const)
    .filter(([n]) => n > 0)
    .map(([n, status]) => `${full(n)} ${status}`)
    .join(', ');
}
