'use client';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import type { ApiError } from '@/lib/client/api';
import { scopeWords } from '@/lib/contract/operation-words';
import { DESTRUCTIVE, type Preview } from '@/lib/contract/operations';
import { visible } from '@/lib/format/text';
import type { Change, Draft, Velocity } from './draft';
import { planSentences } from './words';

/** The last look: what will happen in numbers, and why it is done. */
export function ConfirmStep({
  draft,
  preview,
  velocity,
  error,
  onAgain,
  onChange,
}: {
  draft: Draft;
  preview: Preview;
  velocity: Velocity;
  error: ApiError | null;
  onAgain: () => void;
  onChange: Change;
}) {
  return (
    <div className="grid gap-4">
      <div className="grid gap-1.5 rounded border border-line bg-canvas px-3 py-2 text-sm">
        <p className="break-words text-muted text-xs">
          <span className="inline-block first-letter:uppercase">
            {visible(scopeWords(preview.scope, preview.kind))}
          </span>
        </p>
        {planSentences(draft, preview, velocity).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      {preview.needsApproval && (
        <Callout tone="warn" title="A second person must approve it.">
          It is recorded now and starts when somebody else has looked at it.
        </Callout>
      )}
      <Field
        label="Reason"
        hint={
          draft.kind === 'export'
            ? 'One sentence; it stands beside the export.'
            : preview.deletes
              ? 'One sentence; it stands in the audit log.'
              : 'One sentence; it goes into the history of every job it touches.'
        }
      >
        {(control) => (
          <Input
            {...control}
            data-first
            required
            maxLength={300}
            value={draft.reason}
            onChange={({ target }) => onChange({ reason: target.value })}
          />
        )}
      </Field>
      {preview.typedCount !== null && (
        <Field
          label={
            <>
              Type <code className="rounded-sm bg-hover px-1 font-mono">{preview.typedCount}</code> to confirm
            </>
          }
          hint={
            DESTRUCTIVE.has(draft.kind)
              ? 'Because it takes that many jobs away.'
              : 'Because it touches that many jobs.'
          }
        >
          {(control) => (
            <Input
              {...control}
              className="w-40 font-mono"
              inputMode="numeric"
              value={draft.typed}
              onChange={({ target }) => onChange({ typed: target.value })}
            />
          )}
        </Field>
      )}
      {preview.deletes && (
        <Field
          label={
            <>
              Type{' '}
              <code className="break-all rounded-sm bg-hover px-1 font-mono">
                {preview.deletes.typedName}
              </code>{' '}
              to confirm
            </>
          }
          hint="The name of the queue, because nothing brings it back."
        >
          {(control) => (
            <Input
              {...control}
              className="font-mono"
              autoComplete="off"
              spellCheck={false}
              value={draft.typed}
              onChange={({ target }) => onChange({ typed: target.value })}
            />
          )}
        </Field>
      )}
      {error && <Refused error={error} onAgain={onAgain} />}
    </div>
  );
}

/** A preview that no longer holds says what changed, and offers the next one. */
function Refused({ error, onAgain }: { error: ApiError; onAgain: () => void }) {
  const stale = error.code === 'PREVIEW_STALE';
  return (
    <Callout
      tone="bad"
      title={stale ? 'Things changed since the preview; nothing was done.' : undefined}
      action={
        stale && (
          <Button size="sm" onClick={onAgain}>
            New preview
          </Button>
        )
      }
    >
      {error.detail}
      {stale && error.fields.length > 0 && (
        <ul className="mt-1 list-inside list-disc">
          {error.fields.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              {field}: {message}
            </li>
          ))}
        </ul>
      )}
    </Callout>
  );
}
