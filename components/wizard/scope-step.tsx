'use client';
import type { ReactNode } from 'react';
import { Callout } from '@/components/ui/callout';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { QueueField } from '@/components/ui/queue-field';
import { Segmented } from '@/components/ui/segmented';
import { Select } from '@/components/ui/select';
import { STATE_LOOK } from '@/components/ui/state-badge';
import { useQueueNames } from '@/lib/client/use-queue-names';
import { scopeWords } from '@/lib/contract/operation-words';
import { type EXPORT_FORMATS, KIND_STATES } from '@/lib/contract/operations';
import type { JobState } from '@/lib/contract/states';
import type { Change, Draft, Problems } from './draft';
import { PatchEditor } from './patch-editor';
import { QueryField } from './query-field';

/** Which jobs, and what the kind asks for besides: another queue, a patch, a time, a format. */
export function ScopeStep({
  draft,
  problems,
  told,
  paths,
  below,
  onChange,
}: {
  draft: Draft;
  problems: Problems;
  /** Show what is missing: one tried to go on. */
  told: boolean;
  paths: readonly string[];
  /** The live preview of an edit. */
  below?: ReactNode;
  onChange: Change;
}) {
  return (
    <div className="grid gap-4">
      <Which draft={draft} problems={problems} told={told} onChange={onChange} />
      {draft.kind === 'move' && (
        <Target draft={draft} error={told ? problems.target : undefined} onChange={onChange} />
      )}
      {draft.kind === 'edit' && (
        <PatchEditor
          draft={draft.patch}
          problem={problems.patch}
          paths={paths}
          onChange={(patch) => onChange({ patch })}
        />
      )}
      {draft.kind === 'reschedule' && (
        <Field
          label="Due"
          hint="In the time zone of this browser. What lies in the past is due at once."
          error={told ? problems.due : undefined}
        >
          {(control) => (
            <Input
              {...control}
              type="datetime-local"
              className="w-56"
              value={draft.due}
              onChange={({ target }) => onChange({ due: target.value })}
            />
          )}
        </Field>
      )}
      {draft.kind === 'export' && <ExportFields draft={draft} error={problems.maxRows} onChange={onChange} />}
      {below}
    </div>
  );
}

function Which({
  draft,
  problems,
  told,
  onChange,
}: {
  draft: Draft;
  problems: Problems;
  told: boolean;
  onChange: Change;
}) {
  const states = KIND_STATES[draft.kind];
  const queues = useQueueNames(draft.queue);
  if (draft.jobs) {
    return (
      <p className="text-sm">
        <span className="text-muted">Which: </span>
        {scopeWords({ state: draft.state, jobs: draft.jobs })}
        {draft.jobs.length <= 3 && (
          <span className="font-mono text-muted text-xs">
            {' '}
            {draft.jobs.map(({ jobId }) => jobId).join(', ')}
          </span>
        )}
      </p>
    );
  }
  return (
    <div className="grid gap-3 sm:grid-cols-[10rem_minmax(0,1fr)_10rem]">
      <Field label="Jobs that are">
        {(control) => (
          <Select
            {...control}
            options={states.map((state) => ({ value: state, label: STATE_LOOK[state].label }))}
            value={draft.state}
            onChange={({ target }) => onChange({ state: target.value as JobState })}
          />
        )}
      </Field>
      <QueryField
        value={draft.q}
        state={draft.state}
        queue={draft.queue.trim()}
        told={told}
        onChange={(q) => onChange({ q })}
      />
      <QueueField
        label="In queue"
        error={problems.queue}
        placeholder="every queue"
        value={draft.queue}
        names={queues.names}
        of={queues.of}
        onChange={(queue) => onChange({ queue })}
      />
    </div>
  );
}

function Target({ draft, error, onChange }: { draft: Draft; error: string | undefined; onChange: Change }) {
  const { names, of, exists } = useQueueNames(draft.target);
  return (
    <div className="grid gap-2">
      <QueueField
        label="To queue"
        error={error}
        className="w-56"
        value={draft.target}
        names={names}
        of={of}
        onChange={(target) => onChange({ target })}
      />
      {draft.target.trim() !== '' && exists === false && (
        <Callout tone="warn" title="There is no queue of this name.">
          Jobs are only moved to a queue that exists, so that a slip of the pen does not strand them.
        </Callout>
      )}
    </div>
  );
}

const FORMATS = [
  { value: 'ndjson', label: 'NDJSON' },
  { value: 'csv', label: 'CSV' },
] as const satisfies readonly { value: (typeof EXPORT_FORMATS)[number]; label: string }[];

function ExportFields({
  draft,
  error,
  onChange,
}: {
  draft: Draft;
  error: string | undefined;
  onChange: Change;
}) {
  return (
    <div className="flex flex-wrap items-start gap-4">
      <div className="grid gap-1">
        <span className="font-medium text-xs">Format</span>
        <Segmented
          label="Format"
          value={draft.format}
          options={FORMATS}
          onChange={(format) => onChange({ format })}
          className="justify-self-start"
        />
        <p className="text-faint text-xs">
          {draft.format === 'csv'
            ? 'Cells that a spreadsheet would run as a formula get an apostrophe in front.'
            : 'One JSON object a line.'}
        </p>
      </div>
      <Field label="At most this many rows" hint="The file says so when it was cut." error={error}>
        {(control) => (
          <Input
            {...control}
            className="w-32"
            inputMode="numeric"
            value={draft.maxRows}
            onChange={({ target }) => onChange({ maxRows: target.value })}
          />
        )}
      </Field>
    </div>
  );
}
