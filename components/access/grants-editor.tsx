'use client';
import { Callout } from '@/components/ui/callout';
import { Button } from '@/components/ui/controls/button';
import { Field, TextField } from '@/components/ui/controls/field';
import { IconButton } from '@/components/ui/controls/icon-button';
import { Select } from '@/components/ui/controls/select';
import { Plus, X } from '@/components/ui/icons';
import { GRANTS_MAX, ROLE_NAMES, type Role } from '@/lib/contract/access/grant-scopes';
import { type GrantRow, type GrantsRead, newGrantRow } from './grants-draft';
import { ROLE_LABELS, roleHint } from './labels';

/** Edits roles, each with its queues and tenants. */
export function GrantsEditor({
  rows,
  read,
  roles = ROLE_NAMES,
  empty,
  onChange,
}: {
  rows: readonly GrantRow[];
  read: GrantsRead;
  roles?: readonly Role[];
  /** Shown when there is no row. */
  empty: string;
  onChange: (rows: GrantRow[]) => void;
}) {
  const change = (key: number, to: Partial<GrantRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...to } : row)));
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="mb-1 font-medium text-xs">Roles</legend>
      {rows.length === 0 && <p className="text-muted text-sm">{empty}</p>}
      {rows.map((row, index) => (
        <Row
          key={row.key}
          row={row}
          name={`Role ${index + 1}`}
          roles={roles.includes(row.role) ? roles : [...roles, row.role]}
          read={read}
          onChange={(to) => change(row.key, to)}
          onRemove={() => onChange(rows.filter(({ key }) => key !== row.key))}
        />
      ))}
      {!read.ok && read.sentence && <Callout tone="bad">{read.sentence}</Callout>}
      <div>
        <Button
          size="sm"
          disabled={rows.length >= GRANTS_MAX || roles.length === 0}
          onClick={() => onChange([...rows, newGrantRow(roles[0] ?? 'viewer')])}
        >
          <Plus aria-hidden />
          Add a role
        </Button>
      </div>
    </fieldset>
  );
}

function Row({
  row: { key, role, queues, tenants },
  name,
  roles,
  read,
  onChange,
  onRemove,
}: {
  row: GrantRow;
  name: string;
  roles: readonly Role[];
  read: GrantsRead;
  onChange: (to: Partial<GrantRow>) => void;
  onRemove: () => void;
}) {
  const problems = read.ok ? undefined : read.problems.get(key);
  return (
    <fieldset aria-label={name} className="relative min-w-0 rounded border border-line p-2.5 pr-10">
      <div className="grid items-start gap-2 sm:grid-cols-[11rem_minmax(0,1fr)_minmax(0,1fr)]">
        <Field label="Role">
          {(control) => (
            <Select
              {...control}
              options={roles.map((value) => ({ value, label: ROLE_LABELS[value] }))}
              value={role}
              onChange={({ target }) => onChange({ role: target.value as Role })}
            />
          )}
        </Field>
        <TextField
          label="Queues"
          error={problems?.queues}
          placeholder="all, or mail, billing-*"
          value={queues}
          onChange={({ target }) => onChange({ queues: target.value })}
        />
        <TextField
          label="Tenants"
          error={problems?.tenants}
          placeholder="all, or acme, globex"
          value={tenants}
          onChange={({ target }) => onChange({ tenants: target.value })}
        />
      </div>
      <p className="mt-1.5 text-faint text-xs">{roleHint(role)}</p>
      <IconButton
        label={`Remove ${name.toLowerCase()}`}
        size="sm"
        className="absolute top-1.5 right-1.5"
        onClick={onRemove}
      >
        <X aria-hidden />
      </IconButton>
    </fieldset>
  );
}
