'use client';
import { QueryInput } from '@/components/ui/query-input';
import { useQueryBar } from '@/lib/client/use-query-bar';
import { parseQuery, QUERY_MAX_CHARS } from '@/lib/contract/query';
import type { JobState } from '@/lib/contract/states';

/**
 * The query of an operation. What stands in the field is what counts, at every letter: a wizard must never go on with
 * another query than the one on the screen. What is wrong with it is said once one tried to go on.
 */
export function QueryField({
  value,
  state,
  queue,
  told,
  onChange,
}: {
  value: string;
  state: JobState;
  queue: string;
  told: boolean;
  onChange: (q: string) => void;
}) {
  const bar = useQueryBar({ q: value, apply: onChange, state, queue: queue || null });
  const parsed = parseQuery(value);
  return (
    <div className="grid gap-1">
      <span aria-hidden className="font-medium text-xs">
        And match
      </span>
      <QueryInput
        label="And match"
        shortcut={null}
        placeholder="everything; or type:invoice.* code:HTTP_503 age:>1h"
        maxLength={QUERY_MAX_CHARS}
        value={value}
        options={bar.options}
        problem={told && !parsed.ok ? parsed.error : null}
        input={bar.input}
        onChange={(text, caret) => {
          bar.setText(text, caret);
          onChange(text);
        }}
        onCaret={bar.setCaret}
        onAccept={(option) => {
          onChange(value.slice(0, option.from) + option.insert + value.slice(option.to));
          return bar.accept(option);
        }}
        onFix={() => {
          if (parsed.ok || parsed.error.suggestion === null) return;
          const { position, length, suggestion } = parsed.error;
          onChange(value.slice(0, position) + suggestion + value.slice(position + length));
          bar.input.current?.focus();
        }}
        // Enter goes on, as it does in every other field of the wizard.
        onSubmit={() => bar.input.current?.form?.requestSubmit()}
        onClear={() => onChange('')}
        onGiveUp={() => undefined}
      />
    </div>
  );
}
