'use client';
import { useId, useState } from 'react';
import { cn } from '@/components/ui/cn';
import { Button } from '@/components/ui/controls/button';
import { Input } from '@/components/ui/controls/input';
import { Select } from '@/components/ui/controls/select';
import { ListFilter, Search } from '@/components/ui/icons';
import { useTimeZone } from '@/components/ui/text/time-zone-choice';
import { AUDIT_OBJECTS, type AuditObjectKind } from '@/lib/contract/audit/audit-objects';
import { dateTimeInput, parseDateTimeInput } from '@/lib/format/time-zone-input';
import { ACTION_LABELS, actionLabel, KIND_LABELS } from './labels';
import type { AuditView } from './use-audit-view';

const ACTION_OPTIONS = Object.entries(ACTION_LABELS).flatMap(([about, { label, actions }]) => [
  { value: about, label: `${label}: all` },
  ...Object.entries(actions).map(([value, words]) => ({ value, label: `${label}: ${words}` })),
]);
const KINDS = AUDIT_OBJECTS.map((value) => ({ value, label: KIND_LABELS[value] }));
const RESULTS = [
  { value: 'done', label: 'Done' },
  { value: 'refused', label: 'Refused' },
];

/** Filters of the log. The second row is open while one of its filters is set. */
export function AuditFilters({ view: { filter, setFilter: narrow, clear } }: { view: AuditView }) {
  const { text, actor, action, result, queue, kind, id, from, to } = filter;
  const further = [queue, kind, id, from, to].filter((value) => value !== undefined).length;
  const [open, setOpen] = useState(further > 0);
  const known = action === undefined || ACTION_OPTIONS.some(({ value }) => value === action);
  const half = 'max-sm:w-[calc(50%-0.25rem)]';
  return (
    <search
      className="flex flex-wrap items-center gap-2 border-line border-b px-3 py-1.5"
      aria-label="Audit log"
    >
      <span className="w-72 max-sm:w-full">
        <Committed
          label="Text"
          placeholder="User, object, reason, change…"
          maxLength={200}
          icon={<Search />}
          value={text ?? ''}
          onCommit={(value) => narrow({ text: value })}
        />
      </span>
      <span className={cn('w-40', half)}>
        <Committed
          label="Who"
          placeholder="Any user"
          maxLength={200}
          value={actor ?? ''}
          onCommit={(value) => narrow({ actor: value })}
        />
      </span>
      <Select
        aria-label="Action"
        className={cn('w-52', half)}
        placeholder="Any action"
        options={known ? ACTION_OPTIONS : [...ACTION_OPTIONS, { value: action, label: actionLabel(action) }]}
        value={action ?? ''}
        onChange={({ target }) => narrow({ action: target.value || null })}
      />
      <Select
        aria-label="Result"
        className={cn('w-32', half)}
        placeholder="Any result"
        options={RESULTS}
        value={result ?? ''}
        onChange={({ target }) => narrow({ result: (target.value || null) as typeof result | null })}
      />
      <Button
        variant="ghost"
        aria-expanded={open}
        className={cn('max-sm:justify-start', half)}
        onClick={() => setOpen(!open)}
      >
        <ListFilter aria-hidden />
        {open ? 'Fewer filters' : 'More filters'}
        {!open && further > 0 && <span className="text-accent">{further} set</span>}
      </Button>
      {Object.keys(filter).length > 0 && (
        <Button variant="ghost" onClick={clear}>
          Show all
        </Button>
      )}
      {open && (
        <div className="flex w-full flex-wrap items-center gap-2">
          <span className={cn('w-40', half)}>
            <Committed
              label="Queue"
              placeholder="Any queue"
              maxLength={100}
              value={queue ?? ''}
              onCommit={(value) => narrow({ queue: value })}
            />
          </span>
          <Select
            aria-label="Object type"
            className={cn('w-40', half)}
            placeholder="Any object"
            options={KINDS}
            value={kind ?? ''}
            onChange={({ target }) => narrow({ kind: (target.value || null) as AuditObjectKind | null })}
          />
          <span className="w-64 max-sm:w-full">
            <Committed
              label="Object id"
              placeholder="Exact object id"
              maxLength={200}
              value={id ?? ''}
              onCommit={(value) => narrow({ id: value })}
            />
          </span>
          <Moment label="From" at={from} onCommit={(at) => narrow({ from: at })} />
          <Moment label="To" at={to} onCommit={(at) => narrow({ to: at })} />
        </div>
      )}
    </search>
  );
}

/** Commits on Enter or blur, because each keystroke would start a search. */
function Committed({
  label,
  value,
  onCommit,
  ...props
}: Omit<React.ComponentProps<typeof Input>, 'value' | 'onChange'> & {
  label: string;
  value: string;
  onCommit: (value: string | null) => void;
}) {
  const [draft, setDraft] = useState({ of: value, text: value });
  // Browser back and forward change the value from outside.
  if (draft.of !== value) setDraft({ of: value, text: value });
  const commit = () => {
    const text = draft.text.trim();
    if (text !== value) onCommit(text === '' ? null : text);
  };
  return (
    <Input
      {...props}
      aria-label={label}
      value={draft.text}
      onChange={({ target }) => setDraft({ of: value, text: target.value })}
      onBlur={commit}
      onKeyDown={({ key, nativeEvent }) => {
        if (key === 'Enter' && !nativeEvent.isComposing) commit();
      }}
    />
  );
}

function Moment({
  label,
  at,
  onCommit,
}: {
  label: string;
  at: number | undefined;
  onCommit: (at: number | null) => void;
}) {
  const zone = useTimeZone();
  const control = useId();
  return (
    <span className="flex items-center gap-1.5 text-muted text-xs max-sm:w-full">
      <label htmlFor={control} className="max-sm:w-10">
        {label}
      </label>
      <Input
        id={control}
        type="datetime-local"
        className="w-48 max-sm:w-full"
        title={`In ${zone}`}
        value={dateTimeInput(at, zone)}
        onChange={({ target }) => {
          const next = parseDateTimeInput(target.value, zone);
          onCommit(next >= 0 ? next : null);
        }}
      />
    </span>
  );
}
