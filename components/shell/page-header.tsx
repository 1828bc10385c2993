import { pageActions } from '@/components/ui/page-actions';

/** Title, data age and actions of a page. */
export function PageHeader({
  title,
  age,
  actions,
  above,
}: {
  title: React.ReactNode;
  /** `DataAge`, usually. */
  age?: React.ReactNode;
  actions?: React.ReactNode;
  /** Breadcrumbs above the title. */
  above?: React.ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 pt-3 pb-2.5">
      <div className="min-w-0">
        {above && <div className="truncate text-faint text-xs">{above}</div>}
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-2.5">
          <h1 className="min-w-0 truncate font-semibold text-lg tracking-tight">{title}</h1>
          {age}
        </div>
      </div>
      {actions && (
        <div className="flex flex-wrap items-center gap-2" {...pageActions}>
          {actions}
        </div>
      )}
    </div>
  );
}
