'use client';
import { RotateCcw } from 'lucide-react';
import { Field, type FieldControl } from '@/components/ui/field';
import { IconButton } from '@/components/ui/icon-button';
import { Input } from '@/components/ui/input';
import { QUEUE_CONFIG_DEFAULT } from '@/lib/contract/config';
import { scalarText } from './draft';
import { SCALARS, type ScalarKey } from './field-specs';
import type { SettingsEditor } from './use-settings-editor';
import { scalarWords } from './words';

/** One setting with what it means, what it is by default, and the way back to that. */
export function SettingField({
  name,
  editor: { draft, set, errors },
  note,
}: {
  name: ScalarKey;
  editor: SettingsEditor;
  note?: React.ReactNode;
}) {
  const { label, kind, hint, none, unit, example } = SCALARS[name];
  const standard = scalarText(name, QUEUE_CONFIG_DEFAULT[name]);
  const isSet = draft[name].trim() !== standard;
  return (
    <SettingRow
      label={label}
      hint={hint}
      note={note}
      error={errors[name]}
      isSet={isSet}
      standard={scalarWords(name, QUEUE_CONFIG_DEFAULT[name])}
      onReset={() => set({ [name]: standard })}
    >
      {(control) => (
        <UnitInput
          {...control}
          inputMode={kind === 'count' ? 'numeric' : undefined}
          placeholder={none ?? example}
          title={`For example ${example}`}
          unit={unit}
          value={draft[name]}
          onChange={(event) => set({ [name]: event.target.value })}
        />
      )}
    </SettingRow>
  );
}

/** A label, a control, and below it the hint with the default; a mark and a way back when it is set. */
export function SettingRow({
  label,
  hint,
  note,
  error,
  isSet,
  standard,
  onReset,
  children,
}: {
  label: string;
  hint: React.ReactNode;
  note?: React.ReactNode;
  error?: string;
  isSet: boolean;
  /** The default in words. */
  standard: string;
  onReset: () => void;
  children: (control: FieldControl) => React.ReactNode;
}) {
  return (
    <Field
      className="min-w-0"
      label={label}
      error={error}
      hint={
        <>
          {hint} {note}
          <span className="block">
            Default: {standard}.{isSet && <span className="ml-1 font-medium text-accent">Set here.</span>}
          </span>
        </>
      }
    >
      {(control) => (
        <div className="flex items-center gap-1">
          <div className="min-w-0 flex-1">{children(control)}</div>
          <IconButton
            label={`Reset ${label.toLowerCase()} to its default`}
            size="sm"
            className={isSet ? undefined : 'invisible'}
            onClick={onReset}
          >
            <RotateCcw aria-hidden />
          </IconButton>
        </div>
      )}
    </Field>
  );
}

/** An input with its unit behind it. */
export function UnitInput({ unit, ...props }: React.ComponentProps<typeof Input> & { unit?: string }) {
  if (!unit) return <Input {...props} />;
  return (
    <span className="flex items-center gap-2">
      <Input {...props} />
      <span className="shrink-0 text-muted text-xs">{unit}</span>
    </span>
  );
}
