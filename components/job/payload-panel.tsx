'use client';
import { useState } from 'react';
import { CodeBlock } from '@/components/ui/code-block';
import { JsonTree } from '@/components/ui/json-tree';
import { Panel } from '@/components/ui/panel';
import { Segmented } from '@/components/ui/segmented';
import type { JobDetail } from '@/lib/contract/job';
import { bytes } from '@/lib/format/bytes';

const VIEWS = [
  { value: 'tree', label: 'Tree' },
  { value: 'raw', label: 'Raw' },
] as const;
type View = (typeof VIEWS)[number]['value'];

/** What the job carries, and what it gave back. Bytes as they are: nothing is parsed on the way here. */
export function PayloadPanel({ job }: { job: JobDetail }) {
  const [view, setView] = useState<View>('tree');
  const { envelope, payload, payloadBytes, payloadIsText } = job;
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
          {job.result.result === null || job.result.result === '' ? (
            <p className="text-muted">It gave back nothing.</p>
          ) : (
            <Content text={job.result.result} view={view} label="result" />
          )}
        </Panel>
      )}
    </>
  );
}

function Content({ text, view, label }: { text: string; view: View; label: string }) {
  return view === 'tree' ? <JsonTree text={text} label={label} /> : <CodeBlock text={text} label={label} />;
}
