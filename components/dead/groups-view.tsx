'use client';
import { useRef, useState } from 'react';
import { ErrorState } from '@/components/ui/error-state';
import { useAskOperation } from '@/lib/client/ask-operation';
import { links } from '@/lib/client/links';
import { useGroups } from '@/lib/client/use-dead';
import type { Group } from '@/lib/contract/dead';
import type { OperationKind } from '@/lib/contract/operations';
import type { Filter } from '@/lib/contract/query';
import { scopeOfQuery } from './bulk';
import { FoldedGroups } from './folded-groups';
import { withChanges } from './group-arrivals';
import { GroupDialog } from './group-dialog';
import { askTitle, isAttended } from './group-words';
import { GroupsBar } from './groups-bar';
import { type GroupActions, GroupsTable } from './groups-table';
import { NewInGroups } from './new-arrivals';
import { Nothing } from './nothing';
import { inGroups } from './terms';
import { useFrozenPage } from './use-frozen-page';
import { useGroupSelection } from './use-group-selection';
import { useListKeys } from './use-list-keys';

/** What is failing, most and newest first. What somebody resolved or muted is folded away below. */
export function GroupsView({ q, filter, onClear }: { q: string; filter: Filter; onClear: () => void }) {
  const selection = useGroupSelection(q);
  const frozen = selection.ids.size > 0;
  // Nothing changes places under the hand that selects.
  const query = useGroups(q, { paused: frozen });
  const { data, error, refetch, isFetching, isPlaceholderData } = query;
  const { page: held, release } = useFrozenPage(data, q, { frozen, settled: !isPlaceholderData });
  const page = held && data ? withChanges(held, data) : held;
  const ask = useAskOperation();
  const [edited, setEdited] = useState<Group | null>(null);
  const [unfolded, setUnfolded] = useState(false);
  const region = useRef<HTMLDivElement>(null);
  const open = page?.groups.filter((group) => !isAttended(group)) ?? null;
  const attended = page?.groups.filter(isAttended) ?? [];
  const listed = [...(open ?? []), ...(unfolded ? attended : [])];
  const chosen = listed.filter(({ group }) => selection.ids.has(group));
  const toggle = (group: Group, select: boolean, range: boolean) =>
    selection.toggle(group, select, range, listed);
  const start = (kind: OperationKind, groups: readonly Group[]) => {
    const [only] = groups;
    if (!only) return;
    const scope = scopeOfQuery(
      inGroups(
        filter,
        groups.map(({ group }) => group),
      ),
    );
    ask({
      kind,
      scope,
      ...(groups.length === 1 ? { title: askTitle(kind, only) } : {}),
      onStarted: selection.clear,
    });
  };
  useListKeys(region, {
    toggle: (index, range) => {
      const group = listed[index];
      if (group) toggle(group, !selection.ids.has(group.group), range);
    },
    clear: selection.clear,
    redrive: (index) => {
      const focused = listed[index];
      start('redrive', chosen.length > 0 ? chosen : focused ? [focused] : []);
    },
  });
  const actions: GroupActions = {
    hrefOf: ({ group }) => links.dead(inGroups(filter, [group]), 'rows'),
    act: (kind, group) => start(kind, [group]),
    edit: setEdited,
  };
  if (error && !page)
    return (
      <ErrorState
        title="The failure groups could not be loaded"
        message={error.detail}
        reference={error.requestId ?? undefined}
        retrying={isFetching}
        onRetry={() => void refetch()}
      />
    );
  return (
    <div
      ref={region}
      aria-busy={isPlaceholderData || undefined}
      className={isPlaceholderData ? 'opacity-60' : ''}
    >
      <GroupsBar
        page={page}
        chosen={chosen}
        onAct={(kind) => start(kind, chosen)}
        onClear={selection.clear}
        aside={
          frozen && held && <NewInGroups q={q} shown={held} onRefresh={() => void refetch().then(release)} />
        }
      />
      {open?.length === 0 ? (
        <Nothing
          filtered={filter.kind !== 'all'}
          attended={attended.length > 0}
          unfinished={page !== undefined && (page.sampled !== null || !page.matching.exact)}
          onClear={onClear}
        />
      ) : (
        <GroupsTable
          groups={open}
          selected={selection.ids}
          onToggle={toggle}
          onAll={(select) => selection.all(open ?? [], select)}
          actions={actions}
        />
      )}
      {page && page.total > page.groups.length && (
        <p className="px-3 py-2 text-faint text-xs">
          The {page.groups.length} largest of {page.total} groups; a narrower query shows the others.
        </p>
      )}
      <FoldedGroups groups={attended} unfolded={unfolded} onUnfold={setUnfolded}>
        <GroupsTable
          kind="attended"
          head={false}
          groups={attended}
          selected={selection.ids}
          onToggle={toggle}
          onAll={(select) => selection.all(attended, select)}
          actions={actions}
        />
      </FoldedGroups>
      {edited && <GroupDialog group={edited} onClose={() => setEdited(null)} />}
    </div>
  );
}
