'use client';
import { useEffect } from 'react';
import { useFormContext } from 'react-hook-form';
import { Callout } from '@/components/ui/callout';
import { Button } from '@/components/ui/controls/button';
import { Field } from '@/components/ui/controls/field';
import { Textarea } from '@/components/ui/controls/input';
import { Skeleton } from '@/components/ui/skeleton';
import { useJob } from '@/lib/browser/jobs/use-jobs';
import { isJson } from '@/lib/contract/json-fault';
import { jsonLines } from '@/lib/format/diff-lines';
import type { WizardDraft } from './wizard-draft';

/** JSON over several lines; other text as it is. */
const spread = (text: string): string => (isJson(text) ? jsonLines(text).join('\n') : text);

/** The payload of the one selected job as text. What differs becomes the patch. */
export function PayloadEditor({ job, problem }: { job: { queue: string; jobId: string }; problem?: string }) {
  const { setValue, watch } = useFormContext<WizardDraft>();
  const payload = watch('payload');
  const { data, error } = useJob(job.queue, job.jobId);
  const isLoading = payload?.before === null;
  useEffect(() => {
    if (!isLoading || !data) return;
    const before = data.payloadIsText ? data.payload : '';
    setValue('payload', { before, text: spread(before) });
  }, [isLoading, data, setValue]);
  if (error && isLoading)
    return (
      <Callout tone="bad" title="The payload could not be loaded">
        {error.detail}
      </Callout>
    );
  if (!payload || isLoading) return <Skeleton className="h-48 w-full" />;
  const set = (text: string) => setValue('payload', { ...payload, text });
  const before = payload.before ?? '';
  const isHidden = (data?.hidden ?? 0) > 0 && !isJson(before);
  const isBinary = data?.payloadIsText === false && data.payloadBytes > 0;
  return (
    <div className="grid gap-1.5">
      {isBinary && <Callout tone="warn">The payload is binary. Give a new one as JSON.</Callout>}
      {isHidden && <Callout tone="warn">The payload is hidden. What you write replaces all of it.</Callout>}
      {!isBinary && !isHidden && !isJson(before) && (
        <Callout tone="warn">
          {before === '' ? 'The job has no payload.' : 'The payload is not JSON.'} Correct it: handlers take
          JSON.
        </Callout>
      )}
      <Field label="Payload">
        {(control) => (
          <Textarea
            {...control}
            data-first
            rows={Math.min(22, Math.max(8, payload.text.split('\n').length + 1))}
            spellCheck={false}
            wrap="off"
            className="overflow-auto font-mono text-xs leading-4.5"
            value={payload.text}
            onChange={({ target }) => set(target.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap items-start gap-1.5">
        <Button size="sm" disabled={!isJson(payload.text)} onClick={() => set(spread(payload.text))}>
          Format
        </Button>
        <Button size="sm" disabled={payload.text === spread(before)} onClick={() => set(spread(before))}>
          Reset
        </Button>
        {/* Not an alert, because it appears while the user still types. */}
        <p className="min-h-4 min-w-0 flex-1 self-center text-muted text-xs" aria-live="polite">
          {problem}
        </p>
      </div>
    </div>
  );
}
