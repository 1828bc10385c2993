'use client';
import { Chips } from '@/components/ui/chips';
import { QueryInput } from '@/components/ui/query-input';
import type { QueryBar } from '@/lib/client/use-query-bar';
import { QUERY_MAX_CHARS } from '@/lib/contract/query';

/** Narrows the list of jobs. */
export function JobsQuery({ bar, state }: { bar: QueryBar; state: string }) {
  return (
    <div className="space-y-1.5 border-line border-b px-3 py-2">
      <QueryInput
        label={`Query of ${state} jobs`}
        placeholder="type:invoice.* tenant:acme payload.order.id:42"
        maxLength={QUERY_MAX_CHARS}
        value={bar.text}
        options={bar.options}
        problem={bar.problem}
        input={bar.input}
        onChange={bar.setText}
        onCaret={bar.setCaret}
        onAccept={bar.accept}
        onFix={bar.fix}
        onSubmit={bar.submit}
        onClear={bar.clear}
        onGiveUp={bar.giveUp}
      />
      <Chips label="Conditions" items={bar.terms} onRemove={bar.removeTerm} onClear={bar.clear} />
    </div>
  );
}
