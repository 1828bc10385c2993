import { CopyButton } from '@/components/ui/controls/copy-button';
import { KeyValue, type KeyValueItem } from '@/components/ui/key-value';
import { Panel } from '@/components/ui/panel';
import { Duration } from '@/components/ui/text/number';
import { RelativeTime } from '@/components/ui/text/relative-time';
import type { JobDetail } from '@/lib/contract/jobs/job-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { traceLink } from './trace-link';

/** The metadata that the producer set. */
export function EnvelopePanel({ job: { envelope }, traceUrl }: { job: JobDetail; traceUrl: string | null }) {
  const trace = traceLink(traceUrl, envelope.traceId);
  const items: KeyValueItem[] = [
    { label: 'Type', value: `${envelope.jobType}, version ${envelope.jobVersion}` },
    { label: 'Tenant', value: envelope.tenantId },
    { label: 'Priority', value: String(envelope.priority) },
    { label: 'Created', value: <RelativeTime at={envelope.createdAt} /> },
    { label: 'Not before', value: <RelativeTime at={envelope.notBefore} /> },
    { label: 'Deadline', value: <RelativeTime at={envelope.deadline} /> },
    { label: 'Max attempts', value: String(envelope.maxAttempts) },
    {
      label: 'Timeout',
      value: envelope.timeoutMs === 0 ? 'worker default' : <Duration ms={envelope.timeoutMs} />,
    },
    { label: 'Idempotency key', value: <Reference text={envelope.idempotencyKey} />, mono: true },
    { label: 'Correlation id', value: <Reference text={envelope.correlationId} />, mono: true },
    { label: 'Trace id', value: <Reference text={envelope.traceId} href={trace} />, mono: true },
    { label: 'Payload ref', value: <Reference text={envelope.payloadRef} />, mono: true },
    { label: 'Envelope', value: `version ${envelope.version}` },
  ];
  return (
    <Panel title="Envelope">
      <KeyValue items={items} />
    </Panel>
  );
}

function Reference({ text, href = null }: { text: string | null; href?: string | null }) {
  if (text === null) return <span className="font-sans text-sm">–</span>;
  return (
    <span className="flex items-start gap-1">
      {href === null ? (
        <span className="min-w-0 [overflow-wrap:anywhere]">{revealHidden(text)}</span>
      ) : (
        <a
          href={href}
          target="_blank"
          rel="noreferrer"
          className="min-w-0 text-accent [overflow-wrap:anywhere] hover:underline"
        >
          {revealHidden(text)}
        </a>
      )}
      <CopyButton text={text} label="Copy" className="-my-0.5" />
    </span>
  );
}
