'use client';
import { useState } from 'react';
import { CodeBlock } from '@/components/ui/code-block';
import { JsonTree } from '@/components/ui/json-tree';
import { Panel } from '@/components/ui/panel';
import { Segmented } from '@/components/ui/segmented';
import type { Unmask } from '@/lib/client/use-unmask';
import type { JobDetail } from '@/lib/contract/job';
import { MASK } from '@/lib/contract/redaction';
import { bytes } from '@/lib/format/bytes';
import { UnmaskButton } from './unmask-button';

const VIEWS = [
  { value: 'tree', label: 'Tree' },
  { value: 'raw', label: 'Raw' },
] as const;
type View = (typeof VIEWS)[number]['value'];

/** What the job carries, and what it gave back: as it is stored but for what is hidden, which some may look at. */
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
              {!payloadIsText && payloadBytes > 0 && ', not text: shown as base64'}
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
              ? 'It carries no payload.'
              : 'It carries a reference instead; see Payload ref.'}
          </p>
        ) : (
          <Content text={payload} view={payloadIsText ? view : 'raw'} label="payload" />
        )}
      </Panel>
      {job.result && (
        <Panel title="Result" level={2}>
          {result === null || result === '' ? (
            <p className="text-muted">It gave back nothing.</p>
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
