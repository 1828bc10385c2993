'use client';
import { CopyRequest } from '@/components/shared/requests/copy-request';
import { useFilled } from '@/components/shared/requests/use-filled';
import { Field, TextField } from '@/components/ui/controls/field';
import { Textarea } from '@/components/ui/controls/input';
import { FormDialog } from '@/components/ui/overlays/form-dialog';
import { useContractForm } from '@/lib/browser/api/use-contract-form';
import { links } from '@/lib/browser/links';
import { useChangeGroup } from '@/lib/browser/search/use-dead-letters';
import { type Group, groupChangeSchema } from '@/lib/contract/search/search-schemas';
import { titleText } from '@/lib/format/display-text';

/** Name and note of a failure group; an empty field removes the old text. */
export function GroupDialog({ group, onClose }: { group: Group; onClose: () => void }) {
  const { mutate, isPending, error, requestOf } = useChangeGroup();
  const form = useContractForm({
    schema: groupChangeSchema,
    defaultValues: useFilled({ name: group.name ?? '', note: group.note ?? '' }),
    toRequest: ({ name, note }) => ({ name: name.trim() || null, note: note.trim() || null }),
    error,
    onSubmit: (change) => mutate({ group: group.group, change }, { onSuccess: onClose }),
  });
  return (
    <FormDialog
      title="Name and note"
      description={titleText(group.message ?? group.code)}
      submitLabel="Save"
      pending={isPending}
      error={form.error}
      secondary={
        <CopyRequest
          request={() => requestOf({ group: group.group, change: form.request() })}
          filled={form.values}
          // Where the group is alone.
          target={{ path: links.dead(`group:${group.group}`, 'rows'), dialog: 'group' }}
        />
      }
      onSubmit={form.submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="Shown to everyone instead of the error message."
        {...form.field('name')}
        maxLength={120}
      />
      <Field label="Note" hint="A cause, a ticket, what to do about it." error={form.problem('note')}>
        {(control) => <Textarea {...control} {...form.register('note')} maxLength={500} />}
      </Field>
    </FormDialog>
  );
}
