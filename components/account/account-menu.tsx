'use client';
import { PencilLine, UserRound } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Dialog, DialogContent } from '@/components/ui/dialog';
import { Menu, MenuContent, MenuItem, MenuLabel, MenuTrigger } from '@/components/ui/dropdown-menu';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { useMe, useRename } from '@/lib/client/use-me';
import { PERSON_DEFAULT, PERSON_MAX_CHARS } from '@/lib/contract/person';

/** Who one is here: the name that goes into histories and operations. */
export function AccountMenu() {
  const me = useMe().data;
  const [renaming, setRenaming] = useState(false);
  const name = me?.name ?? PERSON_DEFAULT;
  return (
    <>
      <Menu>
        <MenuTrigger asChild>
          <Button
            variant="ghost"
            className="max-w-44 px-1.5"
            aria-label={`You are ${name}`}
            title={`You are ${name}`}
          >
            <UserRound aria-hidden />
            <span className="min-w-0 truncate max-md:hidden">{name}</span>
          </Button>
        </MenuTrigger>
        <MenuContent>
          <MenuLabel>
            You are <span className="text-fg">{name}</span>
          </MenuLabel>
          <MenuItem onSelect={() => setRenaming(true)}>
            <PencilLine aria-hidden />
            Say who you are…
          </MenuItem>
        </MenuContent>
      </Menu>
      <Dialog open={renaming} onOpenChange={setRenaming}>
        {renaming && <Rename name={me?.chosen ? name : ''} onClose={() => setRenaming(false)} />}
      </Dialog>
    </>
  );
}

function Rename({ name, onClose }: { name: string; onClose: () => void }) {
  const [text, setText] = useState(name);
  const { mutate, isPending, error } = useRename();
  const form = 'rename';
  return (
    <DialogContent
      size="sm"
      title="Who are you?"
      description="Your name stands beside what you do. Until there is sign-in it is what you say it is."
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
