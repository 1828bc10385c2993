import { cn } from '../cn';

/** Shared by every text-like control. 16px on phones, so iOS does not zoom into the page. */
export const controlStyles =
  'w-full min-w-0 rounded border border-control bg-panel text-fg text-sm max-sm:text-lg hover:border-muted disabled:cursor-not-allowed disabled:opacity-50 aria-invalid:border-bad aria-invalid:outline-bad focus-visible:outline-offset-0';

export function Input({
  className,
  icon,
  ...props
}: React.ComponentProps<'input'> & { icon?: React.ReactNode }) {
  const field = (
    <input
      autoComplete="off"
      spellCheck={false}
      {...props}
      className={cn(controlStyles, 'h-7 px-2', icon && 'pl-7', className)}
    />
  );
  if (!icon) return field;
  return (
    <span className="relative block w-full">
      <span
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2 -translate-y-1/2 text-faint [&_svg]:size-3.5"
      >
        {icon}
      </span>
      {field}
    </span>
  );
}

export function Textarea({ className, ...props }: React.ComponentProps<'textarea'>) {
  return (
    <textarea rows={3} {...props} className={cn(controlStyles, 'block resize-y px-2 py-1.5', className)} />
  );
}
