'use client';
import { useState } from 'react';
import { StateBadge } from '@/components/shared/state-badge';
import { useOpenPage } from '@/components/shared/use-open-page';
import { CommandDialog, type CommandGroup } from '@/components/ui/overlays/command-dialog';
import type { CommandItem } from '@/components/ui/overlays/command-option';
import { readPageActions } from '@/components/ui/page-actions';
import { addressOf } from '@/lib/browser/base-path';
import { links } from '@/lib/browser/links';
import {
  asReference,
  type ReferenceSearch,
  useJobLookup,
  useReferenceSearch,
} from '@/lib/browser/search/use-find-jobs';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import type { FoundJob } from '@/lib/contract/search/find-schemas';
import { printValue } from '@/lib/contract/search/query/print-query';
import { FIND_BUDGET_MAX } from '@/lib/contract/search/search-limits';
import { fullNumber } from '@/lib/format/number';
import { rankItems } from './rank-items';
import { readRecent, rememberRecent } from './recent-items';
import { lookupStatus, searchStatus } from './search-status';
import type { FinderCommand } from './setting-commands';
import { type FinderItem, useFinderItems } from './use-finder-items';
import { usePauseCommands } from './use-pause-commands';
import { useSettingCommands } from './use-setting-commands';

const SHOWN = 20;
/** Before something is typed: a page may have two actions for each of its many rows. */
const ACTIONS_SHOWN = 40;

/** Finds jobs, queues and everything else, and offers what can be done on the open page. */
export function FinderDialog({
  first,
  onClose,
  onShortcuts,
}: {
  /** What was typed before the finder was there. */
  first: string;
  onClose: () => void;
  onShortcuts: () => void;
}) {
  const openPage = useOpenPage();
  const [typed, setTyped] = useState(first);
  // Read once: the page behind does not change while the finder is open.
  const [actions] = useState(() => readPageActions());
  const [recent] = useState(readRecent);
  const { items: known, isSettled } = useFinderItems(typed);
  const pauses = usePauseCommands(typed, openPage);
  const { settings, zones } = useSettingCommands(typed);
  const lookup = useJobLookup(typed);
  const { search, start, clear } = useReferenceSearch();
  const reference = asReference(typed);

  const open = (item: Pick<FinderItem, 'key' | 'label' | 'kind' | 'href' | 'detail'>): CommandItem => ({
    ...item,
    href: addressOf(item.href),
    choose: () => {
      rememberRecent({ label: item.label, kind: item.kind, href: item.href });
      openPage(item.href);
    },
  });
  const openJob = (job: JobSummary, by: string): CommandItem => ({
    ...open({
      key: `job ${job.queue} ${job.jobId} ${job.tenantId}`,
      label: job.jobId,
      kind: 'Job',
      href: links.job(job.queue, job.jobId),
    }),
    icon: <StateBadge state={job.state} />,
    detail: `${job.jobType} in ${job.queue}${by}`,
  });
  const commands = actions.map(
    ({ label, detail, run }): FinderCommand => ({
      key: `action ${label} ${detail ?? ''}`,
      label,
      kind: 'Action',
      ...(detail === undefined ? {} : { detail, keywords: detail }),
      choose: run,
    }),
  );
  const help: CommandItem = {
    key: 'action shortcuts',
    label: 'Keyboard shortcuts',
    kind: 'Help',
    choose: onShortcuts,
  };

  const lookedUp = (lookup.reply?.jobs ?? []).map((job) => openJob(job, FOUND_BY[job.by]));
  const listed = new Set(lookedUp.map(({ key }) => key));
  const searched = search.jobs.map((job) => openJob(job, '')).filter(({ key }) => !listed.has(key));
  // Not before the lookup: Enter is for the job that it finds.
  const deeper = reference === null || lookup.isWaiting ? [] : deeperSearch(reference, search, start);
  // Keys were searched: a value of a payload is found by a query only.
  const inPayloads =
    reference === null || lookup.isWaiting || search.end === null || search.jobs.length > 0
      ? []
      : [
          open({
            key: 'payloads',
            label: `Search the payloads of dead letters for “${reference}”`,
            kind: 'Search',
            href: links.dead(printValue(reference)),
          }),
        ];
  const ranked = rankItems(
    [...commands, ...pauses.commands, help, ...known.map(open), ...settings, ...zones],
    typed,
    SHOWN,
  );
  const groups: CommandGroup[] =
    typed.trim() === ''
      ? [
          { label: 'Recent', items: recent.map((item) => open({ ...item, key: `recent ${item.href}` })) },
          { label: 'On this page', items: [...commands.slice(0, ACTIONS_SHOWN), help] },
          { label: 'Go to', items: known.slice(0, SHOWN).map(open) },
          { label: 'Settings', items: settings },
        ]
      : [
          { label: 'Jobs', items: [...lookedUp, ...searched] },
          { label: 'Results', items: ranked },
          { label: 'Search', items: [...deeper, ...inPayloads] },
        ];
  const total = groups.reduce((sum, { items }) => sum + items.length, 0) - deeper.length - inPayloads.length;
  return (
    <CommandDialog
      title="Find"
      placeholder="Job id or key, queue, page, action …"
      typed={typed}
      onType={(text) => {
        setTyped(text);
        clear();
      }}
      groups={groups}
      isSettled={typed.trim() === '' || (isSettled && pauses.isSettled && !lookup.isWaiting)}
      status={
        search.reference !== null
          ? searchStatus(search)
          : lookupStatus(lookup, typed.trim() === '' ? null : total, deeper.length > 0)
      }
      onClose={onClose}
    />
  );
}

const FOUND_BY: Readonly<Record<FoundJob['by'], string>> = {
  id: '',
  unique: ', by its uniqueness key',
  key: ', by its idempotency key',
};

/** Times as many jobs as the search before looked at. */
const BUDGET_GROWTH = 10;

/** The search through all states that is offered next: none while one runs, or when nothing is left. */
function deeperSearch(
  reference: string,
  { reference: searched, end, error }: ReferenceSearch,
  start: (reference: string, budget?: number) => void,
): CommandItem[] {
  const item = { key: 'deeper', kind: 'Search', stays: true };
  if (searched === null || error !== null) {
    const label = `${error === null ? 'Search' : 'Search again'} all jobs for “${reference}”`;
    const detail = 'as correlation id or trace id';
    return [{ ...item, label, detail, choose: () => start(reference) }];
  }
  const budget = end?.stopped === 'budget' ? Math.min(FIND_BUDGET_MAX, end.scanned * BUDGET_GROWTH) : 0;
  if (!end || budget <= end.scanned) return [];
  const label = `Search on, up to ${fullNumber(budget)} jobs`;
  return [{ ...item, label, choose: () => start(reference, budget) }];
}
