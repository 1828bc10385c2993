'use client';
import { Undo2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { RelativeTime } from '@/components/ui/relative-time';
import { links } from '@/lib/client/links';
import { useServerNow } from '@/lib/client/live';
import { useMay } from '@/lib/client/permissions';
import { useUndoOperation } from '@/lib/client/use-operations';
import { kindPermission } from '@/lib/contract/action-permissions';
import { KIND_WORDS } from '@/lib/contract/operation-words';
import type { Operation } from '@/lib/contract/operations';
import { full } from '@/lib/format/number';
import { canUndo } from './words';

/** Takes back what it did, all of it or what also matches a query, as an operation of its own. */
export function UndoButton({ operation, size = 'md' }: { operation: Operation; size?: 'sm' | 'md' }) {
  const [open, setOpen] = useState(false);
  const now = useServerNow();
  const may = useMay(operation.undo ? kindPermission(operation.undo.kind) : 'operate');
  if (!may || !operation.undo || (!open && !canUndo(operation, now))) return null;
  return (
    <>
      <Button size={size} onClick={() => setOpen(true)}>
        <Undo2 aria-hidden />
        Undo…
      </Button>
      {open && <UndoDialog operation={operation} undo={operation.undo} onClose={() => setOpen(false)} />}
    </>
  );
}

function UndoDialog({
  operation,
  undo,
  onClose,
}: {
  operation: Operation;
  undo: NonNullable<Operation['undo']>;
  onClose: () => void;
}) {
  const router = useRouter();
  const [q, setQ] = useState('');
  const { mutate, isPending, error } = useUndoOperation();
  const { verb } = KIND_WORDS[undo.kind];
  const done = KIND_WORDS[operation.kind].done;
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Undo: ${verb.toLowerCase()} what it moved?`}
      description={`${full(operation.moved)} were ${done}. ${KIND_WORDS[undo.kind].happens}`}
      facts={[
        {
          label: 'Until',
          value:
            undo.until === null ? (
              'there is no time limit'
            ) : (
              <>
                <RelativeTime at={undo.until} /> (then it is deleted for good)
              </>
            ),
        },
      ]}
      confirmLabel={q.trim() === '' ? `${verb} all of it` : `${verb} what matches`}
      reason="required"
      pending={isPending}
      error={error?.detail}
      onConfirm={({ reason }) =>
        mutate(
          { id: operation.id, reason, q: q.trim() || undefined },
          {
            onSuccess: (started) => {
              toast.success(`${verb} started`);
              onClose();
              router.push(links.operation(started.id) as never);
            },
          },
        )
      }
    >
      <Field label="Only what also matches (optional)" hint="type:invoice.* tenant:acme …; empty: all of it">
        {(control) => (
          <Input
            {...control}
            className="font-mono text-xs"
            maxLength={2_048}
            value={q}
            onChange={({ target }) => setQ(target.value)}
          />
        )}
      </Field>
    </ConfirmDialog>
  );
}
