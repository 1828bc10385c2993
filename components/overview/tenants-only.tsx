import { UsersRound } from 'lucide-react';
import type { Route } from 'next';
import Link from 'next/link';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Panel } from '@/components/ui/panel';
import { links } from '@/lib/client/links';
import type { Me } from '@/lib/contract/access';
import { areasOf } from '@/lib/contract/permissions';

const SHOWN = 20;

/** For somebody who sees the jobs of some tenants: what is counted over a whole queue holds those of others, too. */
export function TenantsOnly({ me }: { me: Me }) {
  const areas = areasOf(me.grants, 'view');
  const tenants = [...new Set(areas.flatMap((area) => area.tenants ?? []))];
  const queues = [...new Set(areas.map(({ queue }) => queue))].filter((queue) => !queue.endsWith('*'));
  return (
    <div className="space-y-3 px-4 pb-6 max-sm:px-2">
      <Panel>
        <EmptyState
          icon={<UsersRound />}
          title="You see the jobs of some tenants"
          action={
            <Button asChild variant="primary">
              <Link href={links.dead() as Route}>Go to their dead letters</Link>
            </Button>
          }
        >
          Numbers of whole queues hold the jobs of other tenants too, so they are not yours to see. You see:{' '}
          <span className="text-fg">{tenants.slice(0, SHOWN).join(', ')}</span>
          {tenants.length > SHOWN && ' and more'}.
        </EmptyState>
        {queues.length > 0 && (
          <ul aria-label="Queues" className="flex flex-wrap justify-center gap-x-4 gap-y-1 pb-6 text-sm">
            {queues.slice(0, SHOWN).map((queue) => (
              <li key={queue}>
                <Link href={links.queue(queue)} className="text-accent hover:underline">
                  {queue}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </div>
  );
}
