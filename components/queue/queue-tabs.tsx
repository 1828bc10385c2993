'use client';
import { ListTree, SlidersHorizontal } from 'lucide-react';
import { NavTabs } from '@/components/ui/nav-tabs';
import { links } from '@/lib/client/links';
import { useMay } from '@/lib/client/permissions';

/** The two sides of a queue: what is in it, and how it works. */
export function QueueTabs({ queue, current }: { queue: string; current: 'jobs' | 'settings' }) {
  // Settings are of the whole queue.
  const whole = useMay('view', queue);
  return (
    <NavTabs
      label={`Pages of ${queue}`}
      className="mx-4 mb-3 max-sm:mx-2"
      value={current}
      items={[
        { value: 'jobs', label: 'Jobs', href: links.queue(queue), icon: <ListTree aria-hidden /> },
        ...(whole
          ? [
              {
                value: 'settings',
                label: 'Settings',
                href: links.queueSettings(queue),
                icon: <SlidersHorizontal aria-hidden />,
              },
            ]
          : []),
      ]}
    />
  );
}
