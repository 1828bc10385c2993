'use client';
import { useMemo, useState } from 'react';
import type { ConfigReply, QueueConfig } from '@/lib/contract/config';
import { patchOf } from './changed';
import { draftOf, rebase, type SettingsDraft } from './draft';
import { type DraftErrors, readDraft } from './read-draft';
import { useSettled } from './use-settled';
import { type Difference, differences } from './words';

export interface SettingsEditor {
  draft: SettingsDraft;
  set: (patch: Partial<SettingsDraft>) => void;
  /** What is wrong, by place, once typing has stopped. */
  errors: DraftErrors;
  /** Shows what is wrong at once. */
  tell: () => void;
  /** What a save would send; null while something is wrong. */
  patch: Partial<QueueConfig> | null;
  changes: readonly Difference[];
  dirty: boolean;
  /** The revision the edits are made over. */
  revision: number;
  /** What somebody else changed since editing began; null: nothing. */
  meanwhile: readonly Difference[] | null;
  /** Goes on with the edits over what the others set. */
  takeOver: () => void;
  discard: () => void;
  /** Starts anew from what the server answered. */
  saved: (reply: ConfigReply) => void;
}

const NO_ERRORS: DraftErrors = {};

interface State {
  base: ConfigReply;
  draft: SettingsDraft;
}
const stateOf = (base: ConfigReply): State => ({ base, draft: draftOf(base.config) });

/** The form over the settings the server reports: follows them while untouched, keeps the edits when they move. */
export function useSettingsEditor(reported: ConfigReply): SettingsEditor {
  const [state, setState] = useState<State>(() => stateOf(reported));
  const { base, draft } = state;
  const reading = useMemo(() => readDraft(draft), [draft]);
  const { shown, tell } = useSettled(reading.errors ?? NO_ERRORS);
  // As the form would save it untouched, so that only edits count as changes.
  const untouched = useMemo(() => readDraft(draftOf(base.config)).config ?? base.config, [base]);
  const patch = reading.config && patchOf(untouched, reading.config);
  const dirty = patch === null || Object.keys(patch).length > 0;
  const moved = reported.revision > base.revision;
  if (moved && !dirty) setState(stateOf(reported));
  return {
    draft,
    set: (change) => setState((before) => ({ ...before, draft: { ...before.draft, ...change } })),
    errors: shown,
    tell,
    patch,
    changes: reading.config ? differences(untouched, reading.config) : [],
    dirty,
    revision: base.revision,
    meanwhile: moved && dirty ? differences(base.config, reported.config) : null,
    takeOver: () =>
      setState((before) => ({
        base: reported,
        draft: rebase(before.draft, before.base.config, reported.config),
      })),
    discard: () => setState(stateOf(moved ? reported : base)),
    saved: (reply) => setState(stateOf(reply)),
  };
}
