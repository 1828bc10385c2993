'use client';
import type { ReactNode } from 'react';
import { cn } from '@/components/ui/cn';
import { Button } from '@/components/ui/controls/button';
import { IconButton } from '@/components/ui/controls/icon-button';
import { Input } from '@/components/ui/controls/input';
import { Plus, X } from '@/components/ui/icons';
import { OVERRIDES_MAX } from '@/lib/contract/queues/queue-limits';
import { RateInputs } from './setting-field';
import { type NamedRow, NO_TENANT_LIMIT, type TenantDraft } from './settings-draft';
import { rowEditor, type SettingsEditor } from './use-settings-editor';

/** Limits of single tenants, one row each. */
export function TenantOverrides({ editor: { draft, set, errors } }: { editor: SettingsEditor }) {
  const rows = draft.tenantLimits;
  const { add, change, remove } = rowEditor(rows, (tenantLimits) => set({ tenantLimits }));
  return (
    <div className="mt-4">
      <div className="mb-1 flex items-center justify-between gap-3">
        <h3 className="font-medium text-xs">Tenant overrides</h3>
        <Button
          size="sm"
          disabled={rows.length >= OVERRIDES_MAX}
          onClick={() => add({ ...NO_TENANT_LIMIT, name: '' })}
        >
          <Plus aria-hidden />
          Add a tenant
        </Button>
      </div>
      {rows.length === 0 ? (
        <p className="rounded border border-line px-3 py-4 text-center text-muted text-sm">
          None: every tenant has the limit above.
        </p>
      ) : (
        <ul aria-label="Tenant overrides" className="divide-y divide-line rounded border border-line">
          {rows.map((row) => (
            <TenantRow
              key={row.row}
              row={row}
              errors={(field) => errors[`tenantLimits.${row.row}.${field}`]}
              onChange={(patch) => change(row.row, patch)}
              onRemove={() => remove(row.row)}
            />
          ))}
        </ul>
      )}
      {rows.length > 0 && (
        <p className="mt-1 text-faint text-xs">An empty field means no limit for that tenant.</p>
      )}
    </div>
  );
}

function TenantRow({
  row,
  errors,
  onChange,
  onRemove,
}: {
  row: NamedRow<TenantDraft>;
  errors: (field: string) => string | undefined;
  onChange: (patch: Partial<NamedRow<TenantDraft>>) => void;
  onRemove: () => void;
}) {
  const who = row.name.trim() || 'new tenant';
  const wrong = ['name', 'concurrency', 'rate.perSecond', 'rate.burst'].flatMap((field) => {
    const message = errors(field);
    return message ? [`${WORDS[field as keyof typeof WORDS]} ${message}`] : [];
  });
  const noteId = `tenant-${row.row}-error`;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-x-3 gap-y-2 px-3 py-2 sm:grid-cols-[minmax(0,1fr)_7rem_18rem_auto]">
      <Cell head="Tenant">
        <Input
          className="font-mono sm:max-w-80"
          aria-label="Tenant"
          aria-invalid={errors('name') ? true : undefined}
          aria-describedby={wrong.length > 0 ? noteId : undefined}
          placeholder="acme"
          value={row.name}
          onChange={(event) => onChange({ name: event.target.value })}
        />
      </Cell>
      <Cell head="Concurrency" className="max-sm:order-1 max-sm:col-span-2">
        <Input
          aria-label={`Concurrency of ${who}`}
          aria-invalid={errors('concurrency') ? true : undefined}
          inputMode="numeric"
          placeholder="no limit"
          value={row.concurrency}
          onChange={(event) => onChange({ concurrency: event.target.value })}
        />
      </Cell>
      <Cell head="Rate" className="max-sm:order-1 max-sm:col-span-2">
        <RateInputs
          label={`Rate of ${who}`}
          value={row.rate}
          invalid={{ perSecond: !!errors('rate.perSecond'), burst: !!errors('rate.burst') }}
          onChange={(rate) => onChange({ rate })}
        />
      </Cell>
      <IconButton label={`Remove ${who}`} onClick={onRemove}>
        <X aria-hidden />
      </IconButton>
      {wrong.length > 0 && (
        <p id={noteId} role="alert" className="order-2 col-span-full text-bad text-xs">
          {wrong.join('; ')}
        </p>
      )}
    </li>
  );
}

/** The controls name themselves, with their tenant. */
const Cell = ({ head, className, children }: { head: string; className?: string; children: ReactNode }) => (
  <div className={cn('min-w-0', className)}>
    <span aria-hidden className="mb-0.5 block font-medium text-xs">
      {head}
    </span>
    {children}
  </div>
);

const WORDS = {
  name: 'The name',
  concurrency: 'The concurrency',
  'rate.perSecond': 'The rate',
  'rate.burst': 'The burst',
} as const;
