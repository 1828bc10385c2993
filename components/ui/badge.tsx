import { cn } from './cn';
import { type Tone, toneSoft } from './tone';

export function Badge({
  tone = 'neutral',
  icon,
  className,
  children,
  ...props
}: React.ComponentProps<'span'> & { tone?: Tone; icon?: React.ReactNode }) {
  return (
    <span
      className={cn(
        'inline-flex h-5 items-center gap-1 whitespace-nowrap rounded-sm px-1.5 font-medium text-xs [&_svg]:size-3 [&_svg]:shrink-0',
        toneSoft[tone],
        className,
      )}
      {...props}
    >
      {icon}
      {children}
    </span>
  );
}
