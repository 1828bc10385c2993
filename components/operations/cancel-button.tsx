'use client';
import { Ban } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { useCancelOperation } from '@/lib/client/use-operations';
import type { Operation } from '@/lib/contract/operations';
import { full } from '@/lib/format/number';
import { count } from '@/lib/format/plural';
import { MOVED_WORD } from './words';

/** Stops a running operation after asking; nothing for one that ended. */
export function CancelButton({ operation }: { operation: Operation }) {
  const [open, setOpen] = useState(false);
  const { mutate, isPending, error, reset } = useCancelOperation();
  if (operation.status !== 'running' && !open) return null;
  const confirm = ({ reason }: { reason: string }) =>
    mutate(
      { id: operation.id, reason: reason || undefined },
      {
        onSuccess: ({ moved }) => {
          setOpen(false);
          toast.success('Cancelled', { description: `${count(moved, 'job')} had been moved.` });
        },
      },
    );
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        <Ban aria-hidden />
        Cancel…
      </Button>
      <ConfirmDialog
        open={open}
        onOpenChange={(next) => {
          setOpen(next);
          if (!next) reset();
        }}
        title="Cancel this operation?"
        description={`The ${full(operation.moved)} moved so far stay ${MOVED_WORD[operation.kind]}; the rest stays dead.`}
        confirmLabel="Cancel the operation"
        reason="optional"
        pending={isPending}
        error={error?.detail}
        onConfirm={confirm}
      />
    </>
  );
}
