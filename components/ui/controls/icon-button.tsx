import { cn } from '../cn';
import { Tooltip } from '../overlays/tooltip';
import { Button, type ButtonProps } from './button';

const square = { sm: 'w-6', md: 'w-7', lg: 'w-8' } as const;

/** A button that is only an icon: its label is spoken, and shown as a tooltip. */
export function IconButton({
  label,
  size = 'md',
  variant = 'ghost',
  className,
  tooltip = true,
  ...props
}: Omit<ButtonProps, 'aria-label' | 'size'> & {
  label: string;
  size?: keyof typeof square;
  tooltip?: boolean;
}) {
  const button = (
    <Button
      {...props}
      size={size}
      variant={variant}
      aria-label={label}
      className={cn('px-0', square[size], className)}
    />
  );
  return tooltip && !props.blocked ? <Tooltip content={label}>{button}</Tooltip> : button;
}
