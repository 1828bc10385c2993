'use client';
import { LoadError } from '@/components/shared/load-error';
import { Badge } from '@/components/ui/badge';
import { Callout } from '@/components/ui/callout';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { type DataColumn, DataTable } from '@/components/ui/tables/data-table';
import { DataAge } from '@/components/ui/text/relative-time';
import { useRedisChecks } from '@/lib/browser/use-redis-checks';
import type { RedisChecks } from '@/lib/contract/redis/redis-check-schemas';
import { summarizeChecks } from './checks-summary';
import { TOPIC_LABELS, VERDICT_LABELS } from './labels';
import { type SteadyCheck, useSteadyChecks } from './use-steady-checks';

const STALE_AFTER_MS = 20_000;

/** Is this Redis fit for jobs: every check, worst first, with its reason and its fix. */
export function RedisPage() {
  const query = useRedisChecks();
  const { data, error } = query;
  if (!data && error) return <LoadError title="The checks could not be loaded" query={query} />;
  return (
    <div className="space-y-3 px-4 pb-6 max-sm:px-2" aria-busy={!data}>
      {/* Summary and checks appear together: neither moves the other. */}
      {!data && <Placeholder />}
      {data && <Summary checks={data} />}
      {data?.servers.map((server) => (
        <ServerChecks key={server.node ?? 'one'} server={server} />
      ))}
    </div>
  );
}

function ServerChecks({ server: { node, version, checks } }: { server: RedisChecks['servers'][number] }) {
  return (
    <Panel flush title={node ? `Node ${node}` : 'Checks'} aside={version && `Redis ${version}`}>
      <DataTable
        label={node ? `Checks of ${node}` : 'Checks'}
        columns={COLUMNS}
        region="@container"
        className="[--stacked-lead:0_0_5.25rem]"
        rows={useSteadyChecks(checks)}
        rowKey={({ id }) => id}
      />
    </Panel>
  );
}

const Placeholder = () => (
  <Panel className="h-96">
    <Skeleton className="w-1/3" />
  </Panel>
);

export function RedisAge() {
  return <DataAge at={useRedisChecks().data?.at} staleAfterMs={STALE_AFTER_MS} />;
}

function Summary({ checks }: { checks: RedisChecks }) {
  const { tone, title, text } = summarizeChecks(checks);
  return (
    <Callout tone={tone} title={title}>
      {text}
    </Callout>
  );
}

const COLUMNS: readonly DataColumn<SteadyCheck>[] = [
  {
    key: 'verdict',
    head: 'Verdict',
    width: 92,
    truncate: false,
    stacked: 'lead',
    cell: ({ verdict }) => <Badge tone={VERDICT_LABELS[verdict].tone}>{VERDICT_LABELS[verdict].label}</Badge>,
  },
  {
    key: 'check',
    head: 'Check',
    className: 'w-[28%] md:w-[20%]',
    truncate: false,
    stacked: 'fill',
    cell: ({ title, topic }) => (
      <span className="block whitespace-normal py-1 [overflow-wrap:anywhere]">
        {title}
        <span className="block text-faint text-xs">{TOPIC_LABELS[topic]}</span>
      </span>
    ),
  },
  {
    key: 'value',
    head: 'Found',
    // On a phone it takes the rest.
    className: 'md:w-[26%]',
    truncate: false,
    stacked: 'text',
    cell: ({ value, fix, pastFix }) => (
      <span className="block whitespace-normal break-words py-1">
        {value}
        {fix !== null && <span className="block text-muted md:hidden">{fix}</span>}
        {pastFix !== null && (
          <span aria-hidden className="invisible block md:hidden">
            {pastFix}
          </span>
        )}
      </span>
    ),
  },
  {
    key: 'fix',
    head: 'Why it matters, and how to fix it',
    truncate: false,
    className: 'max-md:hidden',
    cell: ({ why, fix, pastFix }) => (
      <span className="block whitespace-normal py-1 text-muted">
        {why}
        {fix !== null && <span className="block text-fg">{fix}</span>}
        {pastFix !== null && (
          <span aria-hidden className="invisible block">
            {pastFix}
          </span>
        )}
      </span>
    ),
  },
];
