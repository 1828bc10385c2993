import Link from 'next/link';
import { Mark } from '@/components/ui/mark';
import { ThemeToggle } from '@/components/ui/theme-toggle';
import { type Connection, ConnectionStatus } from './connection-status';
import { type NavBadges, NavBar, NavRail } from './nav';

/**
 * The frame of every page: skip link, header, notices, navigation, main. It only presents: what it shows comes in.
 * `search` and `account` are slots in the header for the find-a-job box and the signed-in person.
 */
export function AppShell({
  status,
  badges,
  banner,
  search,
  account,
  dock,
  children,
}: {
  status: Connection;
  badges?: NavBadges;
  /** Page-wide notices (`Banner`), stacked under the header. */
  banner?: React.ReactNode;
  search?: React.ReactNode;
  account?: React.ReactNode;
  /** Follows across pages: fixed where there is room (it sets `--dock`, the room to leave for it), in the flow on a phone. */
  dock?: React.ReactNode;
  children: React.ReactNode;
}) {
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="fixed top-1 left-1 z-60 -translate-y-16 rounded border border-line-strong bg-raised px-3 py-1.5 font-medium focus:translate-y-0"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-30 flex h-11 shrink-0 items-center gap-3 border-line border-b bg-panel px-3">
        <Link
          href="/"
          className="flex items-center gap-2 rounded font-semibold text-base tracking-tight md:pl-1.5"
        >
          <Mark className="size-4.5 text-accent" />
          Redrive
        </Link>
        <div className="min-w-0 flex-1">{search}</div>
        <ConnectionStatus status={status} />
        <ThemeToggle />
        {account}
      </header>
      {banner}
      {dock}
      <div className="flex min-w-0 flex-1">
        <NavRail badges={badges} />
        <main id="main" tabIndex={-1} className="min-w-0 flex-1 pb-16 outline-none md:pb-(--dock,0px)">
          {children}
        </main>
      </div>
      <NavBar badges={badges} />
    </div>
  );
}
