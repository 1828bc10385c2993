'use client';
import { RotateCw } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { CopyButton } from '@/components/ui/copy-button';
import { DialogContent } from '@/components/ui/dialog';
import { KeyValue } from '@/components/ui/key-value';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { useAuditCheck } from '@/lib/client/use-audit';
import type { AuditCheck } from '@/lib/contract/audit';
import { full } from '@/lib/format/number';
import { count } from '@/lib/format/plural';
import { visible } from '@/lib/format/text';

/** Whether an entry was changed, taken out or put in since it was written. */
export function CheckDialog() {
  const { data, error, isFetching, refetch } = useAuditCheck(true);
  return (
    <DialogContent
      title="Check of the chain"
      description="Each entry holds the hash of the one before, so that a change, a gap or an entry put in later is seen."
      footer={
        <Button pending={isFetching} onClick={() => void refetch()}>
          <RotateCw aria-hidden />
          Check again
        </Button>
      }
    >
      {error && !data && <Callout tone="bad">{error.detail}</Callout>}
      {!data && !error && (
        <div aria-busy className="grid gap-3 py-2">
          <span className="sr-only">Checking</span>
          <Skeleton className="w-2/3" />
          <Skeleton className="w-1/2" />
        </div>
      )}
      {data && <Found check={data} />}
    </DialogContent>
  );
}

function Found({ check }: { check: AuditCheck }) {
  const { ok, checked, first, last, head, keyed, problems, at } = check;
  return (
    <div className="grid gap-3">
      {ok ? (
        <Callout tone="good" title="The chain is whole.">
          {checked === 0
            ? 'There is no entry yet.'
            : `${count(checked, 'entry', 'entries')}: none was changed, none is missing.`}
        </Callout>
      ) : (
        <Callout tone="bad" title={`The chain is broken in ${count(problems.length, 'place')}.`}>
          Compare it with an export, or with a hash of the newest entry that was written down elsewhere.
        </Callout>
      )}
      {problems.length > 0 && (
        <ul className="max-h-48 overflow-y-auto rounded border border-line px-3 py-1.5 text-sm">
          {problems.map(({ n, sentence }) => (
            <li key={`${n} ${sentence}`} className="[overflow-wrap:anywhere]">
              {visible(sentence)}
            </li>
          ))}
        </ul>
      )}
      <KeyValue
        items={[
          { label: 'Checked', value: <RelativeTime at={at} /> },
          { label: 'Entries', value: first === null ? 'none' : `${full(first)} to ${full(last)}` },
          {
            label: 'Hash of the newest',
            mono: true,
            value: (
              <span className="flex min-w-0 items-start gap-1">
                <span className="min-w-0 break-all">{head}</span>
                <CopyButton text={head} label="Copy the hash" className="-my-0.5" />
              </span>
            ),
          },
          { label: 'Keyed', value: keyed ? 'yes, with REDRIVE_AUDIT_KEY' : 'no' },
        ]}
      />
      <p className="text-muted text-sm">
        Written down elsewhere, the hash of the newest entry proves later that nothing before it was changed.
        {!keyed &&
          ' Without a key, whoever can write to Redis could compute the whole chain anew: set REDRIVE_AUDIT_KEY.'}
        {first !== null &&
          first > 1 &&
          ' Older entries are checked by npm run audit -- verify, as far as they are kept.'}
      </p>
    </div>
  );
}
