'use client';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { Callout } from '@/components/ui/callout';
import { cn } from '@/components/ui/cn';
import { Checkbox } from '@/components/ui/controls/checkbox';
import { Slider } from '@/components/ui/controls/slider';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import type { LabSettingsEditor } from '@/lib/browser/use-lab';
import type { LabSettings } from '@/lib/contract/lab/lab-schemas';
import { LAB_KINDS } from '@/lib/contract/lab/lab-settings';
import { CONTROL_GROUPS, type ControlSpec, nearestStep } from './lab-control-specs';

/** All settings of the demo worker, saved on change. Collapsed on a phone. */
export function LabControls({ editor, fixed }: { editor: LabSettingsEditor; fixed: boolean }) {
  const { settings, update, saving, error } = editor;
  const [open, setOpen] = useState(false);
  return (
    <Panel
      className="xl:self-start"
      title={
        <>
          <span className="max-xl:hidden">Controls</span>
          <button
            type="button"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className="inline-flex h-7 items-center gap-1 xl:hidden"
          >
            <ChevronDown aria-hidden className={cn('size-4', !open && '-rotate-90')} />
            Controls
          </button>
        </>
      }
      aside={
        <span role="status">
          {fixed ? 'read-only' : saving ? 'saving…' : error ? 'not saved' : 'saved automatically'}
        </span>
      }
    >
      <div className={cn('gap-x-6 max-xl:grid max-xl:sm:grid-cols-2', !open && 'max-xl:hidden')}>
        {error && (
          <Callout tone="bad" title="Not saved" className="mb-2">
            {error.detail}
          </Callout>
        )}
        {CONTROL_GROUPS.map(({ title, controls }) => (
          <fieldset
            key={title}
            className="mb-1.5 border-line [&:not(:first-of-type)]:border-t [&:not(:first-of-type)]:pt-1.5"
          >
            <legend className="sr-only">{title}</legend>
            {controls.map((spec) => (
              <Knob key={spec.key} spec={spec} settings={settings} fixed={fixed} update={update} />
            ))}
          </fieldset>
        ))}
        <Kinds settings={settings} update={update} />
        <BrokenKinds settings={settings} update={update} />
      </div>
    </Panel>
  );
}

type KnobProps = { settings: LabSettings | null; update: LabSettingsEditor['update'] };

function Knob({ spec, settings, fixed, update }: KnobProps & { spec: ControlSpec; fixed: boolean }) {
  const { key, label, min = 0, max = 100, unit, steps, format, hint, danger } = spec;
  if (!settings) return <Skeleton className="my-3.5 h-3 w-full" />;
  const value = settings[key];
  const look = cn(hint && 'mb-1.5', danger && '[--accent-solid:var(--bad-solid)] [&_output]:text-bad');
  if (!steps) {
    return (
      <Slider
        label={label}
        value={value}
        min={min}
        max={max}
        unit={unit}
        format={format}
        hint={hint}
        className={look}
        disabled={fixed}
        onChange={(next) => update({ [key]: next })}
      />
    );
  }
  return (
    <Slider
      label={label}
      value={nearestStep(steps, value)}
      max={steps.length - 1}
      // The exact value may lie between two steps when it was set elsewhere.
      format={(i) => (format ?? String)(i === nearestStep(steps, value) ? value : (steps[i] ?? value))}
      className={look}
      disabled={fixed}
      onChange={(i) => update({ [key]: steps[i] ?? value })}
    />
  );
}

function Kinds({ settings, update }: KnobProps) {
  const kinds = settings?.kinds ?? [];
  return (
    <fieldset className="border-line border-t pt-1.5">
      <legend className="sr-only">Kinds of jobs</legend>
      <div className="grid gap-x-2 max-xl:grid-cols-2 [&_label]:text-xs">
        {LAB_KINDS.map((kind) => {
          const on = kinds.includes(kind);
          return (
            <Checkbox
              key={kind}
              label={kind}
              checked={on}
              // At least one kind is required.
              disabled={!settings || (on && kinds.length === 1)}
              onCheckedChange={(next) =>
                update({
                  kinds: LAB_KINDS.filter((known) => (known === kind ? next : kinds.includes(known))),
                })
              }
            />
          );
        })}
      </div>
    </fieldset>
  );
}

/** Simulates a bad release: every run of the chosen handlers fails. A re-drive with a canary then stops. */
function BrokenKinds({ settings, update }: KnobProps) {
  const broken = settings?.brokenKinds ?? [];
  return (
    <fieldset className="mt-1.5 border-line border-t pt-1.5">
      <legend className="sr-only">Broken handlers</legend>
      <p aria-hidden className="text-muted text-xs">
        Always fails
      </p>
      <div className="grid gap-x-2 max-xl:grid-cols-2 [&_label]:text-xs">
        {LAB_KINDS.map((kind) => (
          <Checkbox
            key={kind}
            aria-label={`${kind} always fails`}
            label={kind}
            checked={broken.includes(kind)}
            disabled={!settings}
            onCheckedChange={(next) =>
              update({
                brokenKinds: LAB_KINDS.filter((known) => (known === kind ? next : broken.includes(known))),
              })
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
