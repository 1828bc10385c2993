'use client';
import { Plus, RotateCcw, X } from 'lucide-react';
import { useId } from 'react';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { IconButton } from '@/components/ui/icon-button';
import { Input } from '@/components/ui/input';
import { Panel } from '@/components/ui/panel';
import { newKey } from '@/lib/client/intent';
import { HIDE_ALL, REDACTION_DEFAULT, REDACTION_RULES_MAX } from '@/lib/contract/redaction';
import { type RuleDraft, ruleDrafts } from './draft';
import { RedactionSample } from './redaction-sample';
import type { SettingsEditor } from './use-settings-editor';

const EXAMPLES = [
  ['password', 'a field of that name at any depth, whatever its case; - and _ make no difference'],
  ['*token*', 'every name with “token” in it; a * stands at an end of a name, nowhere else'],
  ['/card/number', 'that one place'],
  ['/items/*/price', 'that place in every entry of a list or object'],
  ['/', 'the whole payload'],
] as const;

/** What of payloads and results is hidden from those who may not see it. */
export function RedactionPanel({ editor }: { editor: SettingsEditor }) {
  const { draft, set } = editor;
  const rows = draft.redact;
  const isDefault = sameRules(rows, REDACTION_DEFAULT);
  return (
    <Panel title="Hidden values">
      <p className="max-w-[75ch] text-muted text-sm">
        What these rules name in payloads and results is hidden on every page, in exports and in searches, for
        everybody. Those with the permission “unmask” can look at one job at a time, with a reason, on record.
        Workers get payloads whole.
      </p>
      <div className="mt-3 grid gap-x-6 gap-y-4 lg:grid-cols-2">
        <section aria-labelledby="redaction-rules" className="min-w-0">
          <div className="mb-1 flex flex-wrap items-center justify-between gap-2">
            <h3 id="redaction-rules" className="font-medium text-xs">
              Rules <span className="font-normal text-faint">{isDefault ? 'the default' : 'set here'}</span>
            </h3>
            <div className="flex gap-2">
              {!isDefault && (
                <Button
                  size="sm"
                  variant="ghost"
                  onClick={() => set({ redact: ruleDrafts(REDACTION_DEFAULT) })}
                >
                  <RotateCcw aria-hidden />
                  Back to the default
                </Button>
              )}
              <Button
                size="sm"
                disabled={rows.length >= REDACTION_RULES_MAX}
                onClick={() => set({ redact: [...rows, { row: newKey(), rule: '' }] })}
              >
                <Plus aria-hidden />
                Add a rule
              </Button>
            </div>
          </div>
          <Rules editor={editor} />
          {rows.length === 0 && (
            <Callout tone="warn">
              Nothing is hidden: whoever may see a job of this queue sees its payload.
            </Callout>
          )}
          {rows.some(({ rule }) => rule.trim() === HIDE_ALL) && (
            <p className="mt-1 text-muted text-xs">With “/” the other rules make no difference.</p>
          )}
        </section>
        <div className="min-w-0 space-y-4">
          <section aria-labelledby="redaction-examples">
            <h3 id="redaction-examples" className="mb-1 font-medium text-xs">
              How a rule is written
            </h3>
            <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-xs">
              {EXAMPLES.map(([rule, words]) => (
                <div key={rule} className="col-span-2 grid grid-cols-subgrid">
                  <dt className="font-mono">{rule}</dt>
                  <dd className="text-muted">{words}</dd>
                </div>
              ))}
            </dl>
          </section>
          <RedactionSample rows={rows} />
        </div>
      </div>
    </Panel>
  );
}

function Rules({ editor: { draft, set, errors } }: { editor: SettingsEditor }) {
  const id = useId();
  const rows = draft.redact;
  const change = (row: string, rule: string) =>
    set({ redact: rows.map((one) => (one.row === row ? { ...one, rule } : one)) });
  return (
    <ul aria-label="Rules of what is hidden" className="grid gap-1 sm:grid-cols-2">
      {rows.map(({ row, rule }, i) => {
        const error = errors[`redact.${row}`];
        return (
          <li key={row} className="min-w-0">
            <div className="flex items-center gap-1">
              <Input
                aria-label={`Rule ${i + 1}`}
                aria-invalid={error ? true : undefined}
                aria-describedby={error ? `${id}-${row}` : undefined}
                className="font-mono text-xs"
                placeholder="*token* or /card/number"
                value={rule}
                onChange={(event) => change(row, event.target.value)}
              />
              <IconButton
                label={`Remove rule ${rule || i + 1}`}
                size="sm"
                onClick={() => set({ redact: rows.filter((one) => one.row !== row) })}
              >
                <X aria-hidden />
              </IconButton>
            </div>
            {error && (
              <p id={`${id}-${row}`} role="alert" className="text-bad text-xs first-letter:uppercase">
                {error}
              </p>
            )}
          </li>
        );
      })}
    </ul>
  );
}

const sameRules = (rows: readonly RuleDraft[], rules: readonly string[]): boolean =>
  rows.length === rules.length && rows.every(({ rule }) => rules.includes(rule.trim()));
