'use client';
import type { QueryBar } from '@/lib/browser/search/use-query-bar';
import { useQueryDraft } from '@/lib/browser/search/use-query-draft';
import type { JobState } from '@/lib/contract/jobs/job-states';
import { QUERY_MAX_CHARS } from '@/lib/contract/search/query/filter';
import { QueryInput } from './query-input';

/** The field of a page's query. What is typed renders nothing but the field. */
export function QueryField({
  label,
  placeholder,
  bar: { q, apply, input },
  state,
  queue,
}: {
  label: string;
  placeholder: string;
  bar: QueryBar;
  state?: JobState;
  queue?: string;
}) {
  const draft = useQueryDraft({ q, apply, input, state, queue });
  return <QueryInput label={label} placeholder={placeholder} maxLength={QUERY_MAX_CHARS} {...draft} />;
}
