'use client';
import { Button } from '@/components/ui/controls/button';
import { Checkbox } from '@/components/ui/controls/checkbox';
import { Field, TextField } from '@/components/ui/controls/field';
import { IconButton } from '@/components/ui/controls/icon-button';
import { Select } from '@/components/ui/controls/select';
import { Plus, RotateCcw, X } from '@/components/ui/icons';
import { ERROR_CLASS_MEANING } from '@/lib/contract/jobs/error-classes';
import { OVERRIDES_MAX } from '@/lib/contract/queues/queue-limits';
import { CURVES, type CurveChoice, RETRY_CLASSES } from './setting-specs';
import { type NamedRow, NO_RETRY_RULE, type RetryDraft } from './settings-draft';
import { rowEditor, type SettingsEditor } from './use-settings-editor';

/** The retry rule of the queue, and overrides by job type. */
export function RetrySettings({ editor }: { editor: SettingsEditor }) {
  const { draft, set, errors } = editor;
  const rows = draft.retryByType;
  const isSet = JSON.stringify(draft.retry) !== JSON.stringify(NO_RETRY_RULE);
  const { add, change, remove } = rowEditor(rows, (retryByType) => set({ retryByType }));
  return (
    <>
      <section aria-label="Retries" className="mt-4">
        <h3 className="mb-2 flex items-center gap-2 font-medium text-xs">
          Retries
          {isSet && <span className="text-accent">Changed.</span>}
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
          inherits="Worker default: 1 s, doubling, max. 5 m"
          errors={(field) => errors[`retry.${field}`]}
          onChange={(patch) => set({ retry: { ...draft.retry, ...patch } })}
        />
      </section>
      <section aria-label="Job type overrides" className="mt-4">
        <div className="mb-1 flex items-center justify-between gap-3">
          <h3 className="font-medium text-xs">Job type overrides</h3>
          <Button
            size="sm"
            disabled={rows.length >= OVERRIDES_MAX}
            onClick={() => add({ ...NO_RETRY_RULE, name: '' })}
          >
            <Plus aria-hidden />
            Add a job type
          </Button>
        </div>
        {rows.length === 0 ? (
          <p className="rounded border border-line px-3 py-4 text-center text-muted text-sm">
            None: the rule above applies to every job type.
          </p>
        ) : (
          <ul className="divide-y divide-line rounded border border-line">
            {rows.map((row) => (
              <TypeRule
                key={row.row}
                row={row}
                errors={(field) => errors[`retryByType.${row.row}.${field}`]}
                onChange={(patch) => change(row.row, patch)}
                onRemove={() => remove(row.row)}
              />
            ))}
          </ul>
        )}
      </section>
    </>
  );
}

function TypeRule({
  row,
  errors,
  onChange,
  onRemove,
}: {
  row: NamedRow<RetryDraft>;
  errors: (field: string) => string | undefined;
  onChange: (patch: Partial<NamedRow<RetryDraft>>) => void;
  onRemove: () => void;
}) {
  return (
    <li className="space-y-3 px-3 py-2.5">
      <div className="flex items-end gap-2">
        <TextField
          label="Job type"
          error={errors('name')}
          fieldClassName="w-64 max-w-full"
          className="font-mono"
          placeholder="email.send"
          value={row.name}
          onChange={(event) => onChange({ name: event.target.value })}
        />
        <IconButton
          label={`Remove the override for ${row.name.trim() || 'the new job type'}`}
          onClick={onRemove}
          className="ml-auto"
        >
          <X aria-hidden />
        </IconButton>
      </div>
      <RetryFields rule={row} inherits="As set for the queue" errors={errors} onChange={onChange} />
    </li>
  );
}

/** Backoff, attempts and classes of a retry rule. */
function RetryFields({
  rule,
  inherits,
  errors,
  onChange,
}: {
  rule: RetryDraft;
  /** Meaning of the default backoff. */
  inherits: string;
  errors: (field: string) => string | undefined;
  onChange: (patch: Partial<RetryDraft>) => void;
}) {
  const bind = (field: 'base' | 'factor' | 'max' | 'jitter' | 'maxAttempts') => ({
    value: rule[field],
    onChange: (event: { target: { value: string } }) => onChange({ [field]: event.target.value }),
  });
  return (
    <div className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-3 lg:grid-cols-6">
      <Field
        className="col-span-2 sm:col-span-1"
        label="Backoff"
        hint={rule.curve === 'inherit' ? inherits : undefined}
      >
        {(control) => (
          <Select
            {...control}
            options={CURVES}
            value={rule.curve}
            onChange={(event) => onChange({ curve: event.target.value as CurveChoice })}
          />
        )}
      </Field>
      {rule.curve !== 'inherit' && (
        <>
          <TextField
            label={rule.curve === 'fixed' ? 'Delay' : 'First delay'}
            error={errors('baseMs')}
            {...bind('base')}
            placeholder="1s"
          />
          {rule.curve === 'exponential' && (
            <TextField label="Factor" error={errors('factor')} {...bind('factor')} inputMode="decimal" />
          )}
          <TextField
            label="Max. delay"
            hint="Including jitter"
            error={errors('maxMs')}
            {...bind('max')}
            placeholder="5m"
          />
          <TextField
            label="Jitter (max.)"
            hint="Random extra delay"
            error={errors('jitter')}
            {...bind('jitter')}
            placeholder="50%"
          />
        </>
      )}
      <TextField
        label="Max. attempts"
        hint="Caps the producer's value"
        error={errors('maxAttempts')}
        {...bind('maxAttempts')}
        inputMode="numeric"
        placeholder="no cap"
      />
      <fieldset className="col-span-full">
        <legend className="font-medium text-xs">Retry on</legend>
        <div className="flex flex-wrap gap-x-5">
          {RETRY_CLASSES.map((errorClass) => (
            <span key={errorClass} title={ERROR_CLASS_MEANING[errorClass]}>
              <Checkbox
                label={errorClass}
                checked={rule.classes.includes(errorClass)}
                onCheckedChange={(on) =>
                  onChange({
                    classes: RETRY_CLASSES.filter((one) =>
                      one === errorClass ? on : rule.classes.includes(one),
                    ).sort(),
                  })
                }
              />
            </span>
          ))}
        </div>
      </fieldset>
    </div>
  );
}
