import Link from 'next/link';
import { QueueActions, QueueAge, QueueTabs } from '@/components/queues/queue-actions';
import { PageHeader } from '@/components/shell/page-header';
import { links } from '@/lib/browser/links';

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
