'use client';
import { DropdownMenu as M } from 'radix-ui';
import { type FocusEvent, type ReactNode, useRef } from 'react';
import { Check } from '@/components/ui/icons';
import { cn } from '../cn';

/** Not modal: the page behind stays readable and scrollable, and nothing in it is hidden while it has focus. */
export function Menu(props: React.ComponentProps<typeof M.Root>) {
  return <M.Root modal={false} {...props} />;
}

export const MenuTrigger = M.Trigger;
export const MenuRadioGroup = M.RadioGroup;

const item =
  'relative flex h-7 cursor-default select-none items-center gap-2 rounded-sm px-2 text-sm outline-none data-disabled:opacity-50 data-highlighted:bg-hover [&_svg]:size-3.5 [&_svg]:shrink-0 [&_svg]:text-faint';

/** `focusesFirst`: a key opened it before it was loaded, so the library does not know that the first item gets the focus. */
export function MenuContent({
  focusesFirst,
  className,
  ...props
}: React.ComponentProps<typeof M.Content> & { focusesFirst: boolean }) {
  const isDue = useRef(focusesFirst);
  return (
    <M.Portal>
      <M.Content
        sideOffset={4}
        collisionPadding={8}
        align="end"
        onFocus={({ target, currentTarget }: FocusEvent<HTMLElement>) => {
          if (!isDue.current || target !== currentTarget) return;
          isDue.current = false;
          currentTarget.querySelector<HTMLElement>('[role^=menuitem]:not([data-disabled])')?.focus();
        }}
        className={cn(
          'z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-44 overflow-y-auto rounded-md border border-line-strong bg-raised p-1',
          className,
        )}
        {...props}
      />
    </M.Portal>
  );
}

/** `blocked`: why the item cannot be chosen; null: it can. */
export function MenuItem({
  className,
  destructive,
  blocked,
  ...props
}: React.ComponentProps<typeof M.Item> & { destructive?: boolean; blocked?: string | null }) {
  return (
    <M.Item
      {...(blocked ? { disabled: true, title: blocked } : {})}
      className={cn(item, destructive && 'text-bad data-highlighted:bg-bad/11 [&_svg]:text-bad', className)}
      {...props}
    />
  );
}

export function MenuRadioItem({ className, children, ...props }: React.ComponentProps<typeof M.RadioItem>) {
  return (
    <M.RadioItem className={cn(item, 'pr-8', className)} {...props}>
      {children}
      <M.ItemIndicator className="absolute right-2">
        <Check aria-hidden />
      </M.ItemIndicator>
    </M.RadioItem>
  );
}

export function MenuLabel({ className, ...props }: React.ComponentProps<typeof M.Label>) {
  return <M.Label className={cn('px-2 py-1 text-faint text-xs', className)} {...props} />;
}

/** What an item does, beside its name. */
export function MenuNote({ children }: { children?: ReactNode }) {
  return children ? <span className="ml-auto pl-4 text-faint text-xs">{children}</span> : null;
}

export function MenuSeparator() {
  return <M.Separator className="-mx-1 my-1 h-px bg-line" />;
}
