'use client';
import { Checkbox } from '@/components/ui/checkbox';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { CLASS_MEANING } from '@/lib/contract/failures';
import type { RetryDraft } from './draft';
import { CURVES, type CurveChoice, RETRY_CLASSES } from './field-specs';
import { UnitInput } from './setting-field';

/** How a failure is tried again: the wait, how often, and after which kinds of failure. */
export function RetryFields({
  rule,
  inherits,
  errors,
  onChange,
}: {
  rule: RetryDraft;
  /** What "not set here" means for the wait. */
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
        label="Wait grows"
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
          <Field label={rule.curve === 'fixed' ? 'Wait' : 'First wait'} error={errors('baseMs')}>
            {(control) => <UnitInput {...control} {...bind('base')} placeholder="1s" />}
          </Field>
          {rule.curve === 'exponential' && (
            <Field label="Times longer" error={errors('factor')}>
              {(control) => <UnitInput {...control} {...bind('factor')} inputMode="decimal" />}
            </Field>
          )}
          <Field label="Longest wait" hint="Chance included" error={errors('maxMs')}>
            {(control) => <UnitInput {...control} {...bind('max')} placeholder="5m" />}
          </Field>
          <Field label="By chance" hint="So much longer at most" error={errors('jitter')}>
            {(control) => <UnitInput {...control} {...bind('jitter')} placeholder="50%" />}
          </Field>
        </>
      )}
      <Field label="Attempts at most" hint="Caps what producers ask for" error={errors('maxAttempts')}>
        {(control) => (
          <UnitInput {...control} {...bind('maxAttempts')} inputMode="numeric" placeholder="theirs" />
        )}
      </Field>
      <fieldset className="col-span-full">
        <legend className="font-medium text-xs">Tried again after</legend>
        <div className="flex flex-wrap gap-x-5">
          {RETRY_CLASSES.map((errorClass) => (
            <span key={errorClass} title={CLASS_MEANING[errorClass]}>
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
