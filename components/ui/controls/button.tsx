import { cn } from '../cn';
import { Tooltip } from '../overlays/tooltip';
import { Slot } from '../slot';

const BASE =
  'inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded border font-medium transition-colors duration-100 disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-50 [&_svg]:size-3.5 [&_svg]:shrink-0';
const VARIANTS = {
  primary: 'border-transparent bg-accent-solid text-accent-ink enabled:hover:brightness-110',
  secondary: 'border-line-strong bg-panel text-fg hover:bg-hover',
  ghost: 'border-transparent bg-transparent text-muted hover:bg-hover hover:text-fg',
  danger: 'border-transparent bg-bad-solid text-bad-ink enabled:hover:brightness-110',
  'danger-quiet': 'border-line-strong bg-panel text-bad hover:bg-bad/11',
} as const;
const SIZES = {
  sm: 'h-6 px-2 text-xs',
  md: 'h-7 px-2.5 text-sm',
  lg: 'h-8 px-3 text-sm',
} as const;

export type ButtonProps = React.ComponentProps<'button'> & {
  variant?: keyof typeof VARIANTS;
  size?: keyof typeof SIZES;
  /** Renders its only child (a link, say) in the button's clothes. */
  asChild?: boolean;
  /** Busy: disabled, of the same width, and announced to assistive technology. */
  pending?: boolean;
  /** Why it cannot be pressed here, shown when one tries: it stays in reach of the keyboard. Null: it can. */
  blocked?: string | null;
};

export function Button({
  className,
  variant = 'secondary',
  size = 'md',
  asChild,
  pending,
  disabled,
  blocked,
  type,
  ...props
}: ButtonProps) {
  const classes = cn(
    BASE,
    VARIANTS[variant],
    SIZES[size],
    pending && 'disabled:cursor-progress disabled:opacity-75',
    className,
  );
  if (blocked) {
    const { id, children, 'aria-label': label } = props;
    return (
      <Tooltip content={blocked}>
        <button type="button" aria-disabled {...{ id, className: classes, 'aria-label': label }}>
          {children}
        </button>
      </Tooltip>
    );
  }
  if (asChild) return <Slot className={classes} {...props} />;
  return (
    <button
      type={type ?? 'button'}
      className={classes}
      disabled={disabled || pending}
      aria-busy={pending || undefined}
      {...props}
    />
  );
}
