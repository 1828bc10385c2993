/** Says that nothing is here, why, and how to go on. */
export function EmptyState({
  icon,
  title,
  children,
  action,
  page,
}: {
  icon?: React.ReactNode;
  title: React.ReactNode;
  children?: React.ReactNode;
  action?: React.ReactNode;
  /** It is all the page shows, so its title is the page's heading. */
  page?: boolean;
}) {
  const Title = page ? 'h1' : 'p';
  return (
    <div className="flex flex-col items-center justify-center gap-1 px-4 py-10 text-center">
      {icon && (
        <span aria-hidden className="mb-1 text-faint [&_svg]:size-5">
          {icon}
        </span>
      )}
      <Title className="font-medium text-fg">{title}</Title>
      {children && <div className="max-w-prose text-muted text-sm">{children}</div>}
      {action && <div className="mt-3 flex gap-2">{action}</div>}
    </div>
  );
}
