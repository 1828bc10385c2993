import Link from 'next/link';
import { QueueActions } from '@/components/queue/queue-actions';
import { QueueAge } from '@/components/queue/queue-age';
import { QueueTabs } from '@/components/queue/queue-tabs';
import { PageHeader } from '@/components/shell/page-header';
import { links } from '@/lib/client/links';

/** The head that the pages of a queue share. */
export function QueueHead({ queue, tab }: { queue: string; tab: 'jobs' | 'settings' }) {
  return (
    <>
      <PageHeader
        above={
          <Link href={links.overview()} className="hover:underline">
            Overview
          </Link>
        }
        title={queue}
        age={<QueueAge queue={queue} />}
        actions={<QueueActions queue={queue} />}
      />
      <QueueTabs queue={queue} current={tab} />
    </>
  );
}
