'use client';
import { Input } from '@/components/ui/input';
import { parseRate } from '@/lib/format/parse';
import type { RateDraft } from './draft';
import { burstFor } from './read-draft';

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
  /** Which of the two are wrong. */
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
      <span className="shrink-0 text-muted text-xs">bursts of</span>
      <Input
        className="w-20 shrink-0"
        aria-label={`${label}, burst`}
        aria-invalid={invalid.burst || undefined}
        inputMode="numeric"
        placeholder={perSecond === undefined ? '' : String(burstFor(perSecond))}
        title="How many may be claimed at once after a quiet time"
        value={value.burst}
        onChange={(event) => onChange({ ...value, burst: event.target.value })}
      />
    </span>
  );
}
