'use client';
import { type ReactNode, useRef } from 'react';
import { useFormContext } from 'react-hook-form';
import { QueryInput } from '@/components/shared/query/query-input';
import { QueueField } from '@/components/shared/queue-field';
import { STATE_LOOK } from '@/components/shared/state-badge';
import { Callout } from '@/components/ui/callout';
import { Field, TextField } from '@/components/ui/controls/field';
import { Segmented } from '@/components/ui/controls/segmented';
import { Select } from '@/components/ui/controls/select';
import { useQueueNames } from '@/lib/browser/queues/use-queue-names';
import { useQueryDraft } from '@/lib/browser/search/use-query-draft';
import { EXPORT_FORMATS, type ExportFormat, KIND_STATES } from '@/lib/contract/operations/operation-kinds';
import { scopeLabel } from '@/lib/contract/operations/operation-text';
import { parseQuery, QUERY_MAX_CHARS } from '@/lib/contract/search/query';
import { FORMAT_LABELS } from '../labels';
import { PatchEditor } from './patch-editor';
import { PayloadEditor } from './payload-editor';
import { type ScopeProblems, UNREAD_PAYLOAD, type WizardDraft } from './wizard-draft';

/** The jobs, and what the kind needs besides: a target queue, a patch, a time or a format. */
export function ScopeStep({
  problems,
  showErrors,
  paths,
  below,
}: {
  problems: ScopeProblems;
  /** The user tried to continue, so missing values are marked. */
  showErrors: boolean;
  paths: readonly string[];
  /** The live preview of an edit. */
  below?: ReactNode;
}) {
  const { register, setValue, watch } = useFormContext<WizardDraft>();
  const { kind, jobs, patch, payload } = watch();
  const oneJob = jobs?.length === 1 ? jobs[0] : undefined;
  return (
    <div className="grid gap-4">
      {jobs ? <SelectedJobs /> : <ScopeFields problem={problems.queue} showErrors={showErrors} />}
      {kind === 'move' && <Target error={showErrors ? problems.target : undefined} />}
      {kind === 'edit' && oneJob && (
        <Segmented
          label="Edit the payload as"
          value={payload === null ? 'changes' : 'payload'}
          options={EDIT_VIEWS}
          onChange={(view) => setValue('payload', view === 'payload' ? UNREAD_PAYLOAD : null)}
          className="justify-self-start"
        />
      )}
      {kind === 'edit' && oneJob && payload !== null && (
        <PayloadEditor job={oneJob} problem={problems.patch} />
      )}
      {kind === 'edit' && payload === null && (
        <PatchEditor
          draft={patch}
          problem={problems.patch}
          paths={paths}
          onChange={(next) => setValue('patch', next)}
        />
      )}
      {kind === 'reschedule' && (
        <TextField
          label="Due"
          hint="In the time zone of this browser. A time in the past means at once."
          error={showErrors ? problems.due : undefined}
          type="datetime-local"
          className="w-56"
          {...register('due')}
        />
      )}
      {kind === 'export' && <ExportFields error={problems.maxRows} />}
      {below}
    </div>
  );
}

const EDIT_VIEWS = [
  { value: 'payload', label: 'Payload' },
  { value: 'changes', label: 'Changes' },
] as const;

function SelectedJobs() {
  const { state, jobs = [] } = useFormContext<WizardDraft>().watch();
  return (
    <p className="text-sm">
      <span className="text-muted">Jobs: </span>
      {scopeLabel({ state, jobs })}
      {jobs.length <= 3 && (
        <span translate="no" className="font-mono text-muted text-xs">
          {' '}
          {jobs.map(({ jobId }) => jobId).join(', ')}
        </span>
      )}
    </p>
  );
}

function ScopeFields({ problem, showErrors }: { problem: string | undefined; showErrors: boolean }) {
  const { register, setValue, watch } = useFormContext<WizardDraft>();
  const { kind, queue } = watch();
  const queues = useQueueNames(queue);
  return (
    <div className="grid gap-3 sm:grid-cols-[10rem_minmax(0,1fr)_10rem]">
      <Field label="State">
        {(control) => (
          <Select
            {...control}
            options={KIND_STATES[kind].map((state) => ({ value: state, label: STATE_LOOK[state].label }))}
            {...register('state')}
          />
        )}
      </Field>
      <ScopeQueryField showErrors={showErrors} />
      <QueueField
        label="In queue"
        error={problem}
        placeholder="every queue"
        value={queue}
        names={queues.names}
        of={queues.of}
        onChange={(next) => setValue('queue', next)}
      />
    </div>
  );
}

/**
 * Every letter applies at once: the wizard must never continue with another query than the one on the screen. Errors are
 * shown once the user tried to continue.
 */
function ScopeQueryField({ showErrors }: { showErrors: boolean }) {
  const { setValue, watch } = useFormContext<WizardDraft>();
  const { q, state, queue } = watch();
  const apply = (next: string) => setValue('q', next);
  const input = useRef<HTMLInputElement>(null);
  const field = useQueryDraft({ q, apply, input, state, queue: queue.trim() || null });
  const parsed = parseQuery(q);
  return (
    <div className="grid gap-1">
      <span aria-hidden className="font-medium text-xs">
        And match
      </span>
      <QueryInput
        label="And match"
        shortcut={null}
        placeholder="all, or type:invoice.* code:HTTP_503 age:>1h"
        maxLength={QUERY_MAX_CHARS}
        value={q}
        options={field.options}
        problem={showErrors && !parsed.ok ? parsed.error : null}
        input={input}
        onChange={(text, caret) => {
          field.onChange(text, caret);
          apply(text);
        }}
        onCaret={field.onCaret}
        onAccept={(option) => {
          apply(q.slice(0, option.from) + option.insert + q.slice(option.to));
          return field.onAccept(option);
        }}
        onFix={() => {
          if (parsed.ok || parsed.error.suggestion === null) return;
          const { position, length, suggestion } = parsed.error;
          apply(q.slice(0, position) + suggestion + q.slice(position + length));
          input.current?.focus();
        }}
        // Enter continues, as in every other field of the wizard.
        onSubmit={() => input.current?.form?.requestSubmit()}
        onClear={() => apply('')}
        onGiveUp={() => undefined}
      />
    </div>
  );
}

function Target({ error }: { error: string | undefined }) {
  const { setValue, watch } = useFormContext<WizardDraft>();
  const target = watch('target');
  const { names, of, exists } = useQueueNames(target);
  return (
    <div className="grid gap-2">
      <QueueField
        label="To queue"
        error={error}
        className="w-56"
        value={target}
        names={names}
        of={of}
        onChange={(next) => setValue('target', next)}
      />
      {target.trim() !== '' && exists === false && (
        <Callout tone="warn" title="Target queue does not exist.">
          Jobs can only be moved to an existing queue.
        </Callout>
      )}
    </div>
  );
}

const FORMATS = EXPORT_FORMATS.map((value) => ({ value, label: FORMAT_LABELS[value] }));
const FORMAT_HINTS: Readonly<Record<ExportFormat, string>> = {
  ndjson: 'One JSON object per line.',
  csv: 'Cells that a spreadsheet would run as a formula are prefixed with an apostrophe.',
  excel:
    'CSV with a byte order mark, so that Excel reads letters such as ü. It still takes ids of digits for numbers.',
};

function ExportFields({ error }: { error: string | undefined }) {
  const { register, setValue, watch } = useFormContext<WizardDraft>();
  const format = watch('format');
  return (
    <div className="flex flex-wrap items-start gap-4">
      <div className="grid gap-1">
        <span className="font-medium text-xs">Format</span>
        <Segmented
          label="Format"
          value={format}
          options={FORMATS}
          onChange={(next) => setValue('format', next)}
          className="justify-self-start"
        />
        <p className="text-faint text-xs">{FORMAT_HINTS[format]}</p>
      </div>
      <TextField
        label="Max. rows"
        hint="If the file is cut, its last line says so."
        error={error}
        className="w-32"
        inputMode="numeric"
        {...register('maxRows')}
      />
    </div>
  );
}
