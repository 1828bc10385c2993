'use client';
import Link from 'next/link';
import { useState } from 'react';
import { Button } from '@/components/ui/controls/button';
import { KeyValue, type KeyValueItem } from '@/components/ui/key-value';
import { lazyPart } from '@/components/ui/lazy-part';
import { Panel } from '@/components/ui/panel';
import { links } from '@/lib/browser/links';
import { useGroup } from '@/lib/browser/search/use-dead-letters';
import type { JobDetail } from '@/lib/contract/jobs/job-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { fullNumber } from '@/lib/format/number';
import { plural } from '@/lib/format/plural';

const RelatedJobs = lazyPart(() => import('./related-jobs').then((module) => module.RelatedJobs));

/** What belongs to the job: similar failures, its operation, and jobs with the same references. */
export function RelatedPanel({ job }: { job: JobDetail }) {
  const { group, operation } = job;
  const [isAsked, setAsked] = useState(false);
  const items: KeyValueItem[] = [];
  if (group !== null) items.push({ label: 'Similar failures', value: <SimilarFailures group={group} /> });
  if (operation !== null)
    items.push({
      label: 'Operation',
      value: (
        <Link href={links.operation(operation)} className="text-accent hover:underline">
          {operation}
        </Link>
      ),
      mono: true,
    });
  return (
    <Panel title="Related">
      {items.length > 0 && <KeyValue items={items} />}
      {isAsked ? (
        <RelatedJobs job={job} />
      ) : (
        <Button size="sm" className={items.length > 0 ? 'mt-2' : undefined} onClick={() => setAsked(true)}>
          Find related jobs
        </Button>
      )}
    </Panel>
  );
}

function SimilarFailures({ group }: { group: string }) {
  const { data } = useGroup(group);
  const size = data ? `${fullNumber(data.count)} ${plural(data.count, 'dead letter')}` : 'failure group';
  return (
    <Link href={links.dead(`group:${group}`)} className="text-accent hover:underline">
      {data?.name ? `${revealHidden(data.name)}: ${size}` : size}
    </Link>
  );
}
