'use client';
import { useFormContext } from 'react-hook-form';
import { RateFields } from '@/components/operations/rate-form';
import { TextField } from '@/components/ui/controls/field';
import { Switch } from '@/components/ui/controls/switch';
import { RERUNS } from '@/lib/contract/operations/operation-kinds';
import type { Preview } from '@/lib/contract/operations/operation-preview';
import { KIND_LABELS } from '@/lib/contract/operations/operation-text';
import { count as counted } from '@/lib/format/plural';
import { type ExecutionProblems, safetySettingsOf, type WizardDraft } from './wizard-draft';

/** Rate, canary and automatic stop. */
export function RateStep({ preview, problems }: { preview: Preview; problems: ExecutionProblems }) {
  const { setValue, watch } = useFormContext<WizardDraft>();
  const draft = watch();
  const { rate } = safetySettingsOf(draft, preview);
  const limited = preview.advice.find((entry) => entry.class === 'rate-limited');
  return (
    <div className="grid gap-5">
      <section className="grid gap-1.5">
        <h4 className="font-medium text-sm">
          Rate <span className="font-normal text-faint text-xs">can be changed while it runs</span>
        </h4>
        <RateFields rate={rate} onChange={(next) => setValue('rate', next)} error={problems.rate} />
        {limited && rate.mode === 'fast' && (
          <p className="text-warn text-xs">
            {limited.count === preview.count ? 'These jobs' : 'Some of these jobs'} died because of a rate
            limit: choose a fixed rate.
          </p>
        )}
      </section>
      {RERUNS.has(draft.kind) && <SafetyFields preview={preview} problems={problems} />}
    </div>
  );
}

/** The fields follow the defaults of the preview until the user changes them. */
function SafetyFields({ preview, problems }: { preview: Preview; problems: ExecutionProblems }) {
  const { setValue, watch } = useFormContext<WizardDraft>();
  const draft = watch();
  const { rate, canary, stop, note } = safetySettingsOf(draft, preview);
  const field = (
    name: 'canaryJobs' | 'canaryPercent' | 'canaryWait' | 'stopPercent' | 'stopWindow',
    label: string,
    value: string,
  ) => (
    <TextField
      label={label}
      error={problems[name]}
      fieldClassName="w-56 max-sm:w-full"
      className="w-24"
      value={value}
      onChange={({ target }) => setValue(name, target.value)}
    />
  );
  return (
    <>
      <section className="grid gap-2">
        <Switch
          label={<span className="font-medium">Canary batch</span>}
          checked={canary.on}
          onCheckedChange={(on) => setValue('canaryOn', on)}
        />
        {note && <p className="text-muted text-xs">{note}</p>}
        {canary.on ? (
          <div className="flex flex-wrap items-start gap-3">
            {field('canaryJobs', 'Canary jobs', canary.jobs)}
            {field('canaryPercent', 'Max. failure rate (%)', canary.percent)}
            {field('canaryWait', 'Canary timeout', draft.canaryWait)}
            <p className="w-full text-faint text-xs">
              The rest follows automatically if the canary succeeds; otherwise the operation pauses.
            </p>
          </div>
        ) : (
          <p className="text-faint text-xs">
            Canary off: all {counted(preview.count, 'job')} are {KIND_LABELS[draft.kind].done} immediately.
          </p>
        )}
      </section>
      <section className="grid gap-2">
        <Switch
          label={<span className="font-medium">Automatic stop</span>}
          checked={stop.on}
          onCheckedChange={(on) => setValue('stopOn', on)}
        />
        {stop.on ? (
          <div className="flex flex-wrap items-start gap-3">
            {field('stopPercent', 'Pause if failure rate exceeds (%)', stop.percent)}
            {field('stopWindow', 'Measured over', draft.stopWindow)}
            {rate.mode === 'fast' && (
              <p className="w-full text-warn text-xs">
                As fast as possible, most jobs are back before enough of them have run. Choose a fixed rate
                for it to stop in time.
              </p>
            )}
          </div>
        ) : (
          <p className="text-faint text-xs">Automatic stop off: continues even if every job dies again.</p>
        )}
      </section>
    </>
  );
}
