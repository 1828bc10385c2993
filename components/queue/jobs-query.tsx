'use client';
import { Chips } from '@/components/ui/chips';
import { QueryInput } from '@/components/ui/query-input';
import { fieldOf, type QueryBar } from '@/lib/client/use-query-bar';

/** Narrows the list of jobs. */
export function JobsQuery({ bar, state }: { bar: QueryBar; state: string }) {
  return (
    <div className="space-y-1.5 border-line border-b px-3 py-2">
      <QueryInput
        label={`Query of ${state} jobs`}
        placeholder="type:invoice.* tenant:acme payload.order.id:42"
        {...fieldOf(bar)}
      />
      <Chips label="Conditions" items={bar.terms} onRemove={bar.removeTerm} onClear={bar.clear} />
    </div>
  );
}
