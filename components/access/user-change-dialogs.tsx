'use client';
import { useState } from 'react';
import type { z } from 'zod';
import { ConfirmWrite } from '@/components/shared/confirm-write';
import { CopyRequest } from '@/components/shared/requests/copy-request';
import { useFilled, useFilledLink } from '@/components/shared/requests/use-filled';
import { Button } from '@/components/ui/controls/button';
import { TextField } from '@/components/ui/controls/field';
import { FormDialog } from '@/components/ui/overlays/form-dialog';
import { toast } from '@/components/ui/overlays/toast';
import { useChangeUser } from '@/lib/browser/access/use-access';
import { useContractForm } from '@/lib/browser/api/use-contract-form';
import { describeGrants } from '@/lib/contract/access/access-labels';
import { type UserView, userAccessChangeSchema } from '@/lib/contract/access/access-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { count } from '@/lib/format/plural';
import { filledGrantRows, readGrants, toFilledGrants, toGrantRows } from './grants-draft';
import { GrantsEditor } from './grants-editor';
import { grantOriginLabel, sameGrants } from './labels';

interface Props {
  person: UserView;
  onClose: () => void;
}

/** Changes the roles of a user. */
export function GrantsDialog({ person, onClose }: Props) {
  const { id, method, grants, grantsFrom } = person;
  const name = revealHidden(person.name);
  const filled = useFilledLink();
  const [rows, setRows] = useState(() => filledGrantRows(filled) ?? toGrantRows(grants));
  const { mutate, isPending, error, requestOf } = useChangeUser();
  const read = readGrants(rows);
  const send = (change: z.input<typeof userAccessChangeSchema>, done: string) =>
    mutate(
      { id, change },
      {
        onSuccess: () => {
          toast.success(done);
          onClose();
        },
      },
    );
  const form = useContractForm({
    schema: userAccessChangeSchema,
    defaultValues: useFilled({ reason: '' }),
    toRequest: ({ reason }) => ({ grants: read.ok ? read.grants : grants, reason: reason.trim() }),
    error,
    onSubmit: (change) => send(change, `Roles of ${name} saved`),
  });
  const reason = form.watch('reason').trim();
  return (
    <FormDialog
      size="lg"
      title={`Roles of ${name}`}
      description="Applies from the user's next request. Permissions of several roles add up."
      submitLabel="Save"
      disabled={!read.ok || sameGrants(read.grants, grants) || reason === ''}
      pending={isPending}
      error={form.error}
      secondary={
        <span className="flex items-center gap-2">
          <CopyRequest
            request={() => requestOf({ id, change: form.request() })}
            filled={() => ({ ...form.values(), grants: toFilledGrants(rows) })}
          />
          {grantsFrom === 'console' && (
            <Button
              disabled={reason === ''}
              pending={isPending}
              title={reason === '' ? 'Enter a reason first' : undefined}
              onClick={() =>
                send({ grants: null, reason }, `Roles of ${name} reset to ${grantOriginLabel(method)}`)
              }
            >
              Reset to {grantOriginLabel(method)}
            </Button>
          )}
        </span>
      }
      onSubmit={form.submit}
      onClose={onClose}
    >
      <GrantsEditor
        rows={rows}
        read={read}
        empty="No role: this user has access to nothing."
        onChange={setRows}
      />
      <TextField
        label="Reason"
        hint="Shown in the audit log."
        error={form.problem('reason')}
        required
        maxLength={300}
        {...form.register('reason')}
      />
    </FormDialog>
  );
}

/** Disables a user, or enables a disabled one. */
export function DisableDialog({ person, onClose }: Props) {
  // As it was opened: the list refreshes behind the dialog, and a repeated "Disable" must not become "Enable".
  const [{ id, disabled, grants, sessions, ...opened }] = useState(person);
  const name = revealHidden(opened.name);
  const role = { label: 'Role', value: describeGrants(grants) };
  const texts = disabled
    ? {
        title: `Enable ${name}?`,
        description: 'The user can sign in again with their current roles. Ended sessions are not restored.',
        facts: [role, { label: 'Disabled', value: revealHidden(`by ${disabled.by}: ${disabled.reason}`) }],
        confirmLabel: 'Enable',
      }
    : {
        title: `Disable ${name}?`,
        description:
          "Ends the user's sessions, rejects their API tokens and blocks sign-in until the user is enabled again. Operations they started pause before the next chunk.",
        facts: [{ label: 'User', value: name }, role, { label: 'Ends', value: count(sessions, 'session') }],
        confirmLabel: 'Disable',
        destructive: true,
      };
  return (
    <ConfirmWrite
      {...texts}
      reason="required"
      write={useChangeUser()}
      input={(reason) => ({ id, change: { disabled: disabled === null, reason } })}
      onDone={() => toast.success(`${name} is ${disabled ? 'enabled' : 'disabled'}`)}
      onClose={onClose}
    />
  );
}
