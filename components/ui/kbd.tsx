import { cn } from './cn';

/** A key to press. */
export function Kbd({ className, ...props }: React.ComponentProps<'kbd'>) {
  return (
    <kbd
      className={cn(
        'inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-sm border border-line-strong bg-canvas px-1 font-sans text-2xs text-muted',
        className,
      )}
      {...props}
    />
  );
}
