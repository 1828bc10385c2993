'use client';
import { CopyButton } from '@/components/ui/controls/copy-button';
import { KeyValue, type KeyValueItem } from '@/components/ui/key-value';
import { DialogContent } from '@/components/ui/overlays/dialog';
import { CodeBlock } from '@/components/ui/text/code-block';
import { DiffView } from '@/components/ui/text/diff-view';
import { useTimeZone } from '@/components/ui/text/time-zone-choice';
import type { AuditEventView } from '@/lib/contract/audit/audit-schemas';
import { timeReadings } from '@/lib/format/date-time';
import { diffLines, jsonLines } from '@/lib/format/diff-lines';
import { revealHidden } from '@/lib/format/display-text';
import { AuditResult, ObjectCell } from './audit-event-cells';
import { pausedScope, pausedUntil } from './event-change-text';
import { jobCountLabel, originMethodLabel } from './labels';
import { type AuditRow, eventLabel } from './operation-rows';

/** All fields of an event: user, origin, change and hashes. */
export function AuditEventDialog({ row }: { row: AuditRow }) {
  const { entry } = row;
  return (
    <DialogContent
      size="lg"
      title={revealHidden(eventLabel(entry))}
      description={`Event ${entry.n.toLocaleString('en-US')} of the audit log`}
    >
      <div className="grid gap-4">
        <KeyValue items={aboutItems(row)} />
        <Changed entry={entry} />
        <section>
          <h3 className="mb-1 text-faint text-xs">Origin</h3>
          <KeyValue items={chainItems(entry)} />
        </section>
      </div>
    </DialogContent>
  );
}

function Changed({ entry }: { entry: AuditEventView }) {
  const { before, after } = entry;
  // The fields above say it: scope and end are not two states of one thing.
  if ((before === null && after === null) || pausedScope(entry)) return null;
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
          text={jsonLines(before ?? after ?? '').join('\n')}
          className="max-h-80"
        />
      )}
    </section>
  );
}

function Stamp({ at }: { at: number }) {
  const [first, utc] = timeReadings(at, useTimeZone());
  return (
    <>
      {first}
      {utc !== undefined && <span className="text-faint"> · {utc}</span>}
    </>
  );
}

/** Leaves out empty fields. */
const said = (items: readonly (KeyValueItem | null)[]): KeyValueItem[] =>
  items.filter((item) => item !== null);
const plain = (label: string, text: string | null, mono = false): KeyValueItem | null =>
  text === null || text === '' ? null : { label, value: revealHidden(text), mono };
const copied = (label: string, text: string | null): KeyValueItem | null =>
  text === null || text === ''
    ? null
    : {
        label,
        mono: true,
        value: (
          <span className="flex min-w-0 items-start gap-1">
            <span className="min-w-0 break-all">{revealHidden(text)}</span>
            <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} className="-my-0.5" />
          </span>
        ),
      };

function aboutItems({ entry, ends }: AuditRow): KeyValueItem[] {
  return said([
    { label: 'When', value: <Stamp at={entry.at} /> },
    {
      label: 'Who',
      value: (
        <>
          <span className="font-medium">{revealHidden(entry.actor)}</span>
          <span className="text-muted">
            {entry.actorId !== null && ` ${revealHidden(entry.actorId)}`}, {originMethodLabel(entry.method)}
            {entry.address !== null && `, from ${revealHidden(entry.address)}`}
          </span>
        </>
      ),
    },
    { label: 'Object', value: <ObjectCell entry={entry} /> },
    { label: 'Result', value: <AuditResult entry={entry} ends={ends} /> },
    plain('Count', jobCountLabel(entry)),
    ...pauseItems(entry),
    plain('Reason', entry.reason),
    plain('Filter', entry.filter, true),
    entry.shard === null ? null : plain('Shard', String(entry.shard)),
    plain('Action', entry.action, true),
  ]);
}

function pauseItems(entry: AuditEventView): (KeyValueItem | null)[] {
  const scope = pausedScope(entry);
  if (!scope) return [];
  const until = pausedUntil(entry);
  return [
    plain('Scope', scope.kind === 'queue' ? 'the whole queue' : `${scope.kind} ${scope.name}`),
    entry.action === 'queue.pause'
      ? { label: 'Until', value: until === null ? 'resumed' : <Stamp at={until} /> }
      : null,
  ];
}

const chainItems = (entry: AuditEventView): KeyValueItem[] =>
  said([
    copied('Request', entry.requestId),
    copied(entry.method === 'token' ? 'API token' : 'Session', entry.via),
    plain('Record', entry.source, true),
    copied('Hash', entry.hash),
    copied('Previous hash', entry.prev),
  ]);
