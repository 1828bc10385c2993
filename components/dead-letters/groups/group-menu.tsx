'use client';
import type { Route } from 'next';
import Link from 'next/link';
import { OperationMenuItems, OperationPageActions } from '@/components/shared/job-lists/operation-buttons';
import { IconButton } from '@/components/ui/controls/icon-button';
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
} from '@/components/ui/icons';
import {
  Menu,
  MenuContent,
  MenuItem,
  MenuSeparator,
  MenuTrigger,
} from '@/components/ui/overlays/dropdown-menu';
import { toast } from '@/components/ui/overlays/toast';
import { usePageActions } from '@/components/ui/use-page-actions';
import { useMay, useMayAct } from '@/lib/browser/access/use-permissions';
import { links } from '@/lib/browser/links';
import { useChangeGroup } from '@/lib/browser/search/use-dead-letters';
import { useAuditHref } from '@/lib/browser/use-audit';
import type { OperationKind } from '@/lib/contract/operations/operation-kinds';
import type { Group } from '@/lib/contract/search/search-schemas';

const DONE = {
  resolved: 'Resolved. It reopens when it fails again.',
  muted: 'Muted. It stays collapsed, however often it fails.',
  open: 'Reopened',
} as const;

/** Every action on a failure group. */
export function GroupMenu({
  group,
  rows,
  onAct,
  onEdit,
}: {
  group: Group;
  /** Link to its dead letters; null where they are listed already. */
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
  const collapsed = group.status === 'resolved' || group.status === 'muted';
  const changes = operate
    ? [
        { label: 'Name and note…', Icon: NotebookPen, run: onEdit },
        ...(collapsed
          ? [{ label: 'Open again', Icon: BellRing, run: () => mark('open') }]
          : [
              { label: 'Resolve', Icon: CircleCheck, run: () => mark('resolved') },
              { label: 'Mute', Icon: BellOff, run: () => mark('muted') },
            ]),
      ]
    : [];
  // In a list of groups no group is open, so that none is meant.
  const isOpen = rows === null;
  usePageActions(isOpen ? changes.map(({ label, run }) => ({ label: `${label} (this group)`, run })) : []);
  return (
    <Menu>
      {isOpen && <OperationPageActions state="dead" queue={null} onAct={onAct} more of="this group" />}
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
        {operate && <MenuSeparator />}
        {changes.map(({ label, Icon, run }) => (
          <MenuItem key={label} onSelect={run}>
            <Icon aria-hidden />
            {label}
          </MenuItem>
        ))}
        {acts && <MenuSeparator />}
        {operate && (
          <MenuItem onSelect={() => onAct('redrive')}>
            <RotateCcw aria-hidden />
            Re-drive…
          </MenuItem>
        )}
        <OperationMenuItems state="dead" queue={null} onAct={onAct} more />
      </MenuContent>
    </Menu>
  );
}
