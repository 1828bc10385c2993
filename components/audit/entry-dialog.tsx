'use client';
import { CodeBlock } from '@/components/ui/code-block';
import { CopyButton } from '@/components/ui/copy-button';
import { DialogContent } from '@/components/ui/dialog';
import { DiffView } from '@/components/ui/diff-view';
import { KeyValue, type KeyValueItem } from '@/components/ui/key-value';
import { useHydrated } from '@/components/ui/now';
import type { AuditEntry } from '@/lib/contract/audit';
import { diffLines, lines } from '@/lib/format/diff-lines';
import { visible } from '@/lib/format/text';
import { absoluteLocal, absoluteUtc } from '@/lib/format/time';
import { ObjectCell } from './entry-cells';
import { Result } from './result';
import { actionWords, countWords, wayWords } from './words';

/** All that an entry says: who, from where, what changed, and its place in the chain. */
export function EntryDialog({ entry }: { entry: AuditEntry }) {
  return (
    <DialogContent
      size="lg"
      title={visible(actionWords(entry.action))}
      description={`Entry ${entry.n.toLocaleString('en-US')} of the audit log`}
    >
      <div className="grid gap-4">
        <KeyValue items={aboutItems(entry)} />
        <Changed entry={entry} />
        <section>
          <h3 className="mb-1 text-faint text-xs">Where it comes from</h3>
          <KeyValue items={chainItems(entry)} />
        </section>
      </div>
    </DialogContent>
  );
}

function Changed({ entry: { before, after } }: { entry: AuditEntry }) {
  if (before === null && after === null) return null;
  return (
    <section>
      <h3 className="mb-1 text-faint text-xs">
        {before !== null && after !== null ? 'Before → after' : before === null ? 'After' : 'Before'}
      </h3>
      {before !== null && after !== null ? (
        <DiffView
          label="Change"
          lines={diffLines(before, after)}
          className="max-h-80 rounded border border-line"
        />
      ) : (
        <CodeBlock
          label={before === null ? 'after' : 'before'}
          text={lines(before ?? after ?? '').join('\n')}
          className="max-h-80"
        />
      )}
    </section>
  );
}

function Stamp({ at }: { at: number }) {
  // The server does not know the viewer's zone.
  const hydrated = useHydrated();
  return (
    <>
      {hydrated ? absoluteLocal(at) : absoluteUtc(at)}
      <span className="text-faint"> · {absoluteUtc(at)}</span>
    </>
  );
}

/** Leaves out what the entry does not say. */
const said = (items: readonly (KeyValueItem | null)[]): KeyValueItem[] =>
  items.filter((item) => item !== null);
const plain = (label: string, text: string | null, mono = false): KeyValueItem | null =>
  text === null || text === '' ? null : { label, value: visible(text), mono };
const copied = (label: string, text: string | null): KeyValueItem | null =>
  text === null || text === ''
    ? null
    : {
        label,
        mono: true,
        value: (
          <span className="flex min-w-0 items-start gap-1">
            <span className="min-w-0 break-all">{visible(text)}</span>
            <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} className="-my-0.5" />
          </span>
        ),
      };

function aboutItems(entry: AuditEntry): KeyValueItem[] {
  return said([
    { label: 'When', value: <Stamp at={entry.at} /> },
    {
      label: 'Who',
      value: (
        <>
          <span className="font-medium">{visible(entry.actor)}</span>
          <span className="text-muted">
            {entry.actorId !== null && ` ${visible(entry.actorId)}`}, {wayWords(entry.way)}
            {entry.address !== null && `, from ${visible(entry.address)}`}
          </span>
        </>
      ),
    },
    { label: 'Object', value: <ObjectCell entry={entry} /> },
    { label: 'Result', value: <Result entry={entry} /> },
    plain('How many', countWords(entry)),
    plain('Reason', entry.reason),
    plain('Filter', entry.filter, true),
    entry.shard === null ? null : plain('Shard', String(entry.shard)),
    plain('Action', entry.action, true),
  ]);
}

const chainItems = (entry: AuditEntry): KeyValueItem[] =>
  said([
    copied('Request', entry.requestId),
    copied(entry.way === 'token' ? 'API token' : 'Session', entry.via),
    plain('Record', entry.source, true),
    copied('Hash', entry.hash),
    copied('Hash before', entry.prev),
  ]);
