'use client';
import { useTheme } from 'next-themes';
import { Toaster as Sonner, toast } from 'sonner';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from '@/components/ui/icons';

export const show = toast;

/** See `toaster-host.tsx`. */
export function Toaster() {
  const { theme } = useTheme();
  return (
    <Sonner
      theme={theme === 'light' || theme === 'dark' ? theme : 'system'}
      // The bottom right belongs to the cards of running operations.
      position="bottom-center"
      closeButton
      visibleToasts={4}
      // Clear of the phone's bottom bar.
      mobileOffset={{ bottom: 'calc(64px + var(--pauses, 0px))' }}
      offset={{ bottom: 'calc(24px + var(--pauses, 0px))' }}
      icons={{
        success: <CircleCheck aria-hidden className="size-4 text-good" />,
        error: <CircleAlert aria-hidden className="size-4 text-bad" />,
        warning: <TriangleAlert aria-hidden className="size-4 text-warn" />,
        info: <Info aria-hidden className="size-4 text-accent" />,
      }}
      toastOptions={{
        classNames: {
          toast:
            '!rounded-md !border !border-line-strong !bg-raised !p-3 !text-fg !text-sm !shadow-none !font-sans',
          description: '!text-muted',
          closeButton: '!border-line-strong !bg-raised !text-muted',
          actionButton: '!bg-accent-solid !text-accent-ink',
        },
      }}
    />
  );
}
