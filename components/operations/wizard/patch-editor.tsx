'use client';
import { useId } from 'react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/controls/button';
import { Field } from '@/components/ui/controls/field';
import { IconButton } from '@/components/ui/controls/icon-button';
import { Input, Textarea } from '@/components/ui/controls/input';
import { Segmented } from '@/components/ui/controls/segmented';
import { Select } from '@/components/ui/controls/select';
import { CircleAlert, Lock, Plus, X } from '@/components/ui/icons';
import { DiffView } from '@/components/ui/text/diff-view';
import { PATCH_MAX_STEPS } from '@/lib/contract/operations/operation-kinds';
import type { Preview } from '@/lib/contract/operations/operation-preview';
import { MASK } from '@/lib/contract/redaction/redaction-default';
import { diffLines } from '@/lib/format/diff-lines';
import {
  asRaw,
  asRows,
  changeRow,
  hasValue,
  OPS,
  type PatchDraft,
  type PatchOp,
  type PatchRow,
  withoutRow,
  withRow,
} from './patch-draft';

/** Changes to each payload, as rows or as a JSON patch. `paths` are suggested while typing. */
export function PatchEditor({
  draft,
  problem,
  paths,
  onChange,
}: {
  draft: PatchDraft;
  problem: string | undefined;
  paths: readonly string[];
  onChange: (draft: PatchDraft) => void;
}) {
  const list = useId();
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 flex w-full items-center justify-between gap-2 font-medium text-xs">
        Changes to each payload
        <Segmented
          label="Format"
          value={draft.raw === null ? 'rows' : 'json'}
          options={[
            { value: 'rows', label: 'Lines' },
            { value: 'json', label: 'JSON' },
          ]}
          onChange={(view) => onChange(view === 'json' ? asRaw(draft) : asRows(draft))}
        />
      </legend>
      {draft.raw === null ? (
        <>
          <ol className="grid gap-1.5">
            {draft.rows.map((row, i) => (
              <Row
                key={row.key}
                row={row}
                number={i + 1}
                list={list}
                onChange={(change) => onChange(changeRow(draft, row.key, change))}
                onRemove={draft.rows.length > 1 ? () => onChange(withoutRow(draft, row.key)) : null}
              />
            ))}
          </ol>
          <datalist id={list}>
            {paths.map((path) => (
              <option key={path} value={path} />
            ))}
          </datalist>
          <Button
            size="sm"
            className="justify-self-start"
            disabled={draft.rows.length >= PATCH_MAX_STEPS}
            onClick={() => onChange(withRow(draft))}
          >
            <Plus aria-hidden />
            Another change
          </Button>
        </>
      ) : (
        <Field
          label="JSON patch"
          hint="RFC 6902 with add, replace, remove and test; a payload that fails a test is skipped."
        >
          {(control) => (
            <Textarea
              {...control}
              rows={8}
              spellCheck={false}
              className="font-mono text-xs"
              value={draft.raw ?? ''}
              onChange={({ target }) => onChange({ ...draft, raw: target.value })}
            />
          )}
        </Field>
      )}
      {/* Not an alert, because it appears while the user still types. */}
      <p className="min-h-4 text-muted text-xs first-letter:uppercase" aria-live="polite">
        {problem}
      </p>
    </fieldset>
  );
}

function Row({
  row,
  number,
  list,
  onChange,
  onRemove,
}: {
  row: PatchRow;
  number: number;
  list: string;
  onChange: (change: Partial<PatchRow>) => void;
  onRemove: (() => void) | null;
}) {
  return (
    <li className="grid grid-cols-[7rem_minmax(0,1fr)_minmax(0,1fr)_1.5rem] items-center gap-1.5 max-sm:grid-cols-[minmax(0,1fr)_1.5rem]">
      <Select
        aria-label={`Change ${number}: action`}
        options={OPS}
        value={row.op}
        onChange={({ target }) => onChange({ op: target.value as PatchOp })}
      />
      <Input
        aria-label={`Change ${number}: field`}
        placeholder="order.currency"
        list={list}
        className="font-mono text-xs max-sm:col-start-1"
        value={row.path}
        onChange={({ target }) => onChange({ path: target.value })}
      />
      {hasValue(row.op) ? (
        <Input
          aria-label={`Change ${number}: value`}
          placeholder="EUR, 42, true, null, {…}"
          className="font-mono text-xs max-sm:col-start-1"
          value={row.value}
          onChange={({ target }) => onChange({ value: target.value })}
        />
      ) : (
        <span className="text-faint text-xs max-sm:col-start-1">removes the field</span>
      )}
      {onRemove && (
        <IconButton
          label={`Remove change ${number}`}
          size="sm"
          className="max-sm:col-start-2 max-sm:row-start-1"
          onClick={onRemove}
        >
          <X aria-hidden />
        </IconButton>
      )}
    </li>
  );
}

type Diff = NonNullable<Preview['diffs']>[number];

/** The edit's effect on sample payloads as line diffs, with the reason where it does not apply. */
export function EditDiffs({ diffs }: { diffs: readonly Diff[] }) {
  const problems = diffs.filter(({ problem }) => problem !== null).length;
  return (
    <section>
      <h4 className="mb-1 text-faint text-xs">
        Effect on {diffs.length === 1 ? 'this payload' : `these ${diffs.length} payloads`}
        {problems > 0 && <span className="text-warn"> · {problems} would be skipped</span>}
      </h4>
      {diffs.some(({ before, after }) => before.includes(MASK) || after?.includes(MASK)) && (
        <p className="mb-1 flex items-baseline gap-1.5 text-muted text-xs">
          <Lock aria-hidden className="size-3 shrink-0 self-center" />
          <span>
            <code translate="no" className="font-mono">
              {MASK}
            </code>{' '}
            is a hidden value. Fields that no change names stay as stored.
          </span>
        </p>
      )}
      <ul className="grid gap-2">
        {diffs.map((diff) => (
          <PayloadDiff key={`${diff.queue}/${diff.jobId}`} diff={diff} />
        ))}
      </ul>
    </section>
  );
}

function PayloadDiff({ diff: { queue, jobId, before, after, problem } }: { diff: Diff }) {
  const lines = after === null ? [] : diffLines(before, after);
  return (
    <li className="min-w-0 overflow-hidden rounded border border-line">
      <p className="flex flex-wrap items-center gap-x-2 border-line border-b bg-sunken px-2 py-0.5 text-xs">
        <span translate="no" className="font-mono">
          {jobId}
        </span>
        <span className="text-faint">{queue}</span>
        {problem !== null && (
          <Badge tone="warn" icon={<CircleAlert aria-hidden />} className="h-auto whitespace-normal py-0.5">
            Skipped: {problem}
          </Badge>
        )}
        {problem === null && before === after && <Badge>Unchanged</Badge>}
      </p>
      {before !== after && lines.length > 0 && <DiffView label={`Change to ${jobId}`} lines={lines} />}
    </li>
  );
}
