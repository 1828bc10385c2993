'use client';
import { useState } from 'react';
import { Callout } from '@/components/ui/callout';
import { cn } from '@/components/ui/cn';
import { Checkbox } from '@/components/ui/controls/checkbox';
import { Slider } from '@/components/ui/controls/slider';
import { Switch } from '@/components/ui/controls/switch';
import { ChevronDown } from '@/components/ui/icons';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import type { LabSettings } from '@/lib/contract/lab/lab-schemas';
import { LAB_KINDS } from '@/lib/contract/lab/lab-settings';
import { CONTROL_GROUPS, type ControlSpec, nearestStep } from './lab-control-specs';
import type { LabSettingsEditor } from './use-lab';

/** The knob that the page is about: first, also where the others are collapsed. */
const CRASH = CONTROL_GROUPS.flatMap(({ controls }) => controls).find(({ danger }) => danger);

/** All settings of the demo worker, saved on change. Collapsed on a phone, but for crashes. */
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
      {CRASH && <Knob spec={CRASH} settings={settings} fixed={fixed} update={update} />}
      <Switch
        label="Slow reclaim"
        title="Jobs of a dead worker return when their leases expire, as without a supervisor: watch the rings count down"
        checked={settings?.slowReclaim ?? false}
        disabled={!settings || fixed}
        onCheckedChange={(slowReclaim) => update({ slowReclaim })}
      />
      <div className={cn('mt-1.5 gap-x-6 max-xl:grid max-xl:sm:grid-cols-2', !open && 'max-xl:hidden')}>
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
            {controls
              .filter((spec) => spec !== CRASH)
              .map((spec) => (
                <Knob key={spec.key} spec={spec} settings={settings} fixed={fixed} update={update} />
              ))}
          </fieldset>
        ))}
        <KindList
          legend="Kinds of jobs"
          heading="Kinds of jobs"
          name="kinds"
          settings={settings}
          update={update}
        />
        <KindList
          legend="Broken handlers"
          heading="Always fails"
          name="brokenKinds"
          settings={settings}
          update={update}
        />
        <KindList
          legend="Services that are down"
          heading="Service is down"
          name="outageKinds"
          settings={settings}
          update={update}
        />
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

/** The kinds that a setting is about. A bad release or an outage: a re-drive with a canary then stops. */
function KindList({
  legend,
  heading,
  name,
  settings,
  update,
}: KnobProps & { legend: string; heading: string; name: 'kinds' | 'brokenKinds' | 'outageKinds' }) {
  const chosen = settings?.[name] ?? [];
  return (
    <fieldset className="mt-1.5 border-line border-t pt-1.5">
      <legend className="sr-only">{legend}</legend>
      <p aria-hidden className="text-muted text-xs">
        {heading}
      </p>
      <div className="grid gap-x-2 max-xl:grid-cols-2 [&_label]:text-xs">
        {LAB_KINDS.map((kind) => {
          const on = chosen.includes(kind);
          return (
            <Checkbox
              key={kind}
              aria-label={name === 'kinds' ? undefined : `${kind} ${heading.toLowerCase()}`}
              label={kind}
              checked={on}
              // At least one kind of jobs is required.
              disabled={!settings || (name === 'kinds' && on && chosen.length === 1)}
              onCheckedChange={(next) =>
                update({
                  [name]: LAB_KINDS.filter((known) => (known === kind ? next : chosen.includes(known))),
                })
              }
            />
          );
        })}
      </div>
    </fieldset>
  );
}
