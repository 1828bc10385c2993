'use client';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { usePermits } from '@/lib/browser/access/use-permissions';
import { dialogLink } from '@/lib/browser/dialog-link';
import { links } from '@/lib/browser/links';
import { useOverview } from '@/lib/browser/live/use-overview';
import { breakdownOptions } from '@/lib/browser/queues/use-breakdown';
import { useQueueNames } from '@/lib/browser/queues/use-queue-names';
import type { QueueRow } from '@/lib/contract/queues/queue-schemas';
import { type PausableShare, pauseCommands } from './pause-commands';
import type { FinderCommand } from './setting-commands';

/** Each is a request, and a read of up to a thousand jobs. */
const QUEUES_READ = 5;
/** A pause holds what waits: of many queues those with most of that. */
const mostWaiting = (queues: readonly QueueRow[]): string[] =>
  [...queues]
    .sort((a, b) => b.counts.ready + b.counts.held - (a.counts.ready + a.counts.held))
    .map(({ queue }) => queue);
const NO_NAMES: readonly string[] = [];

/** Pauses of queues, tenants and job types from any page, once "pause" is typed. */
export function usePauseCommands(
  typed: string,
  openPage: (path: string) => void,
): { commands: readonly FinderCommand[]; isSettled: boolean } {
  const may = usePermits();
  const [verb = '', ...words] = typed.trim().toLowerCase().split(/\s+/);
  const isAsked = verb.length >= 3 && 'pause'.startsWith(verb);
  const { names } = useQueueNames(isAsked ? words.join(' ') : '');
  const overview = useOverview().data;
  // Chosen once: the order of the overview changes every second.
  const isNamed = isAsked && words.length > 0;
  const [read, setRead] = useState<readonly string[]>(NO_NAMES);
  if (isNamed && read.length === 0 && overview) {
    const permitted = overview.queues.filter(({ queue }) => may('operate', queue));
    if (permitted.length > 0) setRead(mostWaiting(permitted).slice(0, QUEUES_READ));
  }
  const breakdowns = useQueries({
    queries: (isNamed ? read : NO_NAMES).map((queue) => breakdownOptions(queue)),
  });
  if (!isAsked) return { commands: [], isSettled: true };
  const shares = breakdowns.flatMap(({ data }, i): PausableShare[] => {
    const queue = read[i] ?? '';
    const of = (kind: PausableShare['kind'], list: readonly { name: string }[] = []) =>
      list.map(({ name }) => ({ queue, kind, name }));
    return [...of('tenant', data?.tenants), ...of('type', data?.types)];
  });
  const { href } = window.location;
  const open = (queue: string, filled: Readonly<Record<string, unknown>>) => {
    const { pathname, search, hash } = new URL(
      dialogLink(href, { path: links.queue(queue), dialog: 'pause' }, filled),
    );
    openPage(`${pathname}${search}${hash}`);
  };
  return {
    commands: pauseCommands(
      names.filter((name) => may('operate', name)),
      shares,
      open,
    ),
    isSettled: breakdowns.every(({ isPending, error }) => !isPending || error !== null),
  };
}
