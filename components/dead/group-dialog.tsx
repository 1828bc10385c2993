'use client';
import { useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Dialog, DialogContent } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input, Textarea } from '@/components/ui/input';
import { useChangeGroup } from '@/lib/client/use-dead';
import { type Group, groupChangeSchema } from '@/lib/contract/dead';
import { visible } from '@/lib/format/text';

/** What people call a failure, and what they know about it. Empty takes it away. */
export function GroupDialog({ group, onClose }: { group: Group; onClose: () => void }) {
  const { mutate, isPending, error } = useChangeGroup();
  const [name, setName] = useState(group.name ?? '');
  const [note, setNote] = useState(group.note ?? '');
  const form = useId();
  const change = { name: name.trim() || null, note: note.trim() || null };
  const checked = groupChangeSchema.safeParse(change);
  const problem = (field: 'name' | 'note') =>
    error?.about(field) ??
    checked.error?.issues.find((issue) => issue.path[0] === field)?.message ??
    undefined;
  const save = () => {
    if (checked.success && !isPending)
      mutate({ group: group.group, change: checked.data }, { onSuccess: onClose });
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title="Name and note"
        description={visible(group.message ?? group.code)}
        size="sm"
        footer={
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              type="submit"
              form={form}
              variant="primary"
              disabled={!checked.success}
              pending={isPending}
            >
              Save
            </Button>
          </>
        }
      >
        <form
          id={form}
          className="space-y-3"
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          <Field label="Name" hint="Shown instead of its message, to everybody." error={problem('name')}>
            {(control) => (
              <Input {...control} value={name} maxLength={120} onChange={(e) => setName(e.target.value)} />
            )}
          </Field>
          <Field label="Note" hint="A cause, a ticket, what to do about it." error={problem('note')}>
            {(control) => (
              <Textarea {...control} value={note} maxLength={500} onChange={(e) => setNote(e.target.value)} />
            )}
          </Field>
          {error && error.fields.length === 0 && <Callout tone="bad">{error.detail}</Callout>}
        </form>
      </DialogContent>
    </Dialog>
  );
}
