'use client';
import { Callout } from '@/components/ui/callout';
import { Button } from '@/components/ui/controls/button';
import { CopyButton } from '@/components/ui/controls/copy-button';
import { RotateCw } from '@/components/ui/icons';
import { KeyValue } from '@/components/ui/key-value';
import { DialogContent } from '@/components/ui/overlays/dialog';
import { Skeleton } from '@/components/ui/skeleton';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { useAuditCheck } from '@/lib/browser/use-audit';
import type { AuditCheck } from '@/lib/contract/audit/audit-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { fullNumber } from '@/lib/format/number';
import { count } from '@/lib/format/plural';

/** Verifies that no event was changed, removed or inserted. */
export function VerifyLogDialog() {
  const { data, error, isFetching, refetch } = useAuditCheck();
  return (
    <DialogContent
      title="Log integrity"
      description="Each event stores the hash of the previous one, so a changed, missing or inserted event is detected."
      footer={
        <Button pending={isFetching} onClick={() => void refetch()}>
          <RotateCw aria-hidden />
          Verify again
        </Button>
      }
    >
      {error && !data && <Callout tone="bad">{error.detail}</Callout>}
      {!data && !error && (
        <div aria-busy className="grid gap-3 py-2">
          <span className="sr-only">Verifying</span>
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
        <Callout tone="good" title="The log is intact.">
          {checked === 0
            ? 'There are no events yet.'
            : `${count(checked, 'event')} verified: none changed, none missing.`}
        </Callout>
      ) : (
        <Callout tone="bad" title={`The log is not intact: ${count(problems.length, 'problem')}.`}>
          Compare it with an export, or with a hash of the newest event that you stored elsewhere.
        </Callout>
      )}
      {problems.length > 0 && (
        <ul className="max-h-48 overflow-y-auto rounded border border-line px-3 py-1.5 text-sm">
          {problems.map(({ n, sentence }) => (
            <li key={`${n} ${sentence}`} className="[overflow-wrap:anywhere]">
              {revealHidden(sentence)}
            </li>
          ))}
        </ul>
      )}
      <KeyValue
        items={[
          { label: 'Verified', value: <RelativeTime at={at} /> },
          { label: 'Events', value: first === null ? 'none' : `${fullNumber(first)} to ${fullNumber(last)}` },
          {
            label: 'Newest hash',
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
        Store the newest hash elsewhere: it proves later that no earlier event was changed.
        {!keyed &&
          ' Without a key, anyone who can write to Redis can recompute all hashes. Set REDRIVE_AUDIT_KEY.'}
        {first !== null &&
          first > 1 &&
          ' To verify older events that are still kept, run npm run audit -- verify.'}
      </p>
    </div>
  );
}
