'use client';
import { Field, TextField } from '@/components/ui/controls/field';
import { Input } from '@/components/ui/controls/input';
import { Segmented } from '@/components/ui/controls/segmented';
import { Select } from '@/components/ui/controls/select';
import { timeZoneNames } from '@/components/ui/text/time-zone-choice';
import type { ContractForm } from '@/lib/browser/api/use-contract-form';
import { type ScheduleForm, UNITS } from './schedule-form';

export interface FieldsProps {
  form: ContractForm<ScheduleForm>;
}

const KINDS = [
  { value: 'cron', label: 'Cron' },
  { value: 'every', label: 'Interval' },
] as const;

/** Cron expression with time zone or interval, start and end date. */
export function TimingFields({ form: { field, register, problem, watch, setValue } }: FieldsProps) {
  const kind = watch('kind');
  return (
    <>
      <div className="sm:col-span-2">
        <Segmented
          label="Kind of schedule"
          value={kind}
          options={KINDS}
          onChange={(next) => setValue('kind', next)}
        />
      </div>
      {kind === 'cron' ? (
        <>
          <TextField
            label="Cron expression"
            hint="Minute, hour, day of month, month, day of week"
            className="font-mono"
            {...field('cron')}
          />
          <Field label="Time zone" hint="Such as Europe/Berlin, or UTC" error={problem('timeZone')}>
            {(control) => (
              <>
                <Input {...control} {...register('timeZone')} list="schedule-zones" />
                <datalist id="schedule-zones">
                  {timeZoneNames().map((zone) => (
                    <option key={zone} value={zone} />
                  ))}
                </datalist>
              </>
            )}
          </Field>
        </>
      ) : (
        <>
          <TextField
            label="Every"
            hint="Multiples since 1970, so runs do not drift"
            inputMode="decimal"
            {...field('every')}
          />
          <Field label="Unit">
            {(control) => <Select {...control} {...register('unitMs')} options={UNITS} />}
          </Field>
        </>
      )}
      <TextField
        label="Start date (optional)"
        hint={`In ${watch('boundsZone')}`}
        type="datetime-local"
        {...field('startAt')}
      />
      <TextField
        label="End date (optional)"
        hint={`In ${watch('boundsZone')}`}
        type="datetime-local"
        {...field('endAt')}
      />
    </>
  );
}
