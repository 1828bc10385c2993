'use client';
import { useState } from 'react';
import { CopyRequest } from '@/components/shared/requests/copy-request';
import { useFilled, useFilledLink } from '@/components/shared/requests/use-filled';
import { Callout } from '@/components/ui/callout';
import { Button } from '@/components/ui/controls/button';
import { CopyButton } from '@/components/ui/controls/copy-button';
import { Field, TextField } from '@/components/ui/controls/field';
import { Select } from '@/components/ui/controls/select';
import { Dialog, DialogContent } from '@/components/ui/overlays/dialog';
import { FormDialog } from '@/components/ui/overlays/form-dialog';
import { CodeBlock } from '@/components/ui/text/code-block';
import { useCreateToken } from '@/lib/browser/access/use-access';
import { useContractForm } from '@/lib/browser/api/use-contract-form';
import { consoleUrl } from '@/lib/browser/base-path';
import { type Me, tokenRequestSchema } from '@/lib/contract/access/access-schemas';
import { type Permission, ROLE_NAMES, ROLES } from '@/lib/contract/access/grant-scopes';
import { paths } from '@/lib/contract/api-paths';
import { revealHidden } from '@/lib/format/display-text';
import {
  filledGrantRows,
  firstMissingPermission,
  newGrantRow,
  readGrants,
  toFilledGrants,
} from './grants-draft';
import { GrantsEditor } from './grants-editor';

const DAYS = [7, 30, 90, 365].map((days) => ({ value: String(days), label: `${days} days` }));

/** Asks for name, expiry and roles, then shows the token once. */
export function NewTokenDialog({ me, onClose }: { me: Me; onClose: () => void }) {
  const { mutate, isPending, error, data, requestOf } = useCreateToken();
  const roles = rolesOf(me);
  const filled = useFilledLink();
  const [rows, setRows] = useState(
    () => filledGrantRows(filled, roles) ?? roles.slice(0, 1).map(newGrantRow),
  );
  const read = readGrants(rows);
  const form = useContractForm({
    schema: tokenRequestSchema,
    defaultValues: useFilled({ name: '', expiresInDays: '90' }),
    toRequest: ({ name, expiresInDays }) => ({
      name: name.trim(),
      grants: read.ok ? read.grants : [],
      expiresInDays: Number(expiresInDays),
    }),
    error,
    onSubmit: (request) => mutate(request),
  });
  if (data) return <Shown token={data.token} name={data.view.name} onClose={onClose} />;
  const lacking = read.ok ? firstMissingPermission(me.grants, read.grants) : null;
  const unnamed = form.watch('name').trim() === '';
  return (
    <FormDialog
      size="lg"
      title="New API token"
      description="For a program. It gets the roles below, limited at any time to your own permissions."
      submitLabel="Create token"
      disabled={unnamed || !read.ok || read.grants.length === 0 || lacking !== null}
      pending={isPending}
      error={form.error}
      secondary={
        <CopyRequest
          request={() => requestOf(form.request())}
          filled={() => ({ ...form.values(), grants: toFilledGrants(rows) })}
        />
      }
      onSubmit={form.submit}
      onClose={onClose}
    >
      <div className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_10rem]">
        <TextField
          label="Name"
          hint="The program that uses it, and where it runs."
          error={form.problem('name')}
          placeholder="deploy hook of staging"
          maxLength={60}
          {...form.register('name')}
        />
        <Field label="Expires after" error={form.problem('expiresInDays')}>
          {(control) => <Select {...control} options={DAYS} {...form.register('expiresInDays')} />}
        </Field>
      </div>
      <GrantsEditor
        rows={rows}
        read={read}
        roles={roles}
        empty="No role: add at least one."
        onChange={setRows}
      />
      {lacking && (
        <Callout
          tone="warn"
          title={`You don't have the permission "${lacking}" for all of these queues and tenants.`}
        >
          Choose a role with fewer permissions, or list queues and tenants that you have access to.
        </Callout>
      )}
    </FormDialog>
  );
}

/** The user has all permissions of these roles, at least for some queues. A token never has the permission `access`. */
const rolesOf = ({ permissions }: Me) =>
  ROLE_NAMES.filter((role) =>
    (ROLES[role] as readonly Permission[]).every(
      (permission) => permission === 'access' || permissions.includes(permission),
    ),
  );

/** Closes by its button only: the token is not shown again. */
function Shown({ token, name, onClose }: { token: string; name: string; onClose: () => void }) {
  const example = `export REDRIVE_TOKEN='${token}'\ncurl -H "Authorization: Bearer $REDRIVE_TOKEN" ${consoleUrl()}${paths.queues()}`;
  return (
    <Dialog open>
      <DialogContent
        size="lg"
        closable={false}
        title={`API token ${revealHidden(name)}`}
        footer={
          <Button variant="primary" onClick={onClose}>
            I have stored it
          </Button>
        }
      >
        <div className="grid gap-3">
          <Callout tone="warn" title="The token is shown only once.">
            Store it in a secret manager. Anyone who has it can use its permissions. Revoke it here if it
            leaks.
          </Callout>
          <div className="flex items-center gap-2 rounded border border-line bg-sunken p-2">
            <code translate="no" data-slot="token" className="min-w-0 flex-1 break-all font-mono text-sm">
              {token}
            </code>
            <CopyButton text={token} label="Copy the token" size="md" />
          </div>
          <section>
            <h3 className="mb-1 text-faint text-xs">How to use it</h3>
            <CodeBlock label="example" text={example} />
          </section>
        </div>
      </DialogContent>
    </Dialog>
  );
}
