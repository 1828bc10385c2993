'use client';
import { Field, type FieldControl } from '@/components/ui/controls/field';
import { IconButton } from '@/components/ui/controls/icon-button';
import { Input } from '@/components/ui/controls/input';
import { Segmented } from '@/components/ui/controls/segmented';
import { Switch } from '@/components/ui/controls/switch';
import { RotateCcw } from '@/components/ui/icons';
import { Panel } from '@/components/ui/panel';
import { QUEUE_CONFIG_DEFAULT } from '@/lib/contract/queues/queue-config-default';
import { parseRate } from '@/lib/format/parse-units';
import { scalarLabel } from './labels';
import { defaultBurst } from './read-settings-draft';
import { FIELDS, type FieldName, SCALARS, type ScalarKey } from './setting-specs';
import { type RateDraft, toDraft } from './settings-draft';
import type { SettingsEditor } from './use-settings-editor';

const DEFAULT_DRAFT = toDraft(QUEUE_CONFIG_DEFAULT);

/** A panel of fields of the settings table. */
export function FieldsPanel({
  title,
  names,
  editor,
  notes = {},
  className = 'xl:grid-cols-3',
  children,
}: {
  title: string;
  names: readonly FieldName[];
  editor: SettingsEditor;
  notes?: Partial<Record<FieldName, React.ReactNode>>;
  className?: string;
  children?: React.ReactNode;
}) {
  return (
    <Panel title={title}>
      <div className={`grid gap-x-5 gap-y-3 sm:grid-cols-2 ${className}`}>
        {names.map((name) => (
          <SettingField key={name} name={name} editor={editor} note={notes[name]} />
        ))}
      </div>
      {children}
    </Panel>
  );
}

type Value = string | boolean | RateDraft;

const isScalar = (name: FieldName): name is ScalarKey => Object.hasOwn(SCALARS, name);

/** One setting: label, control, hint, default, and a reset button when it was changed. */
function SettingField({
  name,
  editor: { draft, set, errors },
  note,
}: {
  name: FieldName;
  editor: SettingsEditor;
  note?: React.ReactNode;
}) {
  const { label, hint, none } = FIELDS[name];
  const standard = DEFAULT_DRAFT[name];
  const value = draft[name];
  const isChanged = trimmed(value) !== trimmed(standard);
  const change = (next: Value) => set({ [name]: next });
  return (
    <Field
      className="min-w-0"
      label={label}
      error={errors[name] ?? errors[`${name}.perSecond`] ?? errors[`${name}.burst`]}
      hint={
        <>
          {hint} {note}
          <span className="block">
            Default: {isScalar(name) ? scalarLabel(name, QUEUE_CONFIG_DEFAULT[name]) : none}.
            {isChanged && <span className="ml-1 font-medium text-accent">Changed.</span>}
          </span>
        </>
      }
    >
      {(control) => (
        <div className="flex items-center gap-1">
          <div className="min-w-0 flex-1">
            <SettingControl name={name} value={value} errors={errors} control={control} onChange={change} />
          </div>
          <IconButton
            label={`Reset ${label.toLowerCase()} to its default`}
            size="sm"
            className={isChanged ? undefined : 'invisible'}
            onClick={() => change(standard)}
          >
            <RotateCcw aria-hidden />
          </IconButton>
        </div>
      )}
    </Field>
  );
}

const trimmed = (value: Value): string =>
  typeof value === 'object' ? `${value.perSecond.trim()} ${value.burst.trim()}` : String(value).trim();

function SettingControl({
  name,
  value,
  errors,
  control,
  onChange,
}: {
  name: FieldName;
  value: Value;
  errors: SettingsEditor['errors'];
  control: FieldControl;
  onChange: (value: Value) => void;
}) {
  const spec = FIELDS[name];
  if (typeof value === 'boolean')
    return (
      <Switch
        id={control.id}
        aria-describedby={control['aria-describedby']}
        checked={value}
        onCheckedChange={onChange}
      />
    );
  if (typeof value === 'object')
    return (
      <RateInputs
        id={control.id}
        described={control['aria-describedby']}
        label={spec.label}
        value={value}
        invalid={{ perSecond: `${name}.perSecond` in errors, burst: `${name}.burst` in errors }}
        onChange={onChange}
      />
    );
  if ('options' in spec && spec.options)
    return <Segmented label={spec.label} value={value} options={spec.options} onChange={onChange} />;
  return (
    <span className="flex items-center gap-2">
      <Input
        {...control}
        inputMode={spec.kind === 'count' ? 'numeric' : undefined}
        placeholder={spec.none ?? spec.example}
        title={`For example ${spec.example}`}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {spec.unit && <span className="shrink-0 text-muted text-xs">{spec.unit}</span>}
    </span>
  );
}

/** A rate and its burst: two inputs that are one setting. */
export function RateInputs({
  label,
  value,
  invalid,
  described,
  id,
  onChange,
}: {
  label: string;
  value: RateDraft;
  invalid: { perSecond: boolean; burst: boolean };
  id?: string;
  described?: string;
  onChange: (value: RateDraft) => void;
}) {
  const perSecond = parseRate(value.perSecond);
  return (
    <span className="flex items-center gap-2">
      <Input
        id={id}
        aria-label={id ? undefined : `${label}, jobs a second`}
        aria-describedby={described}
        aria-invalid={invalid.perSecond || undefined}
        placeholder="no limit"
        title="For example 10/s, 90/min or 5/h"
        value={value.perSecond}
        onChange={(event) => onChange({ ...value, perSecond: event.target.value })}
      />
      <span className="shrink-0 text-muted text-xs">burst</span>
      <Input
        className="w-20 shrink-0"
        aria-label={`${label}, burst`}
        aria-invalid={invalid.burst || undefined}
        inputMode="numeric"
        placeholder={perSecond === undefined ? '' : String(defaultBurst(perSecond))}
        title="Max. claims at once after an idle period"
        value={value.burst}
        onChange={(event) => onChange({ ...value, burst: event.target.value })}
      />
    </span>
  );
}
