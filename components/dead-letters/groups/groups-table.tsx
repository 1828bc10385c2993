'use client';
import { groupTitle } from '@/components/shared/group-title';
import {
  GROUP_LIST,
  type ListSelection,
  pageState,
  type SelectedGroup,
} from '@/components/shared/job-lists/list-selection';
import { cn } from '@/components/ui/cn';
import { Button } from '@/components/ui/controls/button';
import { RotateCcw } from '@/components/ui/icons';
import { Skeleton } from '@/components/ui/skeleton';
import { type DataColumn, DataTable } from '@/components/ui/tables/data-table';
import { Num } from '@/components/ui/text/number';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { useMay, useMayAct } from '@/lib/browser/access/use-permissions';
import type { OperationKind } from '@/lib/contract/operations/operation-kinds';
import type { Group } from '@/lib/contract/search/search-schemas';
import { titleText } from '@/lib/format/display-text';
import { DeathTrend } from './death-trend';
import { GroupCell } from './group-cell';
import { GroupMenu } from './group-menu';

const LABELS = { open: 'Failure groups', collapsed: 'Resolved and muted failure groups' } as const;
const TALL = 'h-17';

export interface GroupActions {
  /** The list of a group's dead letters. */
  hrefOf: (group: Group) => string;
  act: (kind: OperationKind, group: Group) => void;
  edit: (group: Group) => void;
}

/** Failure groups, the largest first. */
export function GroupsTable({
  groups,
  kind = 'open',
  isFiltered,
  selection,
  onToggle,
  onToggleAll,
  actions,
}: {
  /** Null while loading. */
  groups: readonly Group[] | null;
  kind?: keyof typeof LABELS;
  /** A query counts only some of a group's dead letters. */
  isFiltered: boolean;
  selection: ListSelection<SelectedGroup>;
  onToggle: (group: Group, select: boolean, range: boolean) => void;
  onToggleAll: (select: boolean) => void;
  actions: GroupActions;
}) {
  const acts = useMayAct();
  const operate = useMay('operate');
  return (
    <DataTable
      label={LABELS[kind]}
      hideHead={kind === 'collapsed'}
      columns={columnsOf(actions, { acts, operate, isFiltered })}
      rows={groups}
      // By position: when others take their place, nothing on the page moves.
      rowKey={(_, index) => index}
      rowProps={() => ({ className: 'focus-within:[&>td:first-child]:shadow-[inset_2px_0_var(--accent)]' })}
      skeleton={<SkeletonGroups />}
      selection={
        acts
          ? {
              label: 'Select all groups shown',
              state: pageState(GROUP_LIST, selection, groups ?? []),
              rowLabel: (group) => `Select group ${titleText(groupTitle(group))}`,
              isSelected: ({ group }) => selection.rows.has(group),
              onToggle,
              onToggleAll,
            }
          : undefined
      }
    />
  );
}

function columnsOf(
  actions: GroupActions,
  { acts, operate, isFiltered }: { acts: boolean; operate: boolean; isFiltered: boolean },
): readonly DataColumn<Group>[] {
  return [
    {
      key: 'failure',
      head: 'Failure',
      truncate: false,
      cellClassName: cn(TALL, !acts && 'pl-3'),
      cell: (group) => <GroupCell group={group} href={actions.hrefOf(group)} />,
    },
    {
      key: 'trend',
      head: isFiltered ? 'Group deaths' : 'Deaths',
      headTitle: `Over the last hour where it has most of them, else over 24 hours${isFiltered ? '; of the whole group' : ''}`,
      width: 124,
      className: 'max-md:hidden',
      truncate: false,
      cell: (group) => <DeathTrend group={group} width={92} />,
    },
    {
      key: 'dead',
      head: 'Dead',
      width: 72,
      numeric: true,
      cellClassName: 'font-medium',
      cell: (group) => <Num value={group.count} />,
    },
    {
      key: 'seen',
      head: isFiltered ? 'Group seen' : 'Last seen',
      headTitle: isFiltered ? 'Of the whole group, not only of its matches' : undefined,
      width: 92,
      numeric: true,
      className: 'max-sm:hidden',
      cell: ({ lastSeen, firstSeen }) => (
        <>
          <RelativeTime at={lastSeen} />
          <span className="block text-2xs text-faint">
            first <RelativeTime at={firstSeen} />
          </span>
        </>
      ),
    },
    {
      key: 'actions',
      head: <span className="sr-only">Actions</span>,
      className: operate ? 'w-12 sm:w-36' : 'w-12',
      truncate: false,
      cell: (group) => (
        <div className="flex items-center justify-end gap-1">
          {operate && (
            <Button size="sm" className="max-sm:hidden" onClick={() => actions.act('redrive', group)}>
              <RotateCcw aria-hidden />
              Re-drive…
            </Button>
          )}
          <GroupMenu
            group={group}
            rows={actions.hrefOf(group)}
            onAct={(kind) => actions.act(kind, group)}
            onEdit={() => actions.edit(group)}
          />
        </div>
      ),
    },
  ];
}

function SkeletonGroups() {
  return Array.from({ length: 8 }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity.
    <tr key={row} aria-hidden>
      <td colSpan={6} className={`${TALL} space-y-2.5 border-line border-b px-3 pl-11`}>
        <Skeleton className={row % 2 ? 'w-2/5' : 'w-3/5'} />
        <Skeleton className="w-1/3" />
      </td>
    </tr>
  ));
}
