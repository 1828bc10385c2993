'use client';
import { Inbox } from 'lucide-react';
import { CodeBlock } from '@/components/ui/code-block';
import { EmptyState } from '@/components/ui/empty-state';
import { useHydrated } from '@/components/ui/now';
import { Panel } from '@/components/ui/panel';
import { useWithin } from '@/lib/client/permissions';
import { useMe } from '@/lib/client/use-me';
import { paths } from '@/lib/contract/api';
import { isEverywhere } from '@/lib/contract/permissions';

/** No queue yet: a queue exists from its first job on. */
export function GettingStarted() {
  const origin = useHydrated() ? window.location.origin : 'http://localhost:3000';
  const me = useMe().data;
  const [open, everywhere] = [me?.way === 'none', isEverywhere(useWithin('view'))];
  const curl = [
    `curl -X POST ${origin}${paths.jobs('default')} \\`,
    `  -H 'content-type: application/json' \\`,
    ...(open ? [] : [`  -H 'authorization: Bearer rdt_…' \\`]),
    `  -d '{"jobType":"email.send","payload":{"to":"ada@example.com"}}'`,
  ].join('\n');
  return (
    <Panel>
      <EmptyState
        icon={<Inbox />}
        title={everywhere ? 'There is no queue yet' : 'There is no queue yet that you may see'}
      >
        A queue appears here with its first job.
        {!open && ' Programs enqueue with an API token: see your menu at the top right.'}
      </EmptyState>
      <div className="mx-auto grid max-w-3xl gap-4 pb-6">
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
