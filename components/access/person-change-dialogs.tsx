'use client';
import { useId, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Dialog, DialogContent } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { useChangePerson } from '@/lib/client/use-access';
import type { PersonAccessChange, PersonView } from '@/lib/contract/access';
import { rolesWords } from '@/lib/contract/grant-words';
import { count } from '@/lib/format/plural';
import { visible } from '@/lib/format/text';
import { readGrants, rowsOf } from './grants-draft';
import { GrantsEditor } from './grants-editor';
import { originWords, sameGrants } from './words';

interface Props {
  person: PersonView;
  onClose: () => void;
}

/** What somebody may do from their next request on. */
export function GrantsDialog({ person, onClose }: Props) {
  const { id, way, grants, grantsFrom } = person;
  const name = visible(person.name);
  const [rows, setRows] = useState(() => rowsOf(grants));
  const [reason, setReason] = useState('');
  const { mutate, isPending, error } = useChangePerson();
  const form = useId();
  const read = readGrants(rows);
  const why = reason.trim();
  const changed = read.ok && !sameGrants(read.grants, grants);
  const send = (change: PersonAccessChange, done: string) =>
    mutate(
      { id, change },
      {
        onSuccess: () => {
          toast.success(done);
          onClose();
        },
      },
    );
  const blocked = !changed || why === '' || isPending;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        size="lg"
        title={`What ${name} may do`}
        description="It counts from their next request on. Several roles add up."
        footer={
          <>
            {grantsFrom === 'console' && (
              <Button
                className="mr-auto"
                disabled={why === ''}
                pending={isPending}
                title={why === '' ? 'Give a reason first' : undefined}
                onClick={() => send({ grants: null, reason: why }, `${name}: back to ${originWords(way)}`)}
              >
                Back to {originWords(way)}
              </Button>
            )}
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" form={form} variant="primary" disabled={blocked} pending={isPending}>
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
            if (read.ok && !blocked) send({ grants: read.grants, reason: why }, `${name} may do this now`);
          }}
        >
          <GrantsEditor
            rows={rows}
            read={read}
            empty="No role: whoever signs in as this person sees nothing."
            onChange={setRows}
          />
          <Field label="Reason" hint="Shown in the audit log." error={error?.about('reason')}>
            {(control) => (
              <Input
                {...control}
                required
                maxLength={300}
                value={reason}
                onChange={({ target }) => setReason(target.value)}
              />
            )}
          </Field>
          {error && !error.about('reason') && <Callout tone="bad">{error.detail}</Callout>}
        </form>
      </DialogContent>
    </Dialog>
  );
}

export function DisableDialog({ person, onClose }: Props) {
  const { id, grants, sessions } = person;
  const name = visible(person.name);
  const { mutate, isPending, error } = useChangePerson();
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Disable ${name}?`}
      description="Their sessions end now, their tokens are refused, and they cannot sign in until they are let in again. Operations they started pause at their next step."
      facts={[
        { label: 'Person', value: name },
        { label: 'Role', value: rolesWords(grants) },
        { label: 'Ends', value: count(sessions, 'session') },
      ]}
      confirmLabel="Disable"
      destructive
      reason="required"
      pending={isPending}
      error={error?.detail}
      onConfirm={({ reason }) =>
        mutate(
          { id, change: { disabled: true, reason } },
          {
            onSuccess: () => {
              toast.success(`${name} is disabled`);
              onClose();
            },
          },
        )
      }
    />
  );
}

export function EnableDialog({ person, onClose }: Props) {
  const { id, disabled, grants } = person;
  const name = visible(person.name);
  const { mutate, isPending, error } = useChangePerson();
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Let ${name} in again?`}
      description="They can sign in again, with the role they have. Sessions that ended stay ended."
      facts={[
        { label: 'Role', value: rolesWords(grants) },
        ...(disabled ? [{ label: 'Disabled', value: visible(`by ${disabled.by}: ${disabled.reason}`) }] : []),
      ]}
      confirmLabel="Let in again"
      reason="required"
      pending={isPending}
      error={error?.detail}
      onConfirm={({ reason }) =>
        mutate(
          { id, change: { disabled: false, reason } },
          {
            onSuccess: () => {
              toast.success(`${name} can sign in again`);
              onClose();
            },
          },
        )
      }
    />
  );
}
