'use client';
import { LoadError } from '@/components/shared/load-error';
import { Badge } from '@/components/ui/badge';
import { Callout } from '@/components/ui/callout';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { type DataColumn, DataTable } from '@/components/ui/tables/data-table';
import { DataAge } from '@/components/ui/text/relative-time';
import { useRedisChecks } from '@/lib/browser/use-redis-checks';
import type { RedisCheckResult, RedisChecks } from '@/lib/contract/redis/redis-check-schemas';
import { CHECK_VERDICTS } from '@/lib/contract/redis/redis-check-verdicts';
import { summarizeChecks } from './checks-summary';
import { TOPIC_LABELS, VERDICT_LABELS } from './labels';

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
        <Panel
          key={server.node ?? 'one'}
          flush
          title={server.node ? `Node ${server.node}` : 'Checks'}
          aside={server.version && `Redis ${server.version}`}
        >
          <DataTable
            label={server.node ? `Checks of ${server.node}` : 'Checks'}
            columns={COLUMNS}
            region="@container"
            className="[--stacked-lead:0_0_5.25rem]"
            rows={worstFirst(server.checks)}
            // By position: a check that gets worse moves no other row.
            rowKey={(_, index) => index}
          />
        </Panel>
      ))}
    </div>
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

/** In the list's order within one verdict, so that rows stay where they are. */
const worstFirst = (checks: readonly RedisCheckResult[]): readonly RedisCheckResult[] =>
  CHECK_VERDICTS.flatMap((verdict) => checks.filter((check) => check.verdict === verdict));

function Summary({ checks }: { checks: RedisChecks }) {
  const { tone, title, text } = summarizeChecks(checks);
  return (
    <Callout tone={tone} title={title}>
      {text}
    </Callout>
  );
}

const COLUMNS: readonly DataColumn<RedisCheckResult>[] = [
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
    cell: ({ value, fix }) => (
      <span className="block whitespace-normal break-words py-1">
        {value}
        {fix !== null && <span className="block text-muted md:hidden">{fix}</span>}
      </span>
    ),
  },
  {
    key: 'fix',
    head: 'Why it matters, and how to fix it',
    truncate: false,
    className: 'max-md:hidden',
    cell: ({ why, fix }) => (
      <span className="block whitespace-normal py-1 text-muted">
        {why}
        {fix !== null && <span className="block text-fg">{fix}</span>}
      </span>
    ),
  },
];
