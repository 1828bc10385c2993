'use client';
import { useId, useMemo, useState } from 'react';
import { Callout } from '@/components/ui/callout';
import { Button } from '@/components/ui/controls/button';
import { Field } from '@/components/ui/controls/field';
import { IconButton } from '@/components/ui/controls/icon-button';
import { Input, Textarea } from '@/components/ui/controls/input';
import { Plus, RotateCcw, X } from '@/components/ui/icons';
import { Panel } from '@/components/ui/panel';
import { CodeBlock } from '@/components/ui/text/code-block';
import { redactionOf, redactText } from '@/lib/contract/redaction';
import { HIDE_ALL, REDACTION_DEFAULT, REDACTION_RULES_MAX } from '@/lib/contract/redaction/redaction-default';
import { revealHidden } from '@/lib/format/display-text';
import { count } from '@/lib/format/plural';
import { readableRules } from './read-settings-draft';
import { type RuleDraft, ruleDrafts } from './settings-draft';
import { rowEditor, type SettingsEditor } from './use-settings-editor';

const EXAMPLES = [
  ['password', 'a field of that name at any depth; case, - and _ are ignored'],
  ['*token*', 'every name that contains “token”; * is allowed at either end of a name only'],
  ['/card/number', 'exactly this path'],
  ['/items/*/price', 'this path in every entry of a list or object'],
  ['/', 'the whole payload'],
] as const;

/** Redaction rules for payloads and results. */
export function RedactionPanel({ editor }: { editor: SettingsEditor }) {
  const { draft, set } = editor;
  const rows = draft.redact;
  const isDefault = sameRules(rows, REDACTION_DEFAULT);
  const { add } = rowEditor(rows, (redact) => set({ redact }));
  return (
    <Panel title="Hidden values">
      <p className="max-w-[75ch] text-muted text-sm">
        Values that match these rules are hidden in payloads and results on every page, in exports and in
        searches. Users with the permission “unmask” can show one job at a time; the access and its reason are
        logged. Workers get full payloads.
      </p>
      <div className="mt-3 grid gap-x-6 gap-y-4 lg:grid-cols-2">
        <section aria-labelledby="redaction-rules" className="min-w-0">
          <div className="mb-1 flex flex-wrap items-center justify-between gap-2">
            <h3 id="redaction-rules" className="font-medium text-xs">
              Rules <span className="font-normal text-faint">{isDefault ? 'default' : 'changed'}</span>
            </h3>
            <div className="flex gap-2">
              {!isDefault && (
                <Button
                  size="sm"
                  variant="ghost"
                  onClick={() => set({ redact: ruleDrafts(REDACTION_DEFAULT) })}
                >
                  <RotateCcw aria-hidden />
                  Reset to default
                </Button>
              )}
              <Button
                size="sm"
                disabled={rows.length >= REDACTION_RULES_MAX}
                onClick={() => add({ rule: '' })}
              >
                <Plus aria-hidden />
                Add a rule
              </Button>
            </div>
          </div>
          <Rules editor={editor} />
          {rows.length === 0 && (
            <Callout tone="warn">
              Without rules nothing is hidden: every user with access to a job of this queue sees its payload.
            </Callout>
          )}
          {rows.some(({ rule }) => rule.trim() === HIDE_ALL) && (
            <p className="mt-1 text-muted text-xs">With “/” the other rules have no effect.</p>
          )}
        </section>
        <div className="min-w-0 space-y-4">
          <section aria-labelledby="redaction-examples">
            <h3 id="redaction-examples" className="mb-1 font-medium text-xs">
              Rule syntax
            </h3>
            <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-xs">
              {EXAMPLES.map(([rule, words]) => (
                <div key={rule} className="col-span-2 grid grid-cols-subgrid">
                  <dt translate="no" className="font-mono">
                    {rule}
                  </dt>
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
  const { change, remove } = rowEditor(rows, (redact) => set({ redact }));
  return (
    <ul aria-label="Redaction rules" className="grid gap-1 sm:grid-cols-2">
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
                onChange={(event) => change(row, { rule: event.target.value })}
              />
              <IconButton
                label={`Remove rule ${revealHidden(rule) || i + 1}`}
                size="sm"
                onClick={() => remove(row)}
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

const EXAMPLE = `{
  "customer": { "name": "Ann", "Access-Token": "t-81f" },
  "card": { "number": "4111 1111 1111 1111", "brand": "visa" },
  "items": [{ "sku": "A1", "price": 9.9 }]
}`;

/** Applies the rules to a sample in the browser; nothing is sent. */
function RedactionSample({ rows }: { rows: readonly RuleDraft[] }) {
  const [sample, setSample] = useState(EXAMPLE);
  const { text, hidden } = useMemo(
    () => redactText(sample, redactionOf(readableRules(rows))),
    [sample, rows],
  );
  return (
    <section aria-label="Test the rules" className="space-y-2">
      <Field label="Test on a payload" hint="Evaluated in this browser only.">
        {(control) => (
          <Textarea
            {...control}
            rows={5}
            spellCheck={false}
            className="font-mono text-xs"
            value={sample}
            onChange={(event) => setSample(event.target.value)}
          />
        )}
      </Field>
      <p role="status" className="text-muted text-xs">
        {sample === ''
          ? 'Nothing to show.'
          : hidden === 0
            ? 'No values are hidden.'
            : `Shown as below: ${count(hidden, 'value')} hidden.`}
      </p>
      {sample !== '' && <CodeBlock text={text} label="redacted payload" className="max-h-56" />}
    </section>
  );
}
