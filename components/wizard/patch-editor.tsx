'use client';
import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { IconButton } from '@/components/ui/icon-button';
import { Input, Textarea } from '@/components/ui/input';
import { Segmented } from '@/components/ui/segmented';
import { Select } from '@/components/ui/select';
import { PATCH_MAX_STEPS } from '@/lib/contract/operations';
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

/** What to change in each payload: a line a change, or the JSON patch itself. `paths` are offered while typing. */
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
          label="Write it as"
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
          hint="RFC 6902: add, replace, remove, and test, which skips payloads that fail it."
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
      {/* Not an alert: it is said while one still writes. */}
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
        aria-label={`Change ${number}: what to do`}
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
        <span className="text-faint text-xs max-sm:col-start-1">takes the field away</span>
      )}
      {onRemove && (
        <IconButton
          label={`Take change ${number} away`}
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
