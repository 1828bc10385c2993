'use client';
import type { ConfirmDialogProps } from '@/components/ui/overlays/confirm-dialog';
import { ConfirmDialog } from '@/components/ui/overlays/lazy-dialogs';
import type { ApiMutation } from '@/lib/browser/api/query-defaults';
import { CopyRequest } from './requests/copy-request';

/** Confirms a write and sends it. Closes when it succeeded, shows the refusal otherwise. Mount it to open it. */
export function ConfirmWrite<Input, Output>({
  write: { mutate, isPending, error, requestOf },
  input,
  onDone,
  onClose,
  ...dialog
}: Omit<ConfirmDialogProps, 'open' | 'onOpenChange' | 'pending' | 'error' | 'tools' | 'onConfirm'> & {
  write: ApiMutation<Output, Input>;
  input: (reason: string) => Input;
  onDone: (output: Output) => void;
  onClose: () => void;
}) {
  return (
    <ConfirmDialog
      {...dialog}
      open
      onOpenChange={(open) => !open && onClose()}
      pending={isPending}
      error={error?.detail}
      tools={({ reason }) => <CopyRequest request={() => requestOf(input(reason))} />}
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
