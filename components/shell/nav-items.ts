import {
  BellRing,
  CalendarClock,
  Cpu,
  Database,
  FlaskConical,
  type Icon,
  LayoutDashboard,
  ListChecks,
  ListTree,
  ScrollText,
  Skull,
  UsersRound,
} from '@/components/ui/icons';

import type { Permission } from '@/lib/contract/access/grant-scopes';

export type NavKey =
  | 'overview'
  | 'queues'
  | 'alerts'
  | 'dead'
  | 'operations'
  | 'schedules'
  | 'workers'
  | 'lab'
  | 'redis'
  | 'audit'
  | 'access';

export type NavItem = {
  key: NavKey;
  label: string;
  href: string;
  /** Opens it after `g`. Not a key that lists use: j, k, x, r, v. */
  shortcut: string;
  Icon: Icon;
  /** Shown only with this permission. */
  needs?: Permission;
  /** It needs the permission for all queues and tenants. */
  everywhere?: true;
  also?: readonly string[];
  /** Not on a phone: the page that has it is in the bar already. */
  wideOnly?: true;
};

/** In the order of the rail; a phone shows the first ones in its bottom bar, the others in the account menu. */
export const NAV: readonly NavItem[] = [
  { key: 'overview', label: 'Overview', href: '/', shortcut: 'o', Icon: LayoutDashboard },
  {
    key: 'queues',
    label: 'Queues',
    href: '/#queues',
    shortcut: 'q',
    Icon: ListTree,
    also: ['/queues'],
    wideOnly: true,
  },
  { key: 'alerts', label: 'Alerts', href: '/alerts', shortcut: 't', Icon: BellRing },
  { key: 'dead', label: 'Dead letters', href: '/dead', shortcut: 'd', Icon: Skull },
  { key: 'operations', label: 'Operations', href: '/operations', shortcut: 'p', Icon: ListChecks },
  { key: 'schedules', label: 'Schedules', href: '/schedules', shortcut: 's', Icon: CalendarClock },
  { key: 'workers', label: 'Workers', href: '/workers', shortcut: 'w', Icon: Cpu },
  { key: 'lab', label: 'Lab', href: '/lab', shortcut: 'l', Icon: FlaskConical },
  {
    key: 'redis',
    label: 'Redis',
    href: '/redis',
    shortcut: 'e',
    Icon: Database,
    needs: 'view',
    everywhere: true,
  },
  { key: 'audit', label: 'Audit log', href: '/audit', shortcut: 'a', Icon: ScrollText, needs: 'audit' },
  { key: 'access', label: 'Access', href: '/access', shortcut: 'u', Icon: UsersRound, needs: 'access' },
];

/** What a phone shows: the first ones in its bottom bar. */
export const PHONE_NAV: readonly NavItem[] = NAV.filter(({ wideOnly }) => !wideOnly);
/** In the bottom bar of a phone. */
export const BAR_ITEMS = 6;

/** Whether the user can open this item's page. @param may without a queue: anywhere */
export const isOpenTo = (
  { needs, everywhere }: Pick<NavItem, 'needs' | 'everywhere'>,
  may: (permission: Permission, queue?: string) => boolean,
): boolean =>
  // Only a grant for all queues covers the pattern `*`.
  needs === undefined || may(needs, everywhere ? '*' : undefined);

function under(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}

/** Whether `path` is this item's page or below it. */
export function isCurrent(item: NavItem, path: string): boolean {
  const here = item.href === '/' ? path === '/' : under(path, item.href);
  return here || (item.also?.some((root) => under(path, root)) ?? false);
}

/** On a phone the overview stands for the pages of what only wide screens list. */
export const isCurrentOnPhone = (item: NavItem, path: string): boolean =>
  isCurrent(item, path) ||
  (item.key === 'overview' && NAV.some((other) => other.wideOnly && isCurrent(other, path)));
