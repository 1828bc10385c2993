'use client';
import { useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { CodeBlock } from '@/components/ui/code-block';
import { CopyButton } from '@/components/ui/copy-button';
import { Dialog, DialogContent } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import { useCreateToken } from '@/lib/client/use-access';
import type { Me } from '@/lib/contract/access';
import { paths } from '@/lib/contract/api';
import { type Permission, ROLE_NAMES, ROLES } from '@/lib/contract/permissions';
import { visible } from '@/lib/format/text';
import { beyond, newRow, readGrants } from './grants-draft';
import { GrantsEditor } from './grants-editor';

const DAYS = [7, 30, 90, 365].map((days) => ({ value: String(days), label: `${days} days` }));

/** Asks what a program is to be let do, then shows its token, once. */
export function NewTokenDialog({ me, onClose }: { me: Me; onClose: () => void }) {
  const { mutate, isPending, error, data } = useCreateToken();
  const roles = rolesOf(me);
  const [name, setName] = useState('');
  const [days, setDays] = useState('90');
  const [rows, setRows] = useState(() => roles.slice(0, 1).map(newRow));
  const form = useId();
  if (data) return <Shown token={data.token} name={data.view.name} onClose={onClose} />;
  const read = readGrants(rows);
  const lacking = read.ok ? beyond(me.grants, read.grants) : null;
  const blocked = name.trim() === '' || !read.ok || read.grants.length === 0 || lacking !== null;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        size="lg"
        title="New API token"
        description="For a program. It may do what you choose here, as long as you may do it yourself."
        footer={
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" form={form} variant="primary" disabled={blocked} pending={isPending}>
              Create token
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
            if (read.ok && !blocked && !isPending)
              mutate({ name: name.trim(), grants: read.grants, expiresInDays: Number(days) });
          }}
        >
          <div className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_10rem]">
            <Field label="Name" hint="What uses it, and where." error={error?.about('name')}>
              {(control) => (
                <Input
                  {...control}
                  placeholder="deploy hook of staging"
                  maxLength={60}
                  value={name}
                  onChange={({ target }) => setName(target.value)}
                />
              )}
            </Field>
            <Field label="Expires after" error={error?.about('expiresInDays')}>
              {(control) => (
                <Select
                  {...control}
                  options={DAYS}
                  value={days}
                  onChange={({ target }) => setDays(target.value)}
                />
              )}
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
              title={`You do not have the permission "${lacking}" everywhere it asks for.`}
            >
              Choose a lesser role, or name the queues and tenants that are yours.
            </Callout>
          )}
          {error && !error.about('name') && !error.about('expiresInDays') && (
            <Callout tone="bad">{error.detail}</Callout>
          )}
        </form>
      </DialogContent>
    </Dialog>
  );
}

/** Roles that somebody has all of, somewhere. Access itself never goes with a token. */
const rolesOf = ({ permissions }: Me) =>
  ROLE_NAMES.filter((role) =>
    (ROLES[role] as readonly Permission[]).every(
      (permission) => permission === 'access' || permissions.includes(permission),
    ),
  );

/** It goes only when it is told to: what is lost here cannot be had again. */
function Shown({ token, name, onClose }: { token: string; name: string; onClose: () => void }) {
  const example = `export REDRIVE_TOKEN='${token}'\ncurl -H "Authorization: Bearer $REDRIVE_TOKEN" ${window.location.origin}${paths.queues()}`;
  return (
    <Dialog open>
      <DialogContent
        size="lg"
        closable={false}
        title={`The token of ${visible(name)}`}
        footer={
          <Button variant="primary" onClick={onClose}>
            I have stored it
          </Button>
        }
      >
        <div className="grid gap-3">
          <Callout tone="warn" title="It is shown this once.">
            Store it where secrets are kept. Whoever has it may do what it may; revoke it here if it gets out.
          </Callout>
          <div className="flex items-center gap-2 rounded border border-line bg-sunken p-2">
            <code data-slot="token" className="min-w-0 flex-1 break-all font-mono text-sm">
              {token}
            </code>
            <CopyButton text={token} label="Copy the token" size="md" />
          </div>
          <section>
            <h3 className="mb-1 text-faint text-xs">How a program uses it</h3>
            <CodeBlock label="example" text={example} />
          </section>
        </div>
      </DialogContent>
    </Dialog>
  );
}
