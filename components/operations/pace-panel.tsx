'use client';
import { useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { KeyValue } from '@/components/ui/key-value';
import { paceDraftOf, paceWords, readPace } from '@/components/ui/pace';
import { PaceFields } from '@/components/ui/pace-fields';
import { Panel } from '@/components/ui/panel';
import { Switch } from '@/components/ui/switch';
import { useMay } from '@/lib/client/permissions';
import { useChangeOperation } from '@/lib/client/use-operations';
import { isOpen, type Operation, RERUNS } from '@/lib/contract/operations';
import { duration } from '@/lib/format/duration';
import { percent } from '@/lib/format/number';
import { parseNumber } from '@/lib/format/parse';
import { canaryState } from './words';

/** How fast it goes and what makes it stop by itself: adjustable while it is under way. */
export function PacePanel({ operation }: { operation: Operation }) {
  const may = useMay('operate');
  return (
    <Panel title="Pace and brakes">
      {may && isOpen(operation.status) ? <Adjust operation={operation} /> : <Settled operation={operation} />}
    </Panel>
  );
}

const canaryWords = (operation: Operation): string => {
  const { canary } = operation;
  if (!canary) return 'none';
  return `first ${canary.jobs}, at most ${percent(canary.maxDiedAgain)} may die again, within ${duration(canary.waitMs)}: ${canaryState(operation)}`;
};

const stopWords = ({ stop }: Operation): string =>
  stop === null
    ? 'none'
    : `above ${percent(stop.maxDiedAgain)} died again of what ended in ${duration(stop.windowMs)} (${stop.minEnded} at least)`;

function Settled({ operation }: { operation: Operation }) {
  return (
    <KeyValue
      items={[
        { label: 'Pace', value: paceWords(operation.pace) },
        ...(RERUNS.has(operation.kind)
          ? [
              { label: 'Canary', value: canaryWords(operation) },
              { label: 'Automatic stop', value: stopWords(operation) },
            ]
          : []),
      ]}
    />
  );
}

function Adjust({ operation }: { operation: Operation }) {
  const { id, pace, stop } = operation;
  const [draft, setDraft] = useState(() => paceDraftOf(pace));
  const [stopOn, setStopOn] = useState(stop !== null);
  const [share, setShare] = useState(() => String((stop?.maxDiedAgain ?? 0.25) * 100));
  const { mutate, isPending, error } = useChangeOperation();
  const read = readPace(draft);
  const asked = parseNumber(share.replace('%', ''));
  const shareProblem = stopOn && (asked === undefined || asked > 100) ? 'Give a share from 0 to 100.' : null;
  const nextStop = stopOn
    ? { windowMs: 60_000, minEnded: 10, ...stop, maxDiedAgain: (asked ?? 0) / 100 }
    : null;
  const changed = {
    ...(read.pace && JSON.stringify(read.pace) !== JSON.stringify(pace) ? { pace: read.pace } : {}),
    ...(stopOn !== (stop !== null) || (stop && nextStop && nextStop.maxDiedAgain !== stop.maxDiedAgain)
      ? { stop: nextStop }
      : {}),
  };
  const ready = read.pace !== null && shareProblem === null && Object.keys(changed).length > 0;
  return (
    <form
      className="grid gap-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (ready && !isPending)
          mutate({ id, change: changed }, { onSuccess: () => toast.success('The pace was changed') });
      }}
    >
      <PaceFields draft={draft} error={read.error} onChange={setDraft} />
      {RERUNS.has(operation.kind) && (
        <>
          <p className="text-sm">
            <span className="text-muted">Canary: </span>
            {canaryWords(operation)}
          </p>
          <div className="flex flex-wrap items-end gap-3">
            <Switch label="Automatic stop" checked={stopOn} onCheckedChange={setStopOn} />
            {stopOn && (
              <Field label="Pause above, % died again" error={shareProblem}>
                {(control) => (
                  <Input
                    {...control}
                    className="w-24"
                    value={share}
                    onChange={({ target }) => setShare(target.value)}
                  />
                )}
              </Field>
            )}
          </div>
        </>
      )}
      {error && <Callout tone="bad">{error.detail}</Callout>}
      <div>
        <Button type="submit" disabled={!ready} pending={isPending}>
          Apply
        </Button>
      </div>
    </form>
  );
}
