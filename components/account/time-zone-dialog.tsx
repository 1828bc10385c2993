'use client';
import { useState } from 'react';
import { TextField } from '@/components/ui/controls/field';
import { Segmented } from '@/components/ui/controls/segmented';
import { FormDialog } from '@/components/ui/overlays/form-dialog';
import { toast } from '@/components/ui/overlays/toast';
import { useNow } from '@/components/ui/text/clock-provider';
import {
  browserTimeZone,
  isTimeZone,
  setTimeZone,
  timeZoneNames,
  useTimeZoneChoice,
} from '@/components/ui/text/time-zone-choice';
import { absoluteLocal } from '@/lib/format/date-time';

const KINDS = [
  { value: 'local', label: 'This device' },
  { value: 'UTC', label: 'UTC' },
  { value: 'named', label: 'Other' },
] as const;
type Kind = (typeof KINDS)[number]['value'];

/** One zone for all times on screen. Schedules keep their own. */
export function TimeZoneDialog({ onClose }: { onClose: () => void }) {
  const chosen = useTimeZoneChoice();
  const [kind, setKind] = useState<Kind>(chosen === 'local' || chosen === 'UTC' ? (chosen as Kind) : 'named');
  const [name, setName] = useState<string>(chosen === 'local' ? '' : chosen);
  const [tried, setTried] = useState(false);
  const zone = kind === 'local' ? browserTimeZone() : kind === 'UTC' ? 'UTC' : name.trim();
  const valid = zone !== '' && isTimeZone(zone);
  const now = useNow();
  const save = () => {
    setTried(true);
    if (!valid) return;
    setTimeZone(kind === 'local' ? 'local' : zone);
    toast.success(`Times are shown in ${zone}`);
    onClose();
  };
  return (
    <FormDialog
      title="Time zone"
      description="For all times on screen, in this browser. Runs of schedules keep the zone of the schedule."
      submitLabel="Save"
      onSubmit={save}
      onClose={onClose}
    >
      <Segmented label="Time zone" value={kind} options={KINDS} onChange={setKind} />
      {kind === 'named' && (
        <>
          <TextField
            label="Name"
            hint="Such as Europe/Berlin"
            value={name}
            list="time-zones"
            autoFocus
            error={tried && !valid ? 'is not a known time zone' : undefined}
            onChange={({ target }) => setName(target.value)}
          />
          <datalist id="time-zones">
            {timeZoneNames().map((known) => (
              <option key={known} value={known} />
            ))}
          </datalist>
        </>
      )}
      <p className="text-muted text-sm">{valid ? `Now: ${absoluteLocal(now, zone)} (${zone})` : 'Now: –'}</p>
    </FormDialog>
  );
}
