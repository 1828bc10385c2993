'use client';
import { KeyValue, type KeyValueItem } from '@/components/ui/key-value';
import { Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import { type Operation, RERUNS } from '@/lib/contract/operations';
import { full } from '@/lib/format/number';
import { visible } from '@/lib/format/text';
import { ScopeLink } from './scope-link';

/** Who asked for what, and why. */
export function AskedPanel({ operation }: { operation: Operation }) {
  const { reason, actor, createdAt, expected, estimated, scope, kind, cutoff, id } = operation;
  return (
    <Panel title="What was asked">
      <KeyValue
        items={[
          { label: 'Which', value: <ScopeLink scope={scope} kind={kind} /> },
          {
            label: 'Matched',
            value: `${estimated ? 'at least ' : ''}${full(expected)} when it was confirmed`,
          },
          {
            label: 'Cut-off',
            value: scope.jobs ? (
              'the jobs as they were when it was previewed'
            ) : (
              <>
                what had come by <RelativeTime at={cutoff} />; later ones are left alone
              </>
            ),
          },
          ...asked(operation),
          { label: 'Reason', value: visible(reason) },
          { label: 'By', value: visible(actor) },
          { label: 'Confirmed', value: <RelativeTime at={createdAt} /> },
          { label: 'Id', value: id, mono: true },
        ]}
      />
    </Panel>
  );
}

/** What only some kinds ask for. */
function asked({ kind, target, patch, dueAt, format, maxRows, includeUnsafe }: Operation): KeyValueItem[] {
  const items: KeyValueItem[] = [];
  if (target !== null) items.push({ label: 'To queue', value: target });
  if (patch !== null)
    items.push({
      label: 'Changes',
      value: (
        <ul className="font-mono text-xs leading-5">
          {patch.map((step) => (
            <li key={JSON.stringify(step)} className="break-words">
              {step.op} {visible(step.path)}
              {step.op !== 'remove' && ` ${visible(JSON.stringify(step.value))}`}
            </li>
          ))}
        </ul>
      ),
    });
  if (dueAt !== null) items.push({ label: 'Due', value: <RelativeTime at={dueAt} /> });
  if (format !== null)
    items.push({
      label: 'File',
      value: `${format.toUpperCase()}${maxRows === null ? '' : `, at most ${full(maxRows)} rows`}`,
    });
  if (RERUNS.has(kind) && includeUnsafe) items.push({ label: 'Unsafe ones', value: 'included' });
  return items;
}
