'use client';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Segmented } from '@/components/ui/segmented';
import { Select } from '@/components/ui/select';
import { type ScheduleForm, UNITS } from './schedule-form';

export interface FieldsProps {
  form: ScheduleForm;
  set: (patch: Partial<ScheduleForm>) => void;
  problem: (field: keyof ScheduleForm) => string | undefined;
}

const KINDS = [
  { value: 'cron', label: 'By the clock' },
  { value: 'every', label: 'Every so often' },
] as const;

/** When: by cron expression in a time zone, or every so often; and from when until when. */
export function TimingFields({ form, set, problem }: FieldsProps) {
  return (
    <>
      <div className="sm:col-span-2">
        <Segmented
          label="Kind of schedule"
          value={form.kind}
          options={KINDS}
          onChange={(kind) => set({ kind })}
        />
      </div>
      {form.kind === 'cron' ? (
        <>
          <Field
            label="Cron expression"
            hint="Minute, hour, day of month, month, day of week"
            error={problem('cron')}
          >
            {(control) => (
              <Input
                {...control}
                className="font-mono"
                value={form.cron}
                onChange={(event) => set({ cron: event.target.value })}
              />
            )}
          </Field>
          <Field label="Time zone" hint="Such as Europe/Berlin, or UTC" error={problem('timeZone')}>
            {(control) => (
              <>
                <Input
                  {...control}
                  list="schedule-zones"
                  value={form.timeZone}
                  onChange={(event) => set({ timeZone: event.target.value })}
                />
                <datalist id="schedule-zones">
                  {zones().map((zone) => (
                    <option key={zone} value={zone} />
                  ))}
                </datalist>
              </>
            )}
          </Field>
        </>
      ) : (
        <>
          <Field label="Every" hint="Counted from 1970, so it never drifts" error={problem('every')}>
            {(control) => (
              <Input
                {...control}
                inputMode="decimal"
                value={form.every}
                onChange={(event) => set({ every: event.target.value })}
              />
            )}
          </Field>
          <Field label="Unit">
            {(control) => (
              <Select
                {...control}
                options={UNITS}
                value={form.unitMs}
                onChange={(event) => set({ unitMs: event.target.value })}
              />
            )}
          </Field>
        </>
      )}
      <Field label="Not before (optional)" hint="In your own time zone" error={problem('startAt')}>
        {(control) => (
          <Input
            {...control}
            type="datetime-local"
            value={form.startAt}
            onChange={(event) => set({ startAt: event.target.value })}
          />
        )}
      </Field>
      <Field label="Not after (optional)" hint="In your own time zone" error={problem('endAt')}>
        {(control) => (
          <Input
            {...control}
            type="datetime-local"
            value={form.endAt}
            onChange={(event) => set({ endAt: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}

/** Those the browser knows; UTC is not always among them. */
function zones(): readonly string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
}
