'use client';
import { Field } from './field';
import { Input } from './input';
import { PACE_MODES, type PaceDraft } from './pace';
import { Segmented } from './segmented';

const HINTS = {
  fast: 'Nothing holds it back but Redis.',
  rate: 'Evenly, so that what is behind the jobs can keep up.',
  drain:
    'Waits while more than this many jobs are ready: the queue never fills, whatever the workers manage.',
} as const;

/** How fast: as it goes, at a rate, or as the queue drains. */
export function PaceFields({
  draft,
  error,
  onChange,
}: {
  draft: PaceDraft;
  error: string | null | undefined;
  onChange: (draft: PaceDraft) => void;
}) {
  return (
    <div className="grid gap-2">
      <Segmented
        label="Pace"
        value={draft.mode}
        options={PACE_MODES}
        onChange={(mode) => onChange({ ...draft, mode })}
        className="max-w-full justify-self-start max-sm:h-auto max-sm:flex-wrap"
      />
      {draft.mode === 'fast' ? (
        <p className="text-faint text-xs">{HINTS.fast}</p>
      ) : (
        <Field
          label={draft.mode === 'rate' ? 'Jobs a second' : 'Keep ready below'}
          hint={HINTS[draft.mode]}
          error={error}
        >
          {(control) => (
            <Input
              {...control}
              className="w-32"
              inputMode={draft.mode === 'drain' ? 'numeric' : undefined}
              value={draft.mode === 'rate' ? draft.rate : draft.below}
              onChange={({ target: { value } }) =>
                onChange(draft.mode === 'rate' ? { ...draft, rate: value } : { ...draft, below: value })
              }
            />
          )}
        </Field>
      )}
    </div>
  );
}
