'use client';
import { useState } from 'react';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import type { DeadFilter } from '@/lib/contract/dead';
import { AGE_PRESETS, agePresetOf, ageText, parseAge } from './filter';

const OPTIONS = [
  ...AGE_PRESETS.map(({ value, label }) => ({ value, label })),
  { value: 'custom', label: 'Custom age…' },
];

/** When a job died: a preset, or between two ages typed as 30m, 2h or 3d. */
export function AgeFilter({
  filter,
  narrow,
}: {
  filter: DeadFilter;
  narrow: (patch: Partial<DeadFilter>) => void;
}) {
  const [asked, setAsked] = useState(false);
  const preset = agePresetOf(filter);
  const custom = asked || preset === 'custom';
  const choose = (value: string) => {
    const chosen = AGE_PRESETS.find((candidate) => candidate.value === value);
    setAsked(!chosen);
    if (chosen) narrow({ minAgeMs: chosen.minAgeMs, maxAgeMs: chosen.maxAgeMs });
  };
  return (
    <>
      <Select
        aria-label="Age"
        className="w-34 max-sm:w-full"
        options={OPTIONS}
        value={custom ? 'custom' : preset}
        onChange={(event) => choose(event.target.value)}
      />
      {custom && (
        <span className="flex items-center gap-1.5 text-muted text-xs max-sm:col-span-full">
          died
          <AgeInput
            key={`min ${filter.minAgeMs}`}
            label="Died more than this long ago"
            placeholder="any"
            ms={filter.minAgeMs}
            onSet={(minAgeMs) => narrow({ minAgeMs })}
          />
          to
          <AgeInput
            key={`max ${filter.maxAgeMs}`}
            label="Died at most this long ago"
            placeholder="any"
            ms={filter.maxAgeMs}
            onSet={(maxAgeMs) => narrow({ maxAgeMs })}
          />
          ago
        </span>
      )}
    </>
  );
}

function AgeInput({
  label,
  placeholder,
  ms,
  onSet,
}: {
  label: string;
  placeholder: string;
  ms: number | undefined;
  onSet: (ms: number | undefined) => void;
}) {
  const [text, setText] = useState(ms === undefined ? '' : ageText(ms));
  const empty = text.trim() === '';
  const parsed = parseAge(text);
  const commit = () => {
    const next = empty ? undefined : (parsed ?? ms);
    if (next !== ms) onSet(next);
  };
  return (
    <Input
      aria-label={label}
      title={`${label}: 30m, 2h, 3d`}
      placeholder={placeholder}
      className="w-16"
      aria-invalid={(!empty && parsed === null) || undefined}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
    />
  );
}
