import type { Route } from 'next';
import Link from 'next/link';
import { compactNumber } from '@/lib/format/number';
import { cn } from './cn';

type NavTab = {
  value: string;
  label: string;
  href: string;
  count?: number | null;
  /** The count is of a part only. */
  atLeast?: boolean;
  icon?: React.ReactNode;
};

/** Views of one page as links, because the URL holds the view. Scrolls sideways when the room runs out. */
export function NavTabs({
  label,
  value,
  items,
  className,
}: {
  label: string;
  value: string;
  items: readonly NavTab[];
  className?: string;
}) {
  return (
    <nav
      aria-label={label}
      className={cn('overflow-x-auto overflow-y-hidden border-line border-b', className)}
    >
      <ul className="flex min-w-max gap-1">
        {items.map((t) => {
          const current = t.value === value;
          return (
            <li key={t.value}>
              <Link
                href={t.href as Route}
                scroll={false}
                aria-current={current ? 'page' : undefined}
                className={cn(
                  'flex h-8 items-center gap-1.5 border-b-2 px-2.5 text-sm outline-offset-[-2px] [&_svg]:size-3.5',
                  current
                    ? 'border-accent font-medium text-fg'
                    : 'border-transparent text-muted hover:text-fg',
                )}
              >
                {t.icon}
                {t.label}
                {t.count !== undefined && (
                  <span className={cn('text-xs', current ? 'text-muted' : 'text-faint')}>
                    {t.atLeast && '≥\u2009'}
                    {compactNumber(t.count)}
                  </span>
                )}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
