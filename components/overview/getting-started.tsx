'use client';
import { EmptyState } from '@/components/ui/empty-state';
import { Inbox } from '@/components/ui/icons';
import { Panel } from '@/components/ui/panel';
import { useHydrated } from '@/components/ui/text/clock-provider';
import { CodeBlock } from '@/components/ui/text/code-block';
import { useMe } from '@/lib/browser/access/use-me';
import { useGrant } from '@/lib/browser/access/use-permissions';
import { consoleUrl } from '@/lib/browser/base-path';
import { isFullScope } from '@/lib/contract/access/grant-scopes';
import { paths } from '@/lib/contract/api-paths';

/** Shown while there is no queue. */
export function GettingStarted() {
  const origin = useHydrated() ? consoleUrl() : 'http://localhost:3000';
  const me = useMe().data;
  const [open, everywhere] = [me?.method === 'none', isFullScope(useGrant('view'))];
  const curl = [
    `curl -X POST ${origin}${paths.jobs('default')} \\`,
    `  -H 'content-type: application/json' \\`,
    ...(open ? [] : [`  -H 'authorization: Bearer rdt_…' \\`]),
    `  -d '{"jobType":"email.send","payload":{"to":"ada@example.com"}}'`,
  ].join('\n');
  return (
    <Panel>
      <EmptyState icon={<Inbox />} title={everywhere ? 'No queues' : 'No queue that you have access to'}>
        A queue appears here with its first job.
        {!open && ' Create an API token in the menu at the top right.'}
      </EmptyState>
      <div className="mx-auto grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4 pb-6">
        <div className="space-y-1.5">
          <h3 className="font-medium">Enqueue a job over HTTP</h3>
          <CodeBlock text={curl} label="command" wrap={false} />
        </div>
        <div className="space-y-1.5">
          <h3 className="font-medium">Or watch the demo worker, with traffic, failures and real crashes</h3>
          <CodeBlock text="npm run demo" label="command" />
        </div>
      </div>
    </Panel>
  );
}
