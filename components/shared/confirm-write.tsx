'use client';
import { lazyPart } from '@/components/ui/lazy-part';
import type { ConfirmDialogProps } from '@/components/ui/overlays/confirm-dialog';
import { ConfirmDialog } from '@/components/ui/overlays/lazy-dialogs';
import type { ApiMutation } from '@/lib/browser/api/query-defaults';
import { type DialogTarget, type Filled, filledText } from '@/lib/browser/dialog-link';
import { useFilledLink } from './requests/use-filled';

/** With the dialog: neither is in the first load of a page. */
const CopyRequest = lazyPart(() => import('./requests/copy-request').then((module) => module.CopyRequest));

/**
 * Confirms a write and sends it. Closes when it succeeded, shows the refusal otherwise. Mount it to open it, by `useDialog`: its link then
 * reopens it with its reason.
 */
export function ConfirmWrite<Input, Output>({
  write: { mutate, isPending, error, requestOf },
  input,
  filled,
  target,
  onDone,
  onClose,
  ...dialog
}: Omit<ConfirmDialogProps, 'open' | 'onOpenChange' | 'pending' | 'error' | 'tools' | 'onConfirm'> & {
  write: ApiMutation<Output, Input>;
  input: (reason: string) => Input;
  /** What is filled in besides the reason, for the link. */
  filled?: Filled;
  /** Where its link opens it, when this page's address does not name it. */
  target?: DialogTarget;
  onDone: (output: Output) => void;
  onClose: () => void;
}) {
  const given = filledText(useFilledLink(), 'reason');
  return (
    <ConfirmDialog
      firstReason={given}
      {...dialog}
      open
      onOpenChange={(open) => !open && onClose()}
      pending={isPending}
      error={error?.detail}
      tools={({ reason }) => (
        <CopyRequest
          request={() => requestOf(input(reason))}
          filled={() => ({ ...filled, ...(reason && { reason }) })}
          target={target}
        />
      )}
      onConfirm={({ reason }) =>
        mutate(input(reason), {
          onSuccess: (output) => {
            onDone(output);
            onClose();
          },
        })
      }
    />
  );
}
