'use client';
/** Everything the finder knows without a search: pages, alerts, queues, operations, schedules, failure groups, searches, users and tokens. */
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

/** The latest, which any words may find, and of all others those with the typed text. */
function useOperationsOf(q: string) {
  const latest = { cursor: null, status: null, kind: null } as const;
  return byId(useOperations(latest).data?.operations, useOperations({ ...latest, q }).data?.operations);
}

const useSchedulesOf = (q: string) =>
  byId(useSchedules(null).data?.schedules, useSchedules(null, q).data?.schedules);

/** Of like matches, those that come first here come first. */
export function useFinderItems(typed: string): readonly FinderItem[] {
  const may = usePermits();
  // "settings of orders" is about the queue orders.
  const { names } = useQueueNames(typed.trim().split(/\s+/).at(-1) ?? '');
  const part = useDebounced(typed.trim().slice(0, PART_MAX_CHARS), REST_MS);
  const operations = useOperationsOf(part);
  const schedules = useSchedulesOf(part);
  const groups = useGroups('').data?.groups ?? [];
  const searches = useSavedSearches().data ?? [];
  const managesAccess = useManagesAccess();
  const users = useUsers(managesAccess).data?.users ?? [];
  const tokens = useTokens(managesAccess).data?.tokens ?? [];
  const alerts = useAlerts('once').data?.live ?? [];
  const pages = NAV.filter((item) => isOpenTo(item, may));
  return [
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
}
