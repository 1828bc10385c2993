'use client';
import { type ReactNode, useId, useRef, useState } from 'react';
import { GROUP_LIST, isSelectionEmpty, useListSelection } from '@/components/shared/job-lists/list-selection';
import { countLabel } from '@/components/shared/job-lists/match-count';
import { OperationButtons } from '@/components/shared/job-lists/operation-buttons';
import { SelectionBar } from '@/components/shared/job-lists/selection-bar';
import { LoadError } from '@/components/shared/load-error';
import { useListHold } from '@/components/shared/use-list-hold';
import { useListKeys } from '@/components/shared/use-list-keys';
import { ChevronDown, ChevronRight } from '@/components/ui/icons';
import { lazyPart } from '@/components/ui/lazy-part';
import { Skeleton } from '@/components/ui/skeleton';
import { DataAge } from '@/components/ui/text/relative-time';
import { links } from '@/lib/browser/links';
import { useOperationWizard } from '@/lib/browser/operation-wizard-context';
import { queryLanguage } from '@/lib/browser/search/query-language';
import { useGroupsWithFacets } from '@/lib/browser/search/use-dead-letters';
import type { OperationKind } from '@/lib/contract/operations/operation-kinds';
import { KIND_LABELS } from '@/lib/contract/operations/operation-text';
import type { Filter } from '@/lib/contract/search/query';
import type { Group, GroupsPage } from '@/lib/contract/search/search-schemas';
import { fullNumber } from '@/lib/format/number';
import { count } from '@/lib/format/plural';
import { AllMatchesActions } from '../all-matches-actions';
import { collapsedGroupsLabel, isCollapsed, operationTitle } from '../labels';
import { useDeadView } from '../use-dead-view';
import { usePausedPage } from '../use-paused-page';
import { queryForGroups } from './group-query';
import { type GroupActions, GroupsTable } from './groups-table';
import { mergeGroupEdits } from './merge-group-edits';

const DeadEmptyState = lazyPart(
  () => import('../dead-empty-state').then((module) => module.DeadEmptyState),
  <div className="h-40" />,
);
/** While the list stands still. */
const NewGroupsNotice = lazyPart(() =>
  import('../new-rows-notices').then((module) => module.NewGroupsNotice),
);
const GroupDialog = lazyPart(() => import('./group-dialog').then((module) => module.GroupDialog));

/** Failure groups, the most and newest deaths first. Resolved and muted groups are collapsed below. */
export function GroupsView({ filter }: { filter: Filter }) {
  const { q } = useDeadView();
  const [selection, send] = useListSelection(GROUP_LIST, q);
  const hold = useListHold();
  const selected = !isSelectionEmpty(selection);
  const paused = selected || hold.held;
  const clear = () => send({ type: 'clear' });
  const query = useGroupsWithFacets(q);
  const { data, error, refetch, isPlaceholderData } = query;
  // Rows must not move while one is being selected. The facets, which come with them, go on.
  const { page: snapshot, release } = usePausedPage(data, q, {
    paused,
    settled: !isPlaceholderData,
  });
  const page = snapshot && data ? mergeGroupEdits(snapshot, data) : snapshot;
  const openWizard = useOperationWizard();
  const [edited, setEdited] = useState<Group | null>(null);
  const [expanded, setExpanded] = useState(false);
  const region = useRef<HTMLDivElement>(null);
  const open = page?.groups.filter((group) => !isCollapsed(group)) ?? null;
  const collapsed = page?.groups.filter(isCollapsed) ?? [];
  const listed = [...(open ?? []), ...(expanded ? collapsed : [])];
  const chosen = listed.filter(({ group }) => selection.rows.has(group));
  const queryOf = (groups: readonly Group[]) =>
    queryForGroups(
      queryLanguage.get(),
      filter,
      groups.map(({ group }) => group),
    );
  const toggle = (group: Group, select: boolean, range: boolean) =>
    send({ type: 'toggle', row: group, select, range, page: listed });
  const start = (kind: OperationKind, groups: readonly Group[]) => {
    const [only] = groups;
    if (!only) return;
    openWizard({
      kind,
      scope: { state: 'dead', q: queryOf(groups) },
      title:
        groups.length === 1
          ? operationTitle(kind, only)
          : `${KIND_LABELS[kind].verb}: ${count(groups.length, 'failure group')}`,
      onStarted: clear,
    });
  };
  useListKeys(region, {
    toggle: (index, range) => {
      const group = listed[index];
      if (group) toggle(group, !selection.rows.has(group.group), range);
    },
    clear,
    redrive: (index) => {
      const focused = listed[index];
      start('redrive', chosen.length > 0 ? chosen : focused ? [focused] : []);
    },
  });
  const actions: GroupActions = {
    hrefOf: (group) => links.dead(queryOf([group]), 'rows'),
    act: (kind, group) => start(kind, [group]),
    edit: setEdited,
  };
  if (error && !page) return <LoadError title="The failure groups could not be loaded" query={query} />;
  return (
    <div
      ref={region}
      {...hold.handlers}
      aria-busy={isPlaceholderData || undefined}
      className={isPlaceholderData ? 'opacity-60' : ''}
    >
      <SelectionBar
        summary={page ? <GroupsSummary page={page} /> : <Skeleton className="w-52" />}
        selected={
          chosen.length === 0
            ? null
            : `${count(chosen.length, 'group')} selected, ${count(
                chosen.reduce((sum, group) => sum + group.count, 0),
                'dead letter',
              )}`
        }
        aside={
          <>
            {paused && snapshot && (
              <NewGroupsNotice
                page={snapshot}
                newest={isPlaceholderData ? undefined : data}
                onRefresh={() => void refetch().then(release)}
              />
            )}
            <DataAge at={page?.at} staleAfterMs={paused ? Number.POSITIVE_INFINITY : 20_000} />
          </>
        }
        actions={<OperationButtons state="dead" queue={null} onAct={(kind) => start(kind, chosen)} />}
        onClear={clear}
      />
      {open?.length === 0 ? (
        <DeadEmptyState
          collapsed={collapsed.length > 0}
          incomplete={page !== undefined && (page.sampled !== null || !page.matching.exact)}
        />
      ) : (
        <GroupsTable
          groups={open}
          isFiltered={q !== ''}
          selection={selection}
          onToggle={toggle}
          onToggleAll={(select) => send({ type: 'page', select, page: open ?? [] })}
          actions={actions}
        />
      )}
      {page && page.total > page.groups.length && (
        <p className="px-3 py-2 text-faint text-xs">
          The {page.groups.length} largest of {page.total} groups; a narrower query shows the others.
        </p>
      )}
      <CollapsedGroups groups={collapsed} expanded={expanded} onExpand={setExpanded}>
        <GroupsTable
          kind="collapsed"
          groups={collapsed}
          isFiltered={q !== ''}
          selection={selection}
          onToggle={toggle}
          onToggleAll={(select) => send({ type: 'page', select, page: collapsed })}
          actions={actions}
        />
      </CollapsedGroups>
      {page && (page.matching.count > 0 || !page.matching.exact) && !selected && <AllMatchesActions q={q} />}
      {edited && <GroupDialog group={edited} onClose={() => setEdited(null)} />}
    </div>
  );
}

function GroupsSummary({ page }: { page: GroupsPage }) {
  return (
    <span>
      <span className="font-medium">{count(page.total, 'failure group')}</span>
      <span className="text-muted">
        , {countLabel(page.matching)} dead {page.matching.count === 1 ? 'letter' : 'letters'}
      </span>
      {page.sampled !== null && (
        <span className="text-warn"> · counted among the newest {fullNumber(page.sampled)}</span>
      )}
    </span>
  );
}

/** Resolved and muted groups: one line with their number, and the groups on demand. */
function CollapsedGroups({
  groups,
  expanded,
  onExpand,
  children,
}: {
  groups: readonly Group[];
  expanded: boolean;
  onExpand: (expanded: boolean) => void;
  children: ReactNode;
}) {
  const id = useId();
  if (groups.length === 0) return null;
  const Arrow = expanded ? ChevronDown : ChevronRight;
  return (
    <>
      <button
        type="button"
        aria-expanded={expanded}
        aria-controls={expanded ? id : undefined}
        onClick={() => onExpand(!expanded)}
        className="flex h-8 w-full items-center gap-2 px-3 text-left text-muted text-sm hover:bg-hover hover:text-fg"
      >
        <Arrow aria-hidden className="size-3.5" />
        {collapsedGroupsLabel(groups)}
      </button>
      {expanded && <div id={id}>{children}</div>}
    </>
  );
}
