import Link from 'next/link';
import { Logo } from '@/components/shared/logo';
import { ThemeToggle } from '@/components/ui/controls/theme-toggle';
import type { ConsoleEnvironment } from '@/lib/contract/environment-colors';
import { EnvironmentBadge } from './environment-badge';
import { type NavBadges, NavBar, NavRail } from './main-nav';

/**
 * The frame of every page: skip link, header, notices, navigation, main. `account` is shown in the header.
 */
export function AppShell({
  environment,
  status,
  badges,
  banner,
  finder,
  account,
  dock,
  children,
}: {
  environment: ConsoleEnvironment | null;
  /** Of the connection, in the header. */
  status: React.ReactNode;
  badges?: NavBadges;
  /** Page-wide notices (`Banner`), stacked under the header. */
  banner?: React.ReactNode;
  /** In the middle of the header. */
  finder?: React.ReactNode;
  account?: React.ReactNode;
  /** Stays across pages: fixed on wide screens (it sets `--dock`, its height), in the flow on a phone. */
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
          prefetch={false}
          className="flex items-center gap-2 rounded font-semibold text-base tracking-tight md:pl-1.5"
        >
          <Logo className="size-4.5 text-accent" />
          Redrive
        </Link>
        {environment && <EnvironmentBadge environment={environment} />}
        <div className="flex min-w-0 flex-1 justify-center max-sm:justify-end">{finder}</div>
        {status}
        <ThemeToggle />
        {account}
      </header>
      {banner}
      {dock}
      <div className="flex min-w-0 flex-1">
        <NavRail badges={badges} />
        <main
          id="main"
          tabIndex={-1}
          className="min-w-0 flex-1 pb-[calc(4rem+var(--pauses,0px))] outline-none md:pb-[calc(var(--dock,0px)+var(--pauses,0px))]"
        >
          {children}
        </main>
      </div>
      <NavBar badges={badges} />
    </div>
  );
}
