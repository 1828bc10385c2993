'use client';
import { Flame, RotateCcw } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { cn } from '@/components/ui/cn';
import { IconButton } from '@/components/ui/icon-button';
import { Panel } from '@/components/ui/panel';
import { Slider } from '@/components/ui/slider';
import type { LabSettingsEditor } from '@/lib/client/use-lab';
import { LAB_DEFAULTS, LAB_KINDS, LAB_MAX_WORKERS, type LabSettings } from '@/lib/contract/lab';
import { duration } from '@/lib/format/duration';
import { PRESETS, presetOf } from './presets';

type NumberSetting = {
  [K in keyof LabSettings]: LabSettings[K] extends number ? K : never;
}[keyof LabSettings];
interface Knob {
  key: NumberSetting;
  label: string;
  min?: number;
  max: number;
  step?: number;
  unit?: string;
  format?: (value: number) => string;
}

const FAULTS: readonly Knob[] = [
  { key: 'failPercent', label: 'Failure', max: 100, unit: '%' },
  { key: 'hangPercent', label: 'Hang until timeout', max: 100, unit: '%' },
];
const WORKERS: readonly Knob[] = [
  { key: 'workers', label: 'Workers', max: LAB_MAX_WORKERS },
  { key: 'concurrency', label: 'Jobs at once, each', min: 1, max: 20 },
  { key: 'runTimeMs', label: 'Run time, mean', max: 10_000, step: 50, format: duration },
  { key: 'runTimeSpreadPercent', label: 'Run time, spread', max: 100, unit: '%' },
  { key: 'leaseMs', label: 'Lease', min: 1_000, max: 60_000, step: 1_000, format: duration },
];
const TRAFFIC: readonly Knob[] = [
  { key: 'trafficPerSecond', label: 'Jobs a second', max: 200 },
  { key: 'delayedPercent', label: 'Scheduled ahead', max: 100, unit: '%' },
  { key: 'prioritisedPercent', label: 'With a priority', max: 100, unit: '%' },
  { key: 'tenants', label: 'Tenants', min: 1, max: 50 },
  { key: 'maxAttempts', label: 'Attempts, at most', min: 1, max: 50 },
];

/** Everything that can be set, live: no process is restarted for it. */
export function ControlsPanel({ editor, settings }: { editor: LabSettingsEditor; settings: LabSettings }) {
  const preset = presetOf(settings);
  return (
    <Panel
      title="Settings"
      aside={
        <>
          <span aria-live="polite">
            {editor.error ? (
              <span className="text-bad">{editor.error.detail}</span>
            ) : editor.saving ? (
              'saving'
            ) : (
              'live'
            )}
          </span>
          <IconButton label="Back to the defaults" size="sm" onClick={() => editor.update(LAB_DEFAULTS)}>
            <RotateCcw />
          </IconButton>
        </>
      }
    >
      <fieldset className="mb-3 grid grid-cols-2 gap-1.5" aria-label="Presets">
        {PRESETS.map(({ name, what, settings: wanted }) => (
          <Button
            key={name}
            size="sm"
            title={what}
            aria-pressed={preset === name}
            onClick={() => editor.update(wanted)}
            className={cn('min-w-0 justify-center px-1.5', preset === name && 'border-accent text-accent')}
          >
            <span className="truncate">{name}</span>
          </Button>
        ))}
      </fieldset>
      <div
        className="mb-2 rounded-md border border-bad/45 bg-soft-bad px-2.5 pt-1.5 pb-0.5"
        style={{ '--accent-solid': 'var(--bad-solid)' } as React.CSSProperties}
      >
        <Knobs
          knobs={[{ key: 'crashPercent', label: 'Crash', max: 100, unit: '%' }]}
          editor={editor}
          settings={settings}
        />
        <p className="flex items-start gap-1 pb-1.5 text-muted text-xs">
          <Flame aria-hidden className="mt-0.5 size-3 shrink-0 text-bad" />
          The process really kills itself with SIGKILL, mid-job.
        </p>
      </div>
      <Knobs knobs={FAULTS} editor={editor} settings={settings} />
      <Heading>Processes</Heading>
      <Knobs knobs={WORKERS} editor={editor} settings={settings} />
      <Heading>Traffic</Heading>
      <Knobs knobs={TRAFFIC} editor={editor} settings={settings} />
      <fieldset className="mt-1 grid grid-cols-2 gap-x-2 [&_label]:text-xs" aria-label="Kinds of job">
        {LAB_KINDS.map((kind) => {
          const on = settings.kinds.includes(kind);
          const last = on && settings.kinds.length === 1;
          return (
            <Checkbox
              key={kind}
              label={kind}
              checked={on}
              disabled={last}
              title={last ? 'Keep at least one kind' : undefined}
              onCheckedChange={(checked) =>
                editor.update({
                  kinds: LAB_KINDS.filter((k) => (k === kind ? checked : settings.kinds.includes(k))),
                })
              }
            />
          );
        })}
      </fieldset>
    </Panel>
  );
}

function Heading({ children }: { children: React.ReactNode }) {
  return <h3 className="mt-2 mb-1 border-line border-t pt-2 font-medium text-xs">{children}</h3>;
}

function Knobs({
  knobs,
  editor,
  settings,
}: {
  knobs: readonly Knob[];
  editor: LabSettingsEditor;
  settings: LabSettings;
}) {
  return knobs.map(({ key, label, min = 0, max, step = 1, unit, format }) => (
    <Slider
      key={key}
      label={label}
      value={settings[key]}
      min={min}
      max={max}
      step={step}
      unit={unit}
      format={format}
      onChange={(value) => editor.update({ [key]: value })}
      className="[&_[data-orientation]]:h-5"
    />
  ));
}
