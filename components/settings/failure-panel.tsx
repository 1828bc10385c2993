'use client';
import { Plus, RotateCcw, X } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { IconButton } from '@/components/ui/icon-button';
import { Input } from '@/components/ui/input';
import { Panel } from '@/components/ui/panel';
import { newKey } from '@/lib/client/intent';
import { OVERRIDES_MAX } from '@/lib/contract/config';
import { type Named, NO_RETRY_RULE, type RetryDraft } from './draft';
import { RetryFields } from './retry-fields';
import { SettingField } from './setting-field';
import type { SettingsEditor } from './use-settings-editor';

/** What becomes of a job whose run failed: for the queue, and for single job types. */
export function FailurePanel({ editor }: { editor: SettingsEditor }) {
  const { draft, set, errors } = editor;
  const rows = draft.retryByType;
  const isSet = JSON.stringify(draft.retry) !== JSON.stringify(NO_RETRY_RULE);
  const change = (row: string, patch: Partial<Named<RetryDraft>>) =>
    set({ retryByType: rows.map((one) => (one.row === row ? { ...one, ...patch } : one)) });
  return (
    <Panel title="Failure">
      <div className="grid gap-x-5 gap-y-3 sm:grid-cols-2 xl:grid-cols-3">
        <SettingField name="maxDeliveries" editor={editor} />
      </div>
      <section aria-label="Retries" className="mt-4">
        <h3 className="mb-2 flex items-center gap-2 font-medium text-xs">
          Retries
          {isSet && <span className="text-accent">Set here.</span>}
          <IconButton
            label="Reset retries to their default"
            size="sm"
            className={isSet ? undefined : 'invisible'}
            onClick={() => set({ retry: { ...NO_RETRY_RULE } })}
          >
            <RotateCcw aria-hidden />
          </IconButton>
        </h3>
        <RetryFields
          rule={draft.retry}
          inherits="The worker's own rule: 1 s, doubling, at most 5 m"
          errors={(field) => errors[`retry.${field}`]}
          onChange={(patch) => set({ retry: { ...draft.retry, ...patch } })}
        />
      </section>
      <section aria-label="Exceptions for single job types" className="mt-4">
        <div className="mb-1 flex items-center justify-between gap-3">
          <h3 className="font-medium text-xs">Exceptions for single job types</h3>
          <Button
            size="sm"
            disabled={rows.length >= OVERRIDES_MAX}
            onClick={() => set({ retryByType: [...rows, { ...NO_RETRY_RULE, row: newKey(), name: '' }] })}
          >
            <Plus aria-hidden />
            Add a job type
          </Button>
        </div>
        {rows.length === 0 ? (
          <p className="rounded border border-line px-3 py-4 text-center text-muted text-sm">
            None: every job type follows the rule above.
          </p>
        ) : (
          <ul className="divide-y divide-line rounded border border-line">
            {rows.map((row) => (
              <TypeRule
                key={row.row}
                row={row}
                errors={(field) => errors[`retryByType.${row.row}.${field}`]}
                onChange={(patch) => change(row.row, patch)}
                onRemove={() => set({ retryByType: rows.filter((one) => one !== row) })}
              />
            ))}
          </ul>
        )}
      </section>
    </Panel>
  );
}

function TypeRule({
  row,
  errors,
  onChange,
  onRemove,
}: {
  row: Named<RetryDraft>;
  errors: (field: string) => string | undefined;
  onChange: (patch: Partial<Named<RetryDraft>>) => void;
  onRemove: () => void;
}) {
  return (
    <li className="space-y-3 px-3 py-2.5">
      <div className="flex items-end gap-2">
        <Field label="Job type" error={errors('name')} className="w-64 max-w-full">
          {(control) => (
            <Input
              {...control}
              className="font-mono"
              placeholder="email.send"
              value={row.name}
              onChange={(event) => onChange({ name: event.target.value })}
            />
          )}
        </Field>
        <IconButton
          label={`Remove the exception for ${row.name.trim() || 'the new job type'}`}
          onClick={onRemove}
          className="ml-auto"
        >
          <X aria-hidden />
        </IconButton>
      </div>
      <RetryFields rule={row} inherits="The queue's" errors={errors} onChange={onChange} />
    </li>
  );
}
