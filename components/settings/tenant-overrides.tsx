'use client';
import { Button } from '@/components/ui/controls/button';
import { IconButton } from '@/components/ui/controls/icon-button';
import { Input } from '@/components/ui/controls/input';
import { Plus, X } from '@/components/ui/icons';
import { FullRow, Table, TBody, Td, THead, Th, Tr } from '@/components/ui/tables/table';
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
      <div className="rounded border border-line">
        <Table label="Tenant overrides" className="min-w-[34rem]">
          <THead>
            <tr>
              <Th>Tenant</Th>
              <Th>Concurrency</Th>
              <Th>Rate</Th>
              <Th fit>
                <span className="sr-only">Remove</span>
              </Th>
            </tr>
          </THead>
          <TBody>
            {rows.map((row) => (
              <TenantRow
                key={row.row}
                row={row}
                errors={(field) => errors[`tenantLimits.${row.row}.${field}`]}
                onChange={(patch) => change(row.row, patch)}
                onRemove={() => remove(row.row)}
              />
            ))}
          </TBody>
          {rows.length === 0 && <FullRow>None: every tenant has the limit above.</FullRow>}
        </Table>
      </div>
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
    <>
      <Tr>
        <Td className="border-b-0 py-1.5 align-top">
          <Input
            className="max-w-80 font-mono"
            aria-label="Tenant"
            aria-invalid={errors('name') ? true : undefined}
            aria-describedby={wrong.length > 0 ? noteId : undefined}
            placeholder="acme"
            value={row.name}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        </Td>
        <Td className="w-28 border-b-0 py-1.5 align-top">
          <Input
            aria-label={`Concurrency of ${who}`}
            aria-invalid={errors('concurrency') ? true : undefined}
            inputMode="numeric"
            placeholder="no limit"
            value={row.concurrency}
            onChange={(event) => onChange({ concurrency: event.target.value })}
          />
        </Td>
        <Td className="w-72 border-b-0 py-1.5 align-top">
          <RateInputs
            label={`Rate of ${who}`}
            value={row.rate}
            invalid={{ perSecond: !!errors('rate.perSecond'), burst: !!errors('rate.burst') }}
            onChange={(rate) => onChange({ rate })}
          />
        </Td>
        <Td fit className="border-b-0 py-1.5 align-top">
          <IconButton label={`Remove ${who}`} size="sm" onClick={onRemove}>
            <X aria-hidden />
          </IconButton>
        </Td>
      </Tr>
      {wrong.length > 0 && (
        <tr>
          <td colSpan={4} id={noteId} role="alert" className="px-3 pb-1.5 text-bad text-xs">
            {wrong.join('; ')}
          </td>
        </tr>
      )}
    </>
  );
}

const WORDS = {
  name: 'The name',
  concurrency: 'The concurrency',
  'rate.perSecond': 'The rate',
  'rate.burst': 'The burst',
} as const;
