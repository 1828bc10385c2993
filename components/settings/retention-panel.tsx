'use client';
import { Panel } from '@/components/ui/panel';
import { SettingField } from './setting-field';
import type { SettingsEditor } from './use-settings-editor';

/** How long what is over is kept. */
export function RetentionPanel({ editor }: { editor: SettingsEditor }) {
  return (
    <Panel title="Retention">
      <div className="grid gap-x-5 gap-y-3 sm:grid-cols-2 xl:grid-cols-3">
        <SettingField name="completedKeep" editor={editor} />
        <SettingField name="completedKeepMs" editor={editor} />
        <SettingField name="completedKeepBytes" editor={editor} />
        <SettingField name="deadKeepMs" editor={editor} />
        <SettingField name="trashGraceMs" editor={editor} />
      </div>
    </Panel>
  );
}
