'use client';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { toast } from 'sonner';
import { Callout } from '@/components/ui/callout';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { useOffer } from '@/lib/client/permissions';
import { useChangeConfig } from '@/lib/client/use-config';
import type { ConfigReply } from '@/lib/contract/config';
import { AdmissionPanel } from './admission-panel';
import { ConflictNote } from './conflict-note';
import { DepthNote } from './depth-note';
import { FailurePanel } from './failure-panel';
import { RedactionPanel } from './redaction-panel';
import { RetentionPanel } from './retention-panel';
import { SaveBar } from './save-bar';
import { TenantsPanel } from './tenants-panel';
import { useSettingsEditor } from './use-settings-editor';

/** Every setting, edited in place and saved as one change with a reason, after it was said in words. */
export function SettingsForm({ queue, reported }: { queue: string; reported: ConfigReply }) {
  const editor = useSettingsEditor(reported);
  const { mutate, isPending, error, reset } = useChangeConfig();
  const [asking, setAsking] = useState(false);
  const region = useRef<HTMLElement>(null);
  const { patch, changes, dirty, errors, meanwhile } = editor;
  const wrong = Object.keys(errors).length;
  const ask = () => {
    if (patch) setAsking(true);
    else {
      // Drawn first: only then is there a field to go to.
      flushSync(editor.tell);
      region.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
    }
  };
  const save = (reason: string) => {
    if (!patch) return;
    mutate(
      { queue, ...patch, reason, ifRevision: editor.revision },
      {
        onSuccess: (reply) => {
          setAsking(false);
          editor.saved(reply);
          toast.success(`Saved the settings of ${queue}`);
        },
        onError: (refused) => {
          // The form itself then says what changed meanwhile.
          if (refused.code === 'CONFIG_CHANGED') setAsking(false);
        },
      },
    );
  };
  const { missing } = useOffer('operate', queue);
  return (
    <section ref={region} aria-label={`Settings of ${queue}`} className="space-y-3">
      {missing && <Callout title="You can look at these settings, not change them.">{missing}</Callout>}
      <fieldset disabled={missing !== null} className="min-w-0 space-y-3">
        <AdmissionPanel editor={editor} depth={<DepthNote queue={queue} />} />
        <TenantsPanel editor={editor} />
        <FailurePanel editor={editor} />
        <RetentionPanel editor={editor} />
      </fieldset>
      <RedactionPanel editor={editor} />
      {dirty && (
        <SaveBar edited={changes.length} wrong={wrong} onDiscard={editor.discard} onSave={ask}>
          {meanwhile && (
            <ConflictNote meanwhile={meanwhile} onTakeOver={editor.takeOver} onDiscard={editor.discard} />
          )}
          {!meanwhile && error?.code === 'CONFIG_CHANGED' && (
            <p role="status" className="text-sm text-warn">
              Somebody else saved first. Nothing of yours was saved; reading what they changed…
            </p>
          )}
        </SaveBar>
      )}
      <ConfirmDialog
        open={asking}
        onOpenChange={(open) => {
          setAsking(open);
          if (!open) reset();
        }}
        title={`Save the settings of ${queue}?`}
        description="They hold from this moment on, for jobs that are already in the queue too."
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
        pending={isPending}
        error={error && error.code !== 'CONFIG_CHANGED' ? error.detail : null}
        onConfirm={({ reason }) => save(reason)}
      />
    </section>
  );
}
