'use client';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { CopyRequest } from '@/components/shared/requests/copy-request';
import { useFilledLink } from '@/components/shared/requests/use-filled';
import { useDialog } from '@/components/shared/use-dialog';
import { Callout } from '@/components/ui/callout';
import { Button } from '@/components/ui/controls/button';
import { ConfirmDialog } from '@/components/ui/overlays/lazy-dialogs';
import { toast } from '@/components/ui/overlays/toast';
import { pageActions } from '@/components/ui/page-actions';
import { useOffer } from '@/lib/browser/access/use-permissions';
import { filledText } from '@/lib/browser/dialog-link';
import { useQueue } from '@/lib/browser/queues/use-queue';
import { useChangeConfig } from '@/lib/browser/queues/use-queue-config';
import type { ConfigReply } from '@/lib/contract/queues/queue-config';
import { fullNumber } from '@/lib/format/number';
import { count } from '@/lib/format/plural';
import type { Difference } from './labels';
import { RedactionPanel } from './redaction-panel';
import { RetrySettings } from './retry-settings';
import { FieldsPanel } from './setting-field';
import { TenantOverrides } from './tenant-overrides';
import { useSettingsEditor } from './use-settings-editor';

const RETENTION = [
  'completedKeep',
  'completedKeepMs',
  'completedKeepBytes',
  'resendWindowMs',
  'deadKeepMs',
  'trashGraceMs',
  'purgeNeedsApproval',
] as const;

const DIALOGS = ['save'] as const;

/** Every setting, edited in place and saved as one change with a reason after a confirmation. */
export function SettingsForm({ queue, reported }: { queue: string; reported: ConfigReply }) {
  const filled = useFilledLink();
  const editor = useSettingsEditor(reported, filled);
  const { mutate, isPending, error, reset, requestOf } = useChangeConfig();
  const { missing } = useOffer('operate', queue);
  const region = useRef<HTMLElement>(null);
  const { patch, changes, dirty, errors, conflicts: meanwhile } = editor;
  const [asking, setAsking] = useDialog(DIALOGS, () => missing === null && patch !== null && dirty);
  const wrong = Object.keys(errors).length;
  const shedsNothing = editor.draft.shedAtPercent.trim() !== '' && editor.draft.depthLimit.trim() === '';
  const ask = () => {
    if (patch) setAsking('save');
    else {
      // The errors must be rendered before the first one can be focused.
      flushSync(editor.showErrors);
      region.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
    }
  };
  const save = (reason: string) => {
    if (!patch) return;
    mutate(
      { queue, ...patch, reason, ifRevision: editor.revision },
      {
        onSuccess: (reply) => {
          setAsking(null);
          editor.saved(reply);
          toast.success(`Saved the settings of ${queue}`);
        },
        onError: (refused) => {
          // The form then shows what changed.
          if (refused.code === 'CONFIG_CHANGED') setAsking(null);
        },
      },
    );
  };
  return (
    <section ref={region} aria-label={`Settings of ${queue}`} className="space-y-3">
      {missing && <Callout title="These settings are read-only for you.">{missing}</Callout>}
      <fieldset disabled={missing !== null} className="min-w-0 space-y-3">
        <FieldsPanel
          title="Admission"
          className="2xl:grid-cols-4"
          names={['depthLimit', 'shedAtPercent', 'concurrency', 'rate']}
          editor={editor}
          notes={{
            depthLimit: <DepthNote queue={queue} />,
            shedAtPercent: shedsNothing && (
              <span className="text-warn">Has no effect without a depth limit.</span>
            ),
          }}
        />
        <FieldsPanel
          title="Tenants"
          names={['tenantLimit.concurrency', 'tenantLimit.rate', 'fair']}
          editor={editor}
        >
          <TenantOverrides editor={editor} />
        </FieldsPanel>
        <FieldsPanel
          title="Objectives"
          names={['objectiveAgeMs', 'objectiveFailurePercent', 'objectiveDepth']}
          editor={editor}
        />
        <FieldsPanel title="Failure" names={['maxDeliveries']} editor={editor}>
          <RetrySettings editor={editor} />
        </FieldsPanel>
        <FieldsPanel title="Retention" names={RETENTION} editor={editor} />
      </fieldset>
      <RedactionPanel editor={editor} />
      {dirty && (
        <SaveBar edited={changes.length} wrong={wrong} onDiscard={editor.discard} onSave={ask}>
          {meanwhile && (
            <ConflictNote meanwhile={meanwhile} onTakeOver={editor.takeOver} onDiscard={editor.discard} />
          )}
          {!meanwhile && error?.code === 'CONFIG_CHANGED' && (
            <p role="status" className="text-sm text-warn">
              The settings were changed by someone else first. Your changes were not saved; loading theirs…
            </p>
          )}
        </SaveBar>
      )}
      <ConfirmDialog
        open={asking !== null}
        onOpenChange={() => {
          setAsking(null);
          reset();
        }}
        title={`Save the settings of ${queue}?`}
        description="Changes apply immediately, including to jobs already in the queue."
        facts={changes.map(({ id, label, before, after }) => ({
          key: id,
          label,
          value: (
            <>
              {before} <span aria-hidden>→</span>
              <span className="sr-only">becomes</span> <span className="font-medium">{after}</span>
            </>
          ),
        }))}
        confirmLabel="Save"
        reason="required"
        firstReason={filledText(filled, 'reason')}
        pending={isPending}
        error={error && error.code !== 'CONFIG_CHANGED' ? error.detail : null}
        tools={({ reason }) =>
          patch && (
            <CopyRequest
              request={() => requestOf({ queue, ...patch, reason, ifRevision: editor.revision })}
              filled={() => ({ patch, reason })}
            />
          )
        }
        onConfirm={({ reason }) => save(reason)}
      />
    </section>
  );
}

/** Concurrent changes, with the choice to keep or discard the own ones. */
function ConflictNote({
  meanwhile,
  onTakeOver,
  onDiscard,
}: {
  meanwhile: readonly Difference[];
  onTakeOver: () => void;
  onDiscard: () => void;
}) {
  return (
    <Callout tone="warn" title="The settings changed while you were editing">
      {meanwhile.length === 0 ? (
        'The values are the same as before.'
      ) : (
        <ul className="mt-1">
          {meanwhile.map(({ id, label, before, after }) => (
            <li key={id}>
              <span className="text-fg">{label}</span>: {before} <span aria-hidden>→</span>
              <span className="sr-only">became</span> <span className="text-fg">{after}</span>
            </li>
          ))}
        </ul>
      )}
      <span className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" variant="primary" onClick={onTakeOver}>
          Keep my changes
        </Button>
        <Button size="sm" onClick={onDiscard}>
          Discard my changes
        </Button>
      </span>
    </Callout>
  );
}

/** Unsaved changes with buttons, sticky at the bottom. */
function SaveBar({
  edited,
  wrong,
  onDiscard,
  onSave,
  children,
}: {
  edited: number;
  /** Number of invalid fields. */
  wrong: number;
  onDiscard: () => void;
  onSave: () => void;
  /** Shown above the buttons. */
  children?: React.ReactNode;
}) {
  return (
    <div className="sticky bottom-0 z-20 -mx-4 border-line-strong border-t bg-raised px-4 py-2 max-md:bottom-14 max-sm:-mx-2">
      <div className="mb-2 max-h-[40dvh] overflow-y-auto empty:hidden">{children}</div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p role="status" className="min-w-0 flex-1 text-sm">
          {wrong > 0 ? (
            <span className="text-bad">{count(wrong, 'field')} with errors: fix them before saving</span>
          ) : (
            `${count(edited, 'setting')} changed, not saved yet`
          )}
        </p>
        <span className="flex gap-x-4" {...pageActions}>
          <Button onClick={onDiscard}>Discard</Button>
          <Button variant="primary" onClick={onSave}>
            Save…
          </Button>
        </span>
      </div>
    </div>
  );
}

/** The present depth, beside the depth limit. */
function DepthNote({ queue }: { queue: string }) {
  const snapshot = useQueue(queue).data;
  if (!snapshot) return null;
  const partial = snapshot.shards.unavailable.length > 0 ? 'at least ' : '';
  return (
    <span>
      Now {partial}
      {fullNumber(snapshot.depth.jobs)}.
    </span>
  );
}
