'use client';
import { CopyRequest } from '@/components/shared/requests/copy-request';
import { useFilled } from '@/components/shared/requests/use-filled';
import { Checkbox } from '@/components/ui/controls/checkbox';
import { TextField } from '@/components/ui/controls/field';
import { FormDialog } from '@/components/ui/overlays/form-dialog';
import { toast } from '@/components/ui/overlays/toast';
import { useContractForm } from '@/lib/browser/api/use-contract-form';
import { useSaveSearch } from '@/lib/browser/search/use-saved-searches';
import { savedSearchInputSchema } from '@/lib/contract/search/search-schemas';
import { revealHidden } from '@/lib/format/display-text';

/** Saves the query under a name. */
export function SaveSearchDialog({ q, onClose }: { q: string; onClose: () => void }) {
  const { mutate, isPending, error, requestOf } = useSaveSearch();
  const form = useContractForm({
    schema: savedSearchInputSchema,
    defaultValues: useFilled({ name: '', shared: false }),
    toRequest: ({ name, shared }) => ({ name: name.trim(), q, shared }),
    error,
    onSubmit: (search) =>
      mutate(search, {
        onSuccess: () => {
          toast.success('Search saved');
          onClose();
        },
      }),
  });
  return (
    <FormDialog
      title="Save this search"
      submitLabel="Save"
      disabled={form.watch('name').trim() === ''}
      pending={isPending}
      error={form.error}
      secondary={<CopyRequest request={() => requestOf(form.request())} filled={form.values} />}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <p
        translate="no"
        className="break-words rounded border border-line bg-sunken px-2 py-1 font-mono text-xs"
      >
        {revealHidden(q)}
      </p>
      <TextField
        label="Name"
        hint="If you have a search with this name, it is replaced."
        {...form.field('name')}
        maxLength={80}
      />
      <Checkbox
        label="Share with everyone"
        checked={form.watch('shared')}
        onCheckedChange={(shared) => form.setValue('shared', shared)}
      />
    </FormDialog>
  );
}
