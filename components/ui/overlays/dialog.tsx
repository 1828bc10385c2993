'use client';
import { Dialog as D } from 'radix-ui';
import { X } from '@/components/ui/icons';
import { cn } from '../cn';
import { useFocusReturn } from './use-focus-return';

export const Dialog = D.Root;

export const overlayStyles = 'fixed inset-0 z-40 bg-(--scrim)';
/** Centred; on a phone it sits at the bottom, where the thumb is. */
export const surfaceStyles =
  'fixed z-50 flex max-h-[85dvh] flex-col rounded-lg border border-line-strong bg-raised outline-none max-sm:inset-x-2 max-sm:bottom-2 sm:top-1/2 sm:left-1/2 sm:w-[calc(100vw-2rem)] sm:-translate-x-1/2 sm:-translate-y-1/2';

const widths = { sm: 'sm:max-w-md', md: 'sm:max-w-xl', lg: 'sm:max-w-3xl', xl: 'sm:max-w-5xl' } as const;

/** Over another dialog: above its window, not only above the page. `veiled` hides all that is behind. */
const layers = {
  page: { overlay: '', window: '' },
  above: { overlay: 'z-60', window: 'z-60' },
  veiled: { overlay: 'z-60 bg-canvas', window: 'z-60' },
} as const;

/** The window with a title, a description, a scrolling body and a footer for buttons. */
export function DialogContent({
  title,
  description,
  footer,
  size = 'md',
  layer = 'page',
  closable = true,
  className,
  children,
  ...props
}: Omit<React.ComponentProps<typeof D.Content>, 'title'> & {
  title: React.ReactNode;
  description?: React.ReactNode;
  footer?: React.ReactNode;
  size?: keyof typeof widths;
  layer?: keyof typeof layers;
  /** False: only an answer closes it. */
  closable?: boolean;
}) {
  const focusReturn = useFocusReturn();
  const stay = (event: Event) => {
    if (!closable) event.preventDefault();
  };
  return (
    <D.Portal>
      <D.Overlay className={cn(overlayStyles, layers[layer].overlay)} />
      <D.Content
        {...(description ? {} : { 'aria-describedby': undefined })}
        className={cn(surfaceStyles, widths[size], layers[layer].window, className)}
        onEscapeKeyDown={stay}
        onInteractOutside={stay}
        {...focusReturn}
        {...props}
      >
        <header className="flex items-start gap-3 border-line border-b px-4 py-3">
          <div className="min-w-0 flex-1">
            <D.Title className="font-semibold text-base">{title}</D.Title>
            {description && (
              <D.Description className="mt-0.5 text-muted text-sm [overflow-wrap:anywhere]">
                {description}
              </D.Description>
            )}
          </div>
          {closable && (
            <D.Close
              aria-label="Close"
              className="-mr-1 inline-flex size-6 items-center justify-center rounded text-faint hover:bg-hover hover:text-fg"
            >
              <X aria-hidden className="size-4" />
            </D.Close>
          )}
        </header>
        <div className="min-h-0 flex-1 overflow-y-auto px-4 py-3">{children}</div>
        {footer && (
          <footer className="flex flex-wrap justify-end gap-2 border-line border-t px-4 py-3">
            {footer}
          </footer>
        )}
      </D.Content>
    </D.Portal>
  );
}
