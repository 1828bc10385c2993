'use client';
/** Everything the finder knows without a search: pages, alerts, queues, operations, schedules, failure groups, searches, users and tokens. */
import type { UseQueryResult } from '@tanstack/react-query';
import { useManagesAccess, useTokens, useUsers } from '@/lib/browser/access/use-access';
import { usePermits } from '@/lib/browser/access/use-permissions';
import { useAlerts } from '@/lib/browser/alerts/use-alerts';
import { links } from '@/lib/browser/links';
import { useQueueNames } from '@/lib/browser/queues/use-queue-names';
import { useGroups } from '@/lib/browser/search/use-dead-letters';
import { useSavedSearches } from '@/lib/browser/search/use-saved-searches';
import { useDebounced } from '@/lib/browser/search/use-suggest';
import { useOperations } from '@/lib/browser/use-operations';
import { useSchedules } from '@/lib/browser/use-schedules';
import { operationResult } from '@/lib/contract/operations/operation-result';
import { KIND_LABELS } from '@/lib/contract/operations/operation-text';
import { count } from '@/lib/format/plural';
import { isOpenTo, NAV } from '../nav-items';
import type { Rankable } from './rank-items';

/** Something that has an address. */
export interface FinderItem extends Rankable {
  readonly kind: string;
  readonly href: string;
  readonly detail?: string;
}

const PART_MAX_CHARS = 100;
/** Typing pauses are longer than this. */
const REST_MS = 200;

const byId = <Item extends { readonly id: string }>(...lists: (readonly Item[] | undefined)[]): Item[] => [
  ...new Map(lists.flatMap((list = []) => list.map((item) => [item.id, item] as const))).values(),
];

const isUnanswered = ({
  isPending,
  isPlaceholderData,
}: Pick<UseQueryResult, 'isPending' | 'isPlaceholderData'>) => isPending || isPlaceholderData;

/** The latest, which any words may find, and of all others those with the typed text. */
function useOperationsOf(q: string) {
  const latest = { cursor: null, status: null, kind: null } as const;
  const matching = useOperations({ ...latest, q });
  const operations = byId(useOperations(latest).data?.operations, matching.data?.operations);
  return { operations, isWaiting: isUnanswered(matching) };
}

function useSchedulesOf(q: string) {
  const matching = useSchedules(null, q);
  const schedules = byId(useSchedules(null).data?.schedules, matching.data?.schedules);
  return { schedules, isWaiting: isUnanswered(matching) };
}

/** Of like matches, those that come first here come first. `isSettled`: each source has answered for the typed text. */
export function useFinderItems(typed: string): { items: readonly FinderItem[]; isSettled: boolean } {
  const may = usePermits();
  // "settings of orders" is about the queue orders.
  const { names, of } = useQueueNames(typed.trim().split(/\s+/).at(-1) ?? '');
  const wanted = typed.trim().slice(0, PART_MAX_CHARS);
  const part = useDebounced(wanted, REST_MS);
  const { operations, ...ofOperations } = useOperationsOf(part);
  const { schedules, ...ofSchedules } = useSchedulesOf(part);
  const groups = useGroups('').data?.groups ?? [];
  const searches = useSavedSearches().data ?? [];
  const managesAccess = useManagesAccess();
  const users = useUsers(managesAccess).data?.users ?? [];
  const tokens = useTokens(managesAccess).data?.tokens ?? [];
  const alerts = useAlerts('once').data?.live ?? [];
  const pages = NAV.filter((item) => isOpenTo(item, may));
  const isSettled = part === wanted && of !== null && !ofOperations.isWaiting && !ofSchedules.isWaiting;
  const items = [
    ...pages.map(({ key, label, href }) => ({ key: `page ${key}`, label, href, kind: 'Page' })),
    {
      key: 'page api',
      label: 'API reference',
      href: links.apiReference(),
      kind: 'Page',
      keywords: 'openapi curl',
    },
    ...alerts.map(({ id, code, sentence, state }) => ({
      key: `alert ${id}`,
      label: sentence,
      href: links.alerts(),
      kind: 'Alert',
      detail: `${code}, ${state}`,
      keywords: code,
    })),
    ...names.map((name) => ({ key: `queue ${name}`, label: name, href: links.queue(name), kind: 'Queue' })),
    ...searches.map(({ id, name, q }) => ({
      key: `search ${id}`,
      label: name,
      href: links.dead(q),
      kind: 'Saved search',
      detail: q,
      keywords: q,
    })),
    ...schedules.map(({ id, queue, paused }) => ({
      key: `schedule ${id}`,
      label: id,
      href: links.schedules(id),
      kind: 'Schedule',
      detail: paused ? `${queue}, paused` : queue,
      keywords: queue,
    })),
    ...operations.map((operation) => {
      const { id, kind, reason, actor } = operation;
      const result = operationResult(operation).label;
      return {
        key: `operation ${id}`,
        label: `${KIND_LABELS[kind].verb}: ${reason}`,
        href: links.operation(id),
        kind: 'Operation',
        detail: `${result}, ${actor}`,
        keywords: `${id} ${actor} ${result}`,
      };
    }),
    ...groups.map(({ group, name, message, type, code, count: jobs }) => ({
      key: `group ${group}`,
      label: name ?? message ?? `${type} ${code}`,
      href: links.dead(`group:${group}`, 'rows'),
      kind: 'Failure group',
      detail: `${type}, ${count(jobs, 'job')}`,
      keywords: `${group} ${type} ${code}`,
    })),
    ...names
      .filter((name) => may('view', name))
      .map((name) => ({
        key: `settings ${name}`,
        label: `Settings of ${name}`,
        href: links.queueSettings(name),
        kind: 'Settings',
      })),
    ...users.map(({ id, name }) => ({
      key: `user ${id}`,
      label: name,
      href: links.access('users', { find: name }),
      kind: 'User',
      keywords: id,
    })),
    ...tokens.map(({ id, name, owner }) => ({
      key: `token ${id}`,
      label: name,
      // The list of all has the tokens of other users, too.
      href: links.access('tokens', managesAccess ? { all: 'true' } : {}),
      kind: 'API token',
      detail: `of ${owner.name}`,
      keywords: owner.name,
    })),
  ];
  return { items, isSettled };
}
