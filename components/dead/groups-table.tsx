'use client';
import { RotateCcw } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { Num } from '@/components/ui/number';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { Sparkline } from '@/components/ui/sparkline';
import { Table, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import { SelectAllTh, SelectTd } from '@/components/ui/table-select';
import { useMay, useMayAct } from '@/lib/client/permissions';
import type { Group } from '@/lib/contract/dead';
import type { OperationKind } from '@/lib/contract/operations';
import { visible } from '@/lib/format/text';
import { GroupCell } from './group-cell';
import { GroupMenu } from './group-menu';
import { titleOf, trendWords } from './group-words';

const LABELS = { open: 'Failure groups', attended: 'Resolved and muted failure groups' } as const;
const TALL = 'h-14';

export interface GroupActions {
  /** Where a group's dead letters are listed. */
  hrefOf: (group: Group) => string;
  act: (kind: OperationKind, group: Group) => void;
  edit: (group: Group) => void;
}

/** Failure groups, most first. `groups` is null until they are known. */
export function GroupsTable({
  groups,
  kind = 'open',
  head = true,
  selected,
  onToggle,
  onAll,
  actions,
}: {
  groups: readonly Group[] | null;
  kind?: keyof typeof LABELS;
  head?: boolean;
  selected: ReadonlySet<string>;
  onToggle: (group: Group, select: boolean, range: boolean) => void;
  onAll: (select: boolean) => void;
  actions: GroupActions;
}) {
  const acts = useMayAct();
  const operate = useMay('operate');
  const ticked = groups?.filter(({ group }) => selected.has(group)).length ?? 0;
  const all = ticked === 0 ? 'none' : ticked === groups?.length ? 'all' : 'some';
  return (
    <Table label={LABELS[kind]} className="table-fixed">
      <colgroup>
        {acts && <col style={{ width: 36 }} />}
        <col />
        <col className="max-md:hidden" style={{ width: 108 }} />
        <col style={{ width: 72 }} />
        <col className="max-sm:hidden" style={{ width: 92 }} />
        <col className={operate ? 'w-12 sm:w-40' : 'w-12'} />
      </colgroup>
      <THead className={head ? undefined : 'sr-only'}>
        <tr>
          {acts && <SelectAllTh label="Select all groups shown" state={all} onChange={onAll} />}
          <Th>Failure</Th>
          <Th className="max-md:hidden">Deaths, 24 h</Th>
          <Th numeric>Dead</Th>
          <Th numeric className="max-sm:hidden">
            Last seen
          </Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </THead>
      <TBody>
        {groups === null && <SkeletonGroups />}
        {groups?.map((group) => (
          <Tr
            key={group.group}
            selected={selected.has(group.group)}
            className="focus-within:[&>td:first-child]:shadow-[inset_2px_0_var(--accent)]"
          >
            {acts && (
              <SelectTd
                label={`Select group ${visible(titleOf(group))}`}
                checked={selected.has(group.group)}
                onToggle={(select, range) => onToggle(group, select, range)}
              />
            )}
            <Td className={cn(TALL, !acts && 'pl-3')}>
              <GroupCell group={group} href={actions.hrefOf(group)} />
            </Td>
            <Td className="max-md:hidden">
              <Sparkline
                points={group.trend}
                label={trendWords(group.trend)}
                color="var(--state-dead)"
                width={92}
              />
            </Td>
            <Td numeric className="font-medium">
              <Num value={group.count} />
            </Td>
            <Td numeric className="max-sm:hidden">
              <RelativeTime at={group.lastSeen} />
              <span className="block text-2xs text-faint">
                first <RelativeTime at={group.firstSeen} />
              </span>
            </Td>
            <Td>
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
                  onAct={(chosen) => actions.act(chosen, group)}
                  onEdit={() => actions.edit(group)}
                />
              </div>
            </Td>
          </Tr>
        ))}
      </TBody>
    </Table>
  );
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
