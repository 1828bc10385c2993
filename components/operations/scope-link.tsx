import type { Route } from 'next';
import Link from 'next/link';
import { links } from '@/lib/client/links';
import { scopeWords } from '@/lib/contract/operation-words';
import type { Operation } from '@/lib/contract/operations';
import { visible } from '@/lib/format/text';

/** Which jobs it is about, as a link to them where a page shows such a search. */
export function ScopeLink({ scope, kind }: Pick<Operation, 'scope' | 'kind'>) {
  const href = kind === 'delete-queue' ? null : hrefOf(scope);
  const words = visible(scopeWords(scope, kind));
  if (href === null) return <>{words}</>;
  return (
    <Link href={href as Route} className="break-words text-accent hover:underline">
      {words}
    </Link>
  );
}

function hrefOf({ state, q, jobs, queue }: Operation['scope']): string | null {
  const [only] = jobs ?? [];
  if (jobs) return jobs.length === 1 && only ? links.job(only.queue, only.jobId) : null;
  if (state === 'dead')
    return links.dead([queue && `queue:${queue}`, q && queue ? `(${q})` : q].filter(Boolean).join(' '));
  return queue === undefined ? null : links.queue(queue, state);
}
