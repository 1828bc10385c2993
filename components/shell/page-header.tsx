/** The head of a page: what it is, how old its data is, and what can be done here. */
export function PageHeader({
  title,
  description,
  age,
  actions,
  above,
}: {
  title: React.ReactNode;
  description?: React.ReactNode;
  /** `DataAge`, usually. */
  age?: React.ReactNode;
  actions?: React.ReactNode;
  /** The way here, above the title: "Overview / email". */
  above?: React.ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 pt-3 pb-2.5">
      <div className="min-w-0">
        {above && <div className="text-faint text-xs">{above}</div>}
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-2.5">
          <h1 className="min-w-0 truncate font-semibold text-lg tracking-tight">{title}</h1>
          {age}
        </div>
        {description && <p className="max-w-prose text-muted text-sm">{description}</p>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </div>
  );
}
