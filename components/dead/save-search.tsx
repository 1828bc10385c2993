'use client';
import { useId, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Checkbox } from '@/components/ui/checkbox';
import { Dialog, DialogContent } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { useSaveSearch } from '@/lib/client/use-searches';
import { visible } from '@/lib/format/text';

/** Keeps the query under a name. */
export function SaveSearch({ q, onClose }: { q: string; onClose: () => void }) {
  const { mutate, isPending, error } = useSaveSearch();
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const form = useId();
  const empty = name.trim() === '';
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title="Save this search"
        size="sm"
        footer={
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" form={form} variant="primary" disabled={empty} pending={isPending}>
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
            if (empty || isPending) return;
            mutate(
              { name: name.trim(), q, shared },
              {
                onSuccess: () => {
                  toast.success('Search saved');
                  onClose();
                },
              },
            );
          }}
        >
          <p className="break-words rounded border border-line bg-sunken px-2 py-1 font-mono text-xs">
            {visible(q)}
          </p>
          <Field
            label="Name"
            hint="A name that you used already gets this query instead."
            error={error?.about('name') ?? undefined}
          >
            {(control) => (
              <Input {...control} value={name} maxLength={80} onChange={(e) => setName(e.target.value)} />
            )}
          </Field>
          <Checkbox label="Share it with everybody" checked={shared} onCheckedChange={setShared} />
          {error && error.about('name') === null && <Callout tone="bad">{error.detail}</Callout>}
        </form>
      </DialogContent>
    </Dialog>
  );
}
