'use client';
import { useEffect, useMemo, useState } from 'react';
import { randomKey } from '@/lib/browser/api/idempotency-key';
import type { Filled } from '@/lib/browser/dialog-link';
import { type ConfigReply, configPatchSchema, type QueueConfig } from '@/lib/contract/queues/queue-config';
import { type Difference, settingDifferences } from './labels';
import { type DraftErrors, readDraft } from './read-settings-draft';
import { rebaseDraft, type SettingsDraft, settingsPatch, toDraft } from './settings-draft';

export interface SettingsEditor {
  draft: SettingsDraft;
  set: (patch: Partial<SettingsDraft>) => void;
  /** Errors by path, once typing has stopped. */
  errors: DraftErrors;
  /** Shows all errors immediately. */
  showErrors: () => void;
  /** The patch to save; null while there are errors. */
  patch: Partial<QueueConfig> | null;
  changes: readonly Difference[];
  dirty: boolean;
  /** The revision that was edited. */
  revision: number;
  /** Concurrent changes; null: none. */
  conflicts: readonly Difference[] | null;
  /** Keeps the edits on top of the concurrent changes. */
  takeOver: () => void;
  discard: () => void;
  /** Resets the form to the saved settings. */
  saved: (reply: ConfigReply) => void;
}

const NO_ERRORS: DraftErrors = {};

interface State {
  base: ConfigReply;
  draft: SettingsDraft;
}
const stateOf = (base: ConfigReply): State => ({ base, draft: toDraft(base.config) });

/** The settings with the changes that a link brings; with none where it brings no settings. */
const linkedStateOf = (base: ConfigReply, { patch }: Filled): State => {
  const read = configPatchSchema.safeParse(patch);
  return { base, draft: toDraft(read.success ? { ...base.config, ...read.data } : base.config) };
};

/**
 * Follows the server's settings while untouched, and keeps edits when they change.
 * @param filled changes that a link brings
 */
export function useSettingsEditor(reported: ConfigReply, filled: Filled): SettingsEditor {
  const [state, setState] = useState<State>(() => linkedStateOf(reported, filled));
  const { base, draft } = state;
  const reading = useMemo(() => readDraft(draft), [draft]);
  const { shown, showAll } = useSettled(reading.errors ?? NO_ERRORS);
  // Round trip through the form, so that only edits count as changes.
  const untouched = useMemo(() => readDraft(toDraft(base.config)).config ?? base.config, [base]);
  const patch = reading.config && settingsPatch(untouched, reading.config);
  const dirty = patch === null || Object.keys(patch).length > 0;
  const moved = reported.revision > base.revision;
  if (moved && !dirty) setState(stateOf(reported));
  return {
    draft,
    set: (change) => setState((before) => ({ ...before, draft: { ...before.draft, ...change } })),
    errors: shown,
    showErrors: showAll,
    patch,
    changes: reading.config ? settingDifferences(untouched, reading.config) : [],
    dirty,
    revision: base.revision,
    conflicts: moved && dirty ? settingDifferences(base.config, reported.config) : null,
    takeOver: () =>
      setState((before) => ({
        base: reported,
        draft: rebaseDraft(before.draft, before.base.config, reported.config),
      })),
    discard: () => setState(stateOf(moved ? reported : base)),
    saved: (reply) => setState(stateOf(reply)),
  };
}

/** Adds, changes and removes rows of a list in the draft. */
export const rowEditor = <Row extends { row: string }>(rows: readonly Row[], set: (rows: Row[]) => void) => ({
  add: (row: Omit<Row, 'row'>) => set([...rows, { ...row, row: randomKey() } as Row]),
  change: (row: string, patch: Partial<Row>) =>
    set(rows.map((one) => (one.row === row ? { ...one, ...patch } : one))),
  remove: (row: string) => set(rows.filter((one) => one.row !== row)),
});

/** No errors while the user is typing. */
const SETTLE_MS = 700;

/** Shows errors once typing stops and hides fixed ones immediately. `showAll` shows all now. */
function useSettled(errors: DraftErrors): { shown: DraftErrors; showAll: () => void } {
  const [settled, setSettled] = useState<DraftErrors>(errors);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(errors), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [errors]);
  const shown = useMemo(
    () => Object.fromEntries(Object.entries(errors).filter(([path]) => path in settled)),
    [errors, settled],
  );
  return { shown, showAll: () => setSettled(errors) };
}
