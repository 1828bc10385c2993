'use client';
import Link from 'next/link';
import { useFormContext } from 'react-hook-form';
import { Callout } from '@/components/ui/callout';
import { Button } from '@/components/ui/controls/button';
import { TextField } from '@/components/ui/controls/field';
import { Download } from '@/components/ui/icons';
import { DialogContent } from '@/components/ui/overlays/dialog';
import type { ApiError } from '@/lib/browser/api/api-client';
import { addressOf } from '@/lib/browser/base-path';
import { links } from '@/lib/browser/links';
import { paths } from '@/lib/contract/api-paths';
import type { Operation } from '@/lib/contract/operations/operation';
import { DESTRUCTIVE } from '@/lib/contract/operations/operation-kinds';
import type { Preview } from '@/lib/contract/operations/operation-preview';
import { scopeLabel } from '@/lib/contract/operations/operation-text';
import { revealHidden } from '@/lib/format/display-text';
import { GoesOn } from '../goes-on/goes-on';
import { FORMAT_LABELS } from '../labels';
import { blockedSentences, planSentences } from './plan-sentences';
import { UnsupportedNotice } from './preview-step';
import type { ExecutionSettings, WizardDraft } from './wizard-draft';

/** What will happen in numbers, and the reason for it. */
export function ConfirmStep({
  preview,
  settings,
  error,
  onAgain,
}: {
  preview: Preview;
  settings: ExecutionSettings;
  error: ApiError | null;
  onAgain: () => void;
}) {
  const { register, watch } = useFormContext<WizardDraft>();
  const draft = watch();
  return (
    <div className="grid gap-4">
      <div className="grid gap-1.5 rounded border border-line bg-canvas px-3 py-2 text-sm">
        <p className="break-words text-muted text-xs">
          <span className="inline-block first-letter:uppercase">
            {revealHidden(scopeLabel(preview.scope, preview.kind))}
          </span>
        </p>
        {planSentences(draft, preview, settings).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      <GoesOn preview={preview} />
      <UnsupportedNotice preview={preview} />
      {preview.blocked.length > 0 && (
        <Callout tone="warn">
          {blockedSentences(preview).map((sentence) => (
            <p key={sentence} className="[overflow-wrap:anywhere]">
              {sentence}
            </p>
          ))}
        </Callout>
      )}
      {preview.needsApproval && (
        <Callout tone="warn" title="Approval required.">
          The operation is recorded now and starts when another user approves it.
        </Callout>
      )}
      <TextField
        label="Reason"
        hint={
          draft.kind === 'export'
            ? 'One sentence, shown with the export.'
            : preview.deletes
              ? 'One sentence, recorded in the audit log.'
              : 'One sentence, recorded in the history of every job.'
        }
        data-first
        required
        maxLength={300}
        {...register('reason')}
      />
      {preview.typedCount !== null && (
        <TextField
          label={<TypeToConfirm text={preview.typedCount} />}
          hint={
            DESTRUCTIVE.has(draft.kind)
              ? 'Required because so many jobs are removed.'
              : 'Required because so many jobs are affected.'
          }
          className="w-40 font-mono"
          inputMode="numeric"
          {...register('typed')}
        />
      )}
      {preview.deletes && (
        <TextField
          label={<TypeToConfirm text={preview.deletes.typedName} />}
          hint="The name of the queue: its deletion cannot be undone."
          className="font-mono"
          {...register('typed')}
        />
      )}
      {error && <RefusalNotice error={error} onAgain={onAgain} />}
    </div>
  );
}

const TypeToConfirm = ({ text }: { text: string | number }) => (
  <>
    Type{' '}
    <code translate="no" className="break-all rounded-sm bg-hover px-1 font-mono">
      {text}
    </code>{' '}
    to confirm
  </>
);

/** The API's refusal; for an outdated preview with what changed and a button for a new one. */
function RefusalNotice({ error, onAgain }: { error: ApiError; onAgain: () => void }) {
  const stale = error.code === 'PREVIEW_STALE';
  return (
    <Callout
      tone="bad"
      title={stale ? 'The jobs changed since the preview. Nothing was done.' : undefined}
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

/** The export's file is written while it is downloaded, so only the link is left. */
export function ExportDownload({ operation, onClose }: { operation: Operation; onClose: () => void }) {
  return (
    <DialogContent
      size="sm"
      title="The export is ready"
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button asChild variant="primary">
            <a href={addressOf(paths.operationFile(operation.id))} download>
              <Download aria-hidden />
              Download {FORMAT_LABELS[operation.format ?? 'ndjson']}
            </a>
          </Button>
        </>
      }
    >
      <p className="text-sm">
        The file is written while you download it. If it was cut at the row limit, its last line says so. You
        can download it again from{' '}
        <Link href={links.operation(operation.id)} className="text-accent underline" onClick={onClose}>
          the operation
        </Link>
        .
      </p>
    </DialogContent>
  );
}
