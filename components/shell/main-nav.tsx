'use client';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { cn } from '@/components/ui/cn';
import { type Tone, toneSoft } from '@/components/ui/tone';
import { usePermits } from '@/lib/browser/access/use-permissions';
import { compactNumber } from '@/lib/format/number';
import {
  BAR_ITEMS,
  isCurrent,
  isCurrentOnPhone,
  isOpenTo,
  NAV,
  type NavItem,
  type NavKey,
  PHONE_NAV,
} from './nav-items';

/** `label` reads the number out: "41 dead jobs". */
export type NavBadge = { value: number; label: string; tone?: Tone };
export type NavBadges = Partial<Record<NavKey, NavBadge>>;

function Count({ badge, className }: { badge: NavBadge; className?: string }) {
  return (
    <span
      title={badge.label}
      className={cn(
        'rounded-sm px-1 text-2xs leading-4',
        badge.value === 0 ? 'text-faint' : cn('font-medium', toneSoft[badge.tone ?? 'neutral']),
        className,
      )}
    >
      <span aria-hidden>{compactNumber(badge.value)}</span>
      <span className="sr-only">, {badge.label}</span>
    </span>
  );
}

function RailLink({ item, current, badge }: { item: NavItem; current: boolean; badge?: NavBadge }) {
  return (
    <Link
      href={item.href}
      prefetch={false}
      aria-current={current ? 'page' : undefined}
      title={item.label}
      className={cn(
        'relative flex h-8 items-center gap-2.5 rounded px-2.5 text-sm max-lg:justify-center',
        current ? 'bg-hover font-medium text-fg' : 'text-muted hover:bg-hover hover:text-fg',
      )}
    >
      <item.Icon aria-hidden className={cn('size-4 shrink-0', current && 'text-accent')} />
      <span className="min-w-0 truncate max-lg:sr-only">{item.label}</span>
      {badge && (
        <Count
          badge={badge}
          className={cn(
            'ml-auto max-lg:absolute max-lg:-top-0.5 max-lg:right-0',
            badge.value === 0 && 'max-lg:hidden',
          )}
        />
      )}
    </Link>
  );
}

function BarLink({ item, current, badge }: { item: NavItem; current: boolean; badge?: NavBadge }) {
  return (
    <Link
      href={item.href}
      prefetch={false}
      aria-current={current ? 'page' : undefined}
      className={cn(
        'relative flex h-13 flex-col items-center justify-center gap-0.5 text-2xs outline-offset-[-2px]',
        current ? 'font-medium text-fg' : 'text-muted',
      )}
    >
      <item.Icon aria-hidden className={cn('size-4.5', current && 'text-accent')} />
      <span className="max-w-full truncate tracking-tight">{item.label}</span>
      {badge && badge.value > 0 && <Count badge={badge} className="absolute top-0.5 left-1/2 ml-1.5" />}
    </Link>
  );
}

/** The rail on a laptop (icons only when narrow). */
export function NavRail({ badges = {} }: { badges?: NavBadges }) {
  const path = usePathname();
  const may = usePermits();
  return (
    <nav aria-label="Main" className="hidden w-13 shrink-0 border-line border-r bg-panel md:block lg:w-48">
      <ul className="sticky top-11 flex flex-col gap-0.5 p-1.5">
        {NAV.filter((item) => isOpenTo(item, may)).map((item) => (
          <li key={item.key}>
            <RailLink item={item} current={isCurrent(item, path)} badge={badges[item.key]} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The bar at the bottom of a phone. */
export function NavBar({ badges = {} }: { badges?: NavBadges }) {
  const path = usePathname();
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-30 border-line border-t bg-panel pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {/* As wide as they stay, also while not all of them have arrived. */}
      <ul className="grid" style={{ gridTemplateColumns: `repeat(${BAR_ITEMS}, minmax(0, 1fr))` }}>
        {PHONE_NAV.slice(0, BAR_ITEMS).map((item) => (
          <li key={item.key} className="min-w-0">
            <BarLink item={item} current={isCurrentOnPhone(item, path)} badge={badges[item.key]} />
          </li>
        ))}
      </ul>
    </nav>
  );
}
