import {
  CalendarClock,
  Cpu,
  FlaskConical,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  Skull,
} from 'lucide-react';

export type NavKey = 'overview' | 'dead' | 'operations' | 'schedules' | 'workers' | 'lab';

export type NavItem = {
  key: NavKey;
  label: string;
  href: string;
  Icon: LucideIcon;
  /** Further paths that belong to it. */
  also?: readonly string[];
};

/** In the order of the rail; a phone shows the first six in its bottom bar. */
export const NAV: readonly NavItem[] = [
  { key: 'overview', label: 'Overview', href: '/', Icon: LayoutDashboard, also: ['/queues'] },
  { key: 'dead', label: 'Dead letters', href: '/dead', Icon: Skull },
  { key: 'operations', label: 'Operations', href: '/operations', Icon: ListChecks },
  { key: 'schedules', label: 'Schedules', href: '/schedules', Icon: CalendarClock },
  { key: 'workers', label: 'Workers', href: '/workers', Icon: Cpu },
  { key: 'lab', label: 'Lab', href: '/lab', Icon: FlaskConical },
];

function under(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}

/** Whether `path` is this item's page or below it. */
export function isCurrent(item: NavItem, path: string): boolean {
  const here = item.href === '/' ? path === '/' : under(path, item.href);
  return here || (item.also?.some((root) => under(path, root)) ?? false);
}
