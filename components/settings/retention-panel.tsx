'use client';
import { Panel } from '@/components/ui/panel';
import { Switch } from '@/components/ui/switch';
import { SettingField, SettingRow } from './setting-field';
import type { SettingsEditor } from './use-settings-editor';

/** How long what is over is kept. */
export function RetentionPanel({ editor }: { editor: SettingsEditor }) {
  const { draft, set, errors } = editor;
  return (
    <Panel title="Retention">
      <div className="grid gap-x-5 gap-y-3 sm:grid-cols-2 xl:grid-cols-3">
        <SettingField name="completedKeep" editor={editor} />
        <SettingField name="completedKeepMs" editor={editor} />
        <SettingField name="completedKeepBytes" editor={editor} />
        <SettingField name="resendWindowMs" editor={editor} />
        <SettingField name="deadKeepMs" editor={editor} />
        <SettingField name="trashGraceMs" editor={editor} />
        <SettingRow
          label="Second person for purges"
          hint="What deletes jobs of this queue, or overwrites their payloads, starts only after somebody else approved it. To keep less than now takes an administrator."
          standard="not asked for"
          error={errors.purgeNeedsApproval}
          isSet={draft.purgeNeedsApproval}
          onReset={() => set({ purgeNeedsApproval: false })}
        >
          {(control) => (
            <Switch
              id={control.id}
              aria-describedby={control['aria-describedby']}
              checked={draft.purgeNeedsApproval}
              onCheckedChange={(purgeNeedsApproval) => set({ purgeNeedsApproval })}
            />
          )}
        </SettingRow>
      </div>
    </Panel>
  );
}
