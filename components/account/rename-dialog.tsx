'use client';
import { Field } from '@/components/ui/controls/field';
import { Input } from '@/components/ui/controls/input';
import { FormDialog } from '@/components/ui/overlays/form-dialog';
import { toast } from '@/components/ui/overlays/toast';
import { useRename } from '@/lib/browser/access/use-me';
import { useContractForm } from '@/lib/browser/api/use-contract-form';
import { USER_NAME_MAX_CHARS } from '@/lib/contract/access/access-limits';
import { consoleUserChangeSchema } from '@/lib/contract/access/user-name';

/** With AUTH=none users choose their own name. */
export function RenameDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const { mutate, isPending, error } = useRename();
  const form = useContractForm({
    schema: consoleUserChangeSchema,
    defaultValues: { name },
    toRequest: (values) => ({ name: values.name.trim() }),
    error,
    onSubmit: (request) =>
      mutate(request, {
        onSuccess: (user) => {
          toast.success(`Your name is now ${user.name}`);
          onClose();
        },
      }),
  });
  return (
    <FormDialog
      title="Your name"
      description="Your name is recorded with what you do. This console has no sign-in, so the name is not verified."
      submitLabel="Save"
      disabled={form.watch('name').trim() === ''}
      pending={isPending}
      error={form.error}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <Field label="Name" error={form.problem('name')}>
        {(control) => (
          <Input
            {...control}
            {...form.register('name')}
            autoComplete="name"
            maxLength={USER_NAME_MAX_CHARS}
          />
        )}
      </Field>
    </FormDialog>
  );
}
