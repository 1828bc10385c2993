'use client';
import { useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { DialogContent } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { useRename } from '@/lib/client/use-me';
import { PERSON_MAX_CHARS } from '@/lib/contract/person';

/** AUTH=none: nobody is asked, so a name is what somebody says it is. */
export function Rename({ name, onClose }: { name: string; onClose: () => void }) {
  const [text, setText] = useState(name);
  const { mutate, isPending, error } = useRename();
  const form = 'rename';
  return (
    <DialogContent
      size="sm"
      title="Who are you?"
      description="Your name stands beside what you do. This console asks nobody to sign in, so it is what you say it is."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form={form}
            variant="primary"
            disabled={text.trim() === ''}
            pending={isPending}
          >
            Save
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() === '' || isPending) return;
          mutate(
            { name: text.trim() },
            {
              onSuccess: (person) => {
                toast.success(`You are ${person.name} now`);
                onClose();
              },
            },
          );
        }}
      >
        <Field label="Name" error={error?.about('name')}>
          {(control) => (
            <Input
              {...control}
              autoComplete="name"
              maxLength={PERSON_MAX_CHARS}
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          )}
        </Field>
        {error && !error.about('name') && <Callout tone="bad">{error.detail}</Callout>}
      </form>
    </DialogContent>
  );
}
