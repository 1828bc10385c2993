'use client';
import { useState } from 'react';
import { Segmented } from '@/components/ui/controls/segmented';
import { Panel } from '@/components/ui/panel';
import { CodeBlock } from '@/components/ui/text/code-block';
import { JsonTree } from '@/components/ui/text/json-tree';
import type { Unmask } from '@/lib/browser/jobs/use-unmask';
import type { JobDetail } from '@/lib/contract/jobs/job-schemas';
import { MASK } from '@/lib/contract/redaction/redaction-default';
import { bytes } from '@/lib/format/bytes';
import { UnmaskButton } from './unmask-button';

const VIEWS = [
  { value: 'tree', label: 'Tree' },
  { value: 'raw', label: 'Raw' },
] as const;
type View = (typeof VIEWS)[number]['value'];

/** Payload and result as stored, with hidden values redacted unless the user unmasked them. */
export function PayloadPanel({ job, unmask }: { job: JobDetail; unmask: Unmask }) {
  const [view, setView] = useState<View>('tree');
  const { envelope, payloadBytes } = job;
  const { payload, payloadIsText } = unmask.seen ?? job;
  const result = unmask.seen ? unmask.seen.result : (job.result?.result ?? null);
  return (
    <>
      <Panel
        title="Payload"
        aside={
          <>
            <span>
              {bytes(payloadBytes)}
              {!payloadIsText && payloadBytes > 0 && ', binary: shown as base64'}
            </span>
            {payloadIsText && payload !== '' && (
              <Segmented label="Show the payload as" value={view} options={VIEWS} onChange={setView} />
            )}
          </>
        }
      >
        <UnmaskButton job={job} unmask={unmask} />
        {payload === '' ? (
          <p className="text-muted">
            {envelope.payloadRef === null
              ? 'No payload.'
              : 'The payload is stored elsewhere: see Payload ref.'}
          </p>
        ) : (
          <Content text={payload} view={payloadIsText ? view : 'raw'} label="payload" />
        )}
      </Panel>
      {job.result && (
        <Panel title="Result" level={2}>
          {result === null || result === '' ? (
            <p className="text-muted">No result.</p>
          ) : (
            <Content text={result} view={view} label="result" />
          )}
        </Panel>
      )}
    </>
  );
}

function Content({ text, view, label }: { text: string; view: View; label: string }) {
  return view === 'tree' ? (
    <JsonTree text={text} label={label} mask={MASK} />
  ) : (
    <CodeBlock text={text} label={label} />
  );
}
