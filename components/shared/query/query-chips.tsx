import { Chips } from '@/components/ui/chips';
import type { QueryBar } from '@/lib/browser/search/use-query-bar';

/** The conditions of the applied query, each with a button that removes it. */
export function QueryChips({ bar }: { bar: QueryBar }) {
  // Their room, while the query cannot be read yet.
  if (bar.filter === undefined) return <div aria-hidden className="h-6" />;
  return <Chips label="Conditions" items={bar.terms} onRemove={bar.removeTerm} onClear={bar.clear} />;
}
