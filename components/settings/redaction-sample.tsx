'use client';
import { useMemo, useState } from 'react';
import { CodeBlock } from '@/components/ui/code-block';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/input';
import { redactionOf, redactText } from '@/lib/contract/redaction';
import { count } from '@/lib/format/plural';
import type { RuleDraft } from './draft';
import { readableRules } from './read-rules';

const EXAMPLE = `{
  "customer": { "name": "Ann", "Access-Token": "t-81f" },
  "card": { "number": "4111 1111 1111 1111", "brand": "visa" },
  "items": [{ "sku": "A1", "price": 9.9 }]
}`;

/** What the rules make of a payload that somebody types or pastes: worked out here, nothing is sent. */
export function RedactionSample({ rows }: { rows: readonly RuleDraft[] }) {
  const [sample, setSample] = useState(EXAMPLE);
  const { text, hidden } = useMemo(
    () => redactText(sample, redactionOf(readableRules(rows))),
    [sample, rows],
  );
  return (
    <section aria-label="Try the rules" className="space-y-2">
      <Field label="Try them on a payload" hint="Stays in this browser.">
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
            ? 'Nothing of it is hidden.'
            : `Shown as below: ${count(hidden, 'value')} hidden.`}
      </p>
      {sample !== '' && <CodeBlock text={text} label="what is shown of it" className="max-h-56" />}
    </section>
  );
}
