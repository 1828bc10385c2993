'use client';
import { Button } from '@/components/ui/controls/button';
import { Trash2 } from '@/components/ui/icons';
import { pageActions } from '@/components/ui/page-actions';
import { Panel } from '@/components/ui/panel';
import { useOffer } from '@/lib/browser/access/use-permissions';
import { useHydrating } from '@/lib/browser/api/hydration';
import { useOperationWizard } from '@/lib/browser/operation-wizard-context';
import type { ConfigReply } from '@/lib/contract/queues/queue-config';
import { ChangesPanel } from './changes-panel';
import { SettingsForm } from './settings-form';
import { ShardsPanel } from './shards-panel';

/** Settings, shards, change history and deletion, once the settings are known. */
export function SettingsPanels({ queue, reported }: { queue: string; reported: ConfigReply }) {
  // What was typed into the HTML before its script was here would be lost, and a link's values are not in it.
  const hydrating = useHydrating();
  return (
    <fieldset
      key={String(hydrating)}
      disabled={hydrating}
      className="min-w-0 space-y-3 px-4 pb-6 max-sm:px-2"
    >
      <SettingsForm queue={queue} reported={reported} />
      <ShardsPanel queue={queue} shards={reported.shards} />
      <ChangesPanel queue={queue} />
      <DeletePanel queue={queue} />
    </fieldset>
  );
}

/** Opens the wizard, which counts the jobs and asks for the queue's name. */
function DeletePanel({ queue }: { queue: string }) {
  const ask = useOperationWizard();
  const { missing } = useOffer('destroy', queue);
  return (
    <Panel title="Delete this queue">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3" {...pageActions}>
        <p className="max-w-prose text-muted text-sm">
          Deletes the queue with all its jobs, their history, its settings and its pauses. This cannot be
          undone.
          {missing !== null && <span className="mt-1 block text-faint text-xs">{missing}</span>}
        </p>
        <Button
          variant="danger"
          disabled={missing !== null}
          onClick={() => ask({ kind: 'delete-queue', scope: { state: 'dead', q: '', queue } })}
        >
          <Trash2 aria-hidden />
          Delete queue…
        </Button>
      </div>
    </Panel>
  );
}
