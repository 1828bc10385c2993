'use client';
import { Popover as P } from 'radix-ui';
import { cn } from './cn';

export const Popover = P.Root;
export const PopoverTrigger = P.Trigger;
export const PopoverClose = P.Close;

/** `label` names it for assistive technology. */
export function PopoverContent({
  className,
  label,
  ...props
}: React.ComponentProps<typeof P.Content> & { label: string }) {
  return (
    <P.Portal>
      <P.Content
        data-slot="popover"
        aria-label={label}
        sideOffset={4}
        collisionPadding={8}
        align="start"
        className={cn(
          'z-50 max-h-(--radix-popover-content-available-height) w-72 overflow-y-auto rounded-md border border-line-strong bg-raised p-3 text-sm outline-none',
          className,
        )}
        {...props}
      />
    </P.Portal>
  );
}
