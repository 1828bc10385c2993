'use client';
import type { UseMutationResult } from '@tanstack/react-query';
import { ConfirmDialog, type ConfirmDialogProps } from '@/components/ui/overlays/confirm-dialog';
import type { ApiError } from '@/lib/browser/api/api-client';

/** Confirms a write and sends it. Closes when it succeeded, shows the refusal otherwise. Mount it to open it. */
export function ConfirmWrite<Input, Output>({
  write: { mutate, isPending, error },
  input,
  onDone,
  onClose,
  ...dialog
}: Omit<ConfirmDialogProps, 'open' | 'onOpenChange' | 'pending' | 'error' | 'onConfirm'> & {
  write: UseMutationResult<Output, ApiError, Input>;
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
