'use client';
import Link from 'next/link';
import { KeyValue, type KeyValueItem } from '@/components/ui/key-value';
import { Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { links } from '@/lib/browser/links';
import type { Operation } from '@/lib/contract/operations/operation';
import { RERUNS } from '@/lib/contract/operations/operation-kinds';
import { scopeLabel } from '@/lib/contract/operations/operation-text';
import { revealHidden } from '@/lib/format/display-text';
import { fullNumber } from '@/lib/format/number';
import { FORMAT_LABELS } from './labels';

/** The request: scope, settings, reason and user. */
export function RequestPanel({ operation }: { operation: Operation }) {
  const { reason, actor, createdAt, expected, estimated, scope, kind, cutoff, id } = operation;
  return (
    <Panel title="Request">
      <KeyValue
        items={[
          { label: 'Scope', value: <ScopeLink scope={scope} kind={kind} /> },
          {
            label: 'Matched',
            value: `${estimated ? 'at least ' : ''}${fullNumber(expected)} when it was confirmed`,
          },
          {
            label: 'Cut-off',
            value: scope.jobs ? (
              'the jobs as they were in the preview'
            ) : (
              <>
                matches up to <RelativeTime at={cutoff} />; later ones are not touched
              </>
            ),
          },
          ...kindItems(operation),
          { label: 'Reason', value: revealHidden(reason) },
          { label: 'By', value: revealHidden(actor) },
          { label: 'Confirmed', value: <RelativeTime at={createdAt} /> },
          { label: 'Id', value: id, mono: true },
        ]}
      />
    </Panel>
  );
}

/** Settings that only some kinds have. */
function kindItems({
  kind,
  target,
  patch,
  dueAt,
  format,
  maxRows,
  includeUnsafe,
}: Operation): KeyValueItem[] {
  const items: KeyValueItem[] = [];
  if (target !== null) items.push({ label: 'To queue', value: target });
  if (patch !== null)
    items.push({
      label: 'Changes',
      value: (
        <ul translate="no" className="font-mono text-xs leading-5">
          {patch.map((step) => (
            <li key={JSON.stringify(step)} className="break-words">
              {step.op} {revealHidden(step.path)}
              {step.op !== 'remove' && ` ${revealHidden(JSON.stringify(step.value))}`}
            </li>
          ))}
        </ul>
      ),
    });
  if (dueAt !== null) items.push({ label: 'Due', value: <RelativeTime at={dueAt} /> });
  if (format !== null)
    items.push({
      label: 'File',
      value: `${FORMAT_LABELS[format]}${maxRows === null ? '' : `, at most ${fullNumber(maxRows)} rows`}`,
    });
  if (RERUNS.has(kind) && includeUnsafe) items.push({ label: 'Unsafe jobs', value: 'included' });
  return items;
}

/** The operation's jobs, as a link where a page can list them. */
function ScopeLink({ scope, kind }: Pick<Operation, 'scope' | 'kind'>) {
  const href = kind === 'delete-queue' ? null : scopeHref(scope);
  const label = revealHidden(scopeLabel(scope, kind));
  if (href === null) return <>{label}</>;
  return (
    <Link href={href} className="break-words text-accent hover:underline">
      {label}
    </Link>
  );
}

function scopeHref({ state, q, jobs, queue }: Operation['scope']): string | null {
  const [only] = jobs ?? [];
  if (jobs) return jobs.length === 1 && only ? links.job(only.queue, only.jobId) : null;
  if (state === 'dead')
    return links.dead([queue && `queue:${queue}`, q && queue ? `(${q})` : q].filter(Boolean).join(' '));
  return queue === undefined ? null : links.queue(queue, state);
}
