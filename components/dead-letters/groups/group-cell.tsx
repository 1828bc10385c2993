import Link from 'next/link';
import type { ReactNode } from 'react';
import { groupTitle } from '@/components/shared/group-title';
import { ClassLabel } from '@/components/shared/job-lists/class-label';
import { Badge } from '@/components/ui/badge';
import { CircleCheck, EyeOff, type Icon, RefreshCcwDot, StickyNote } from '@/components/ui/icons';
import { RelativeTime } from '@/components/ui/text/relative-time';
import type { Tone } from '@/components/ui/tone';
import type { Group } from '@/lib/contract/search/search-schemas';
import { revealHidden, titleText } from '@/lib/format/display-text';
import { count } from '@/lib/format/plural';
import { tenantsLabel, versionsLabel } from '../labels';

type Status = Exclude<Group['status'], 'open'>;
const STATUS_LOOK: Readonly<Record<Status, { word: string; tone: Tone; Icon: Icon }>> = {
  reopened: { word: 'Reopened', tone: 'warn', Icon: RefreshCcwDot },
  resolved: { word: 'Resolved', tone: 'good', Icon: CircleCheck },
  muted: { word: 'Muted', tone: 'neutral', Icon: EyeOff },
};

export function GroupStatusBadge({ group: { status, changedBy } }: { group: Group }) {
  if (status === 'open') return null;
  const { word, tone, Icon } = STATUS_LOOK[status];
  const by = changedBy ? `${status === 'reopened' ? 'Resolved' : word} by ${changedBy}` : undefined;
  return (
    <Badge
      tone={tone}
      icon={<Icon aria-hidden />}
      title={status === 'reopened' ? `${by ?? 'Resolved'}; failed again since` : by}
    >
      {word}
    </Badge>
  );
}

/** A group in two lines: its title, and the values that its jobs share. */
export function GroupCell({ group, href }: { group: Group; href: string }) {
  const title = titleText(groupTitle(group));
  const versions = versionsLabel(group);
  const tenants = tenantsLabel(group);
  return (
    <div className="min-w-0 py-1.5">
      {/* Two lines, filled or not: rows change places, and must not move the others. */}
      <div className="flex min-h-10 min-w-0 items-center gap-2 px-px">
        <Link
          data-row-link
          href={href}
          scroll={false}
          prefetch={false}
          title={group.name === null ? title : `${title}\n${titleText(group.message ?? '')}`}
          className="line-clamp-2 min-w-0 whitespace-normal break-words rounded-xs font-medium leading-5 hover:underline"
        >
          {title}
        </Link>
        <GroupStatusBadge group={group} />
      </div>
      {/* Rows keep their place. The values of another group are new elements: they push nothing aside. */}
      <div
        key={group.group}
        className="flex min-w-0 items-center gap-x-2 text-muted text-xs max-sm:min-h-8 max-sm:flex-wrap max-sm:content-start"
      >
        <ClassLabel value={group.class} />
        <Fact title={group.code} className="max-w-44 shrink-0 font-mono">
          {group.code}
        </Fact>
        <Fact title={[group.type, versions].filter(Boolean).join(' ')} className="max-w-56 shrink-0">
          {group.type}
          {versions && <span className="text-faint"> {versions}</span>}
        </Fact>
        {tenants && (
          <Fact title={count(group.tenantCount, 'tenant')} className="max-w-64 max-lg:hidden">
            {tenants}
          </Fact>
        )}
        <span className="text-faint sm:hidden">
          <RelativeTime at={group.lastSeen} />
        </span>
        {group.note && (
          <Fact title={revealHidden(group.note)} className="flex-1 text-fg max-sm:basis-full">
            <StickyNote aria-label="Note:" className="mr-1 inline size-3 text-faint" />
            {revealHidden(group.note)}
          </Fact>
        )}
      </div>
    </div>
  );
}

function Fact({ title, className, children }: { title: string; className?: string; children: ReactNode }) {
  return (
    <span title={title} className={`min-w-0 truncate ${className ?? ''}`}>
      {children}
    </span>
  );
}
