'use client';
import { Panel } from '@/components/ui/panel';
import { Segmented } from '@/components/ui/segmented';
import { NO_TENANT_LIMIT } from './draft';
import { RateInputs } from './rate-field';
import { SettingRow, UnitInput } from './setting-field';
import { TenantExceptions } from './tenant-exceptions';
import type { SettingsEditor } from './use-settings-editor';

const FAIR = [
  { value: 'none', label: 'One line for all' },
  { value: 'tenant', label: 'Tenants take turns' },
] as const;

/** How tenants share the queue: turns, a limit for each, and exceptions from it. */
export function TenantsPanel({ editor }: { editor: SettingsEditor }) {
  const { draft, set, errors } = editor;
  const { rate, concurrency } = draft.tenantLimit;
  return (
    <Panel title="Tenants">
      <div className="grid gap-x-5 gap-y-3 sm:grid-cols-2 xl:grid-cols-3">
        <SettingRow
          label="Each tenant at once"
          hint="Jobs of one tenant in flight at once. More of them step aside until one is done."
          standard="no limit"
          isSet={concurrency.trim() !== ''}
          error={errors['tenantLimit.concurrency']}
          onReset={() => set({ tenantLimit: { ...draft.tenantLimit, concurrency: '' } })}
        >
          {(control) => (
            <UnitInput
              {...control}
              inputMode="numeric"
              placeholder="no limit"
              unit="at once"
              value={concurrency}
              onChange={(event) =>
                set({ tenantLimit: { ...draft.tenantLimit, concurrency: event.target.value } })
              }
            />
          )}
        </SettingRow>
        <SettingRow
          label="Rate of each tenant"
          hint="Claims of one tenant."
          standard="no limit"
          isSet={rate.perSecond.trim() !== '' || rate.burst.trim() !== ''}
          error={errors['tenantLimit.rate.perSecond'] ?? errors['tenantLimit.rate.burst']}
          onReset={() => set({ tenantLimit: { ...draft.tenantLimit, rate: { ...NO_TENANT_LIMIT.rate } } })}
        >
          {(control) => (
            <RateInputs
              id={control.id}
              described={control['aria-describedby']}
              label="Rate of each tenant"
              value={rate}
              invalid={{
                perSecond: 'tenantLimit.rate.perSecond' in errors,
                burst: 'tenantLimit.rate.burst' in errors,
              }}
              onChange={(next) => set({ tenantLimit: { ...draft.tenantLimit, rate: next } })}
            />
          )}
        </SettingRow>
        <div className="space-y-1">
          <p className="font-medium text-xs">Fairness</p>
          <Segmented label="Fairness" value={draft.fair} options={FAIR} onChange={(fair) => set({ fair })} />
          <p className="text-faint text-xs">
            With turns a tenant with many jobs cannot make the others wait. Default: one line for all.
            {draft.fair !== 'none' && <span className="ml-1 font-medium text-accent">Set here.</span>}
          </p>
        </div>
      </div>
      <TenantExceptions editor={editor} />
    </Panel>
  );
}
