'use client';
import { Panel } from '@/components/ui/panel';
import { RateInputs } from './rate-field';
import { SettingField, SettingRow } from './setting-field';
import type { SettingsEditor } from './use-settings-editor';

/** What is let in, and how fast it is handed out. */
export function AdmissionPanel({ editor, depth }: { editor: SettingsEditor; depth?: React.ReactNode }) {
  const { draft, set, errors } = editor;
  const sheds = draft.shedAtPercent.trim() !== '' && draft.depthLimit.trim() === '';
  return (
    <Panel title="Admission">
      <div className="grid gap-x-5 gap-y-3 sm:grid-cols-2 2xl:grid-cols-4">
        <SettingField name="depthLimit" editor={editor} note={depth} />
        <SettingField
          name="shedAtPercent"
          editor={editor}
          note={sheds && <span className="text-warn">It takes a depth limit to have an effect.</span>}
        />
        <SettingField name="concurrency" editor={editor} />
        <SettingRow
          label="Rate"
          hint="Claims, not jobs: a retry takes a place again. Write 10/s, 90/min or 5/h."
          standard="no limit"
          isSet={draft.rate.perSecond.trim() !== '' || draft.rate.burst.trim() !== ''}
          error={errors['rate.perSecond'] ?? errors['rate.burst']}
          onReset={() => set({ rate: { perSecond: '', burst: '' } })}
        >
          {(control) => (
            <RateInputs
              id={control.id}
              described={control['aria-describedby']}
              label="Rate"
              value={draft.rate}
              invalid={{ perSecond: 'rate.perSecond' in errors, burst: 'rate.burst' in errors }}
              onChange={(rate) => set({ rate })}
            />
          )}
        </SettingRow>
      </div>
    </Panel>
  );
}
