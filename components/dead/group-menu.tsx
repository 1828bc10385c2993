'use client';
import {
  BellOff,
  BellRing,
  CircleCheck,
  Ellipsis,
  List,
  NotebookPen,
  RotateCcw,
  ScrollText,
  SquareArrowOutUpRight,
} from 'lucide-react';
import type { Route } from 'next';
import Link from 'next/link';
import { toast } from 'sonner';
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '@/components/ui/dropdown-menu';
import { IconButton } from '@/components/ui/icon-button';
import { links } from '@/lib/client/links';
import { useMay, useMayAct } from '@/lib/client/permissions';
import { useAuditHref } from '@/lib/client/use-audit';
import { useChangeGroup } from '@/lib/client/use-dead';
import type { Group } from '@/lib/contract/dead';
import type { OperationKind } from '@/lib/contract/operations';
import { MoreItems } from './bulk-menu';

const DONE = {
  resolved: 'Resolved; it reopens when it fails again',
  muted: 'Muted; it stays folded away, however often it fails',
  open: 'Open again',
} as const;

/** Everything that can be done about a failure group. */
export function GroupMenu({
  group,
  rows,
  onAct,
  onEdit,
}: {
  group: Group;
  /** Where its dead letters are listed; null: they are already. */
  rows: string | null;
  onAct: (kind: OperationKind) => void;
  onEdit: () => void;
}) {
  const { mutate } = useChangeGroup();
  const mark = (status: keyof typeof DONE) =>
    mutate(
      { group: group.group, change: { status } },
      {
        onSuccess: () => toast.success(DONE[status]),
        onError: (error) => toast.error('The group was not changed', { description: error.detail }),
      },
    );
  const operate = useMay('operate');
  const audit = useAuditHref({ kind: 'group', id: group.group });
  const acts = useMayAct();
  const attended = group.status === 'resolved' || group.status === 'muted';
  return (
    <Menu>
      <MenuTrigger asChild>
        <IconButton label="More about this group" size="sm" tooltip={false}>
          <Ellipsis aria-hidden />
        </IconButton>
      </MenuTrigger>
      <MenuContent>
        {rows !== null && (
          <MenuItem asChild>
            <Link href={rows} scroll={false}>
              <List aria-hidden />
              Open its dead letters
            </Link>
          </MenuItem>
        )}
        {group.sample && (
          <MenuItem asChild>
            <Link href={links.job(group.sample.queue, group.sample.jobId)} prefetch={false}>
              <SquareArrowOutUpRight aria-hidden />
              Open the newest job
            </Link>
          </MenuItem>
        )}
        {audit !== null && (
          <MenuItem asChild>
            <Link href={audit as Route} prefetch={false}>
              <ScrollText aria-hidden />
              Audit log of this group
            </Link>
          </MenuItem>
        )}
        {operate && (
          <>
            <MenuSeparator />
            <MenuItem onSelect={onEdit}>
              <NotebookPen aria-hidden />
              Name and note…
            </MenuItem>
          </>
        )}
        {operate && attended && (
          <MenuItem onSelect={() => mark('open')}>
            <BellRing aria-hidden />
            Open again
          </MenuItem>
        )}
        {operate && !attended && (
          <>
            <MenuItem onSelect={() => mark('resolved')}>
              <CircleCheck aria-hidden />
              Resolve
            </MenuItem>
            <MenuItem onSelect={() => mark('muted')}>
              <BellOff aria-hidden />
              Mute
            </MenuItem>
          </>
        )}
        {acts && <MenuSeparator />}
        {operate && (
          <MenuItem onSelect={() => onAct('redrive')}>
            <RotateCcw aria-hidden />
            Re-drive…
          </MenuItem>
        )}
        <MoreItems onAct={onAct} />
      </MenuContent>
    </Menu>
  );
}
