'use client';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { PaceFields } from '@/components/ui/pace-fields';
import { Switch } from '@/components/ui/switch';
import { type Preview, RERUNS } from '@/lib/contract/operations';
import type { Brakes } from './brakes';
import { brakesOf, type Change, type Draft, type PaceProblems } from './draft';

/** How fast, and what makes it stop by itself. */
export function PaceStep({
  draft,
  preview,
  problems,
  onChange,
}: {
  draft: Draft;
  preview: Preview;
  problems: PaceProblems;
  onChange: Change;
}) {
  const brakes = brakesOf(draft, preview);
  const limited = preview.advice.find((entry) => entry.class === 'rate-limited');
  return (
    <div className="grid gap-5">
      <section className="grid gap-1.5">
        <h4 className="font-medium text-sm">
          Pace <span className="font-normal text-faint text-xs">can be changed while it runs</span>
        </h4>
        <PaceFields draft={draft.pace} error={problems.pace} onChange={(pace) => onChange({ pace })} />
        {limited && draft.pace.mode === 'fast' && (
          <p className="text-warn text-xs">
            {limited.count === preview.count ? 'They' : 'Some of them'} died because the other side asked to
            slow down: choose a rate.
          </p>
        )}
      </section>
      {RERUNS.has(draft.kind) && (
        <>
          <Canary draft={draft} brakes={brakes} problems={problems} onChange={onChange} />
          <Stop draft={draft} brakes={brakes} problems={problems} onChange={onChange} />
        </>
      )}
    </div>
  );
}

type Part = { draft: Draft; brakes: Brakes; problems: PaceProblems; onChange: Change };

function Canary({ draft, brakes: { canary, why }, problems, onChange }: Part) {
  const { on } = canary;
  return (
    <section className="grid gap-2">
      <Switch
        label={<span className="font-medium">Canary: a few first</span>}
        checked={on}
        onCheckedChange={(next) => onChange({ canaryOn: next })}
      />
      {why && <p className="text-muted text-xs">{why}</p>}
      {on ? (
        <div className="flex flex-wrap items-start gap-3">
          <Small
            label="First jobs"
            value={canary.jobs}
            error={problems.canaryJobs}
            onChange={(canaryJobs) => onChange({ canaryJobs })}
          />
          <Small
            label="May die again, %"
            value={canary.percent}
            error={problems.canaryPercent}
            onChange={(canaryPercent) => onChange({ canaryPercent })}
          />
          <Small
            label="Wait for them at most"
            value={draft.canaryWait}
            error={problems.canaryWait}
            onChange={(canaryWait) => onChange({ canaryWait })}
          />
          <p className="w-full text-faint text-xs">
            The rest follows by itself once they have ended well; otherwise it pauses and says why.
          </p>
        </div>
      ) : (
        <p className="text-faint text-xs">
          All of them go at once: nothing is learned before the last one is back.
        </p>
      )}
    </section>
  );
}

function Stop({ draft, brakes: { stop }, problems, onChange }: Part) {
  const { on } = stop;
  return (
    <section className="grid gap-2">
      <Switch
        label={<span className="font-medium">Automatic stop</span>}
        checked={on}
        onCheckedChange={(next) => onChange({ stopOn: next })}
      />
      {on ? (
        <div className="flex flex-wrap items-start gap-3">
          <Small
            label="Pause above, % died again"
            value={stop.percent}
            error={problems.stopPercent}
            onChange={(stopPercent) => onChange({ stopPercent })}
          />
          <Small
            label="Of what ended within"
            value={draft.stopWindow}
            error={problems.stopWindow}
            onChange={(stopWindow) => onChange({ stopWindow })}
          />
        </div>
      ) : (
        <p className="text-faint text-xs">It goes on whatever becomes of the jobs.</p>
      )}
    </section>
  );
}

function Small({
  label,
  value,
  error,
  onChange,
}: {
  label: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}) {
  return (
    <Field label={label} error={error} className="w-44">
      {(control) => (
        <Input
          {...control}
          className="w-24"
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}
