'use client';
import { ArrowDownToLine, CirclePause } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { RelativeTime } from '@/components/ui/relative-time';
import { links } from '@/lib/client/links';
import { scopeWords } from '@/lib/client/pauses';
import { useDrainings } from '@/lib/client/use-config';
import { useOverview } from '@/lib/client/use-overview';
import type { ConfigReply } from '@/lib/contract/config';
import type { QueuePause } from '@/lib/contract/queue';
import { full } from '@/lib/format/number';
import { visible } from '@/lib/format/text';

const SHOWN = 3;

/** Every pause that is on and every queue that drains, on every page: nobody should wonder why a queue stands still. */
export function PauseBanner() {
  const sums = useOverview().data?.sums;
  const [all, setAll] = useState(false);
  const pauses = sums?.pauses.named ?? [];
  const draining = sums?.draining.named ?? [];
  const shownPauses = all ? pauses : pauses.slice(0, SHOWN);
  const shownDraining = all ? draining : draining.slice(0, Math.max(0, SHOWN - pauses.length));
  const notes = useDrainings(shownDraining);
  const total = (sums?.pauses.total ?? 0) + (sums?.draining.total ?? 0);
  const unnamed = total - pauses.length - draining.length;
  if (total === 0) return null;
  return (
    <section
      aria-label={draining.length === 0 ? 'Pauses' : pauses.length === 0 ? 'Draining' : 'Pauses and draining'}
      className={cn(
        'flex items-start gap-2 border-b px-4 py-1.5 text-sm',
        pauses.length > 0 ? 'border-state-held/35 bg-state-held/8' : 'border-warn/35 bg-soft-warn',
      )}
    >
      <ul className="min-w-0 flex-1">
        {shownPauses.map((pause) => (
          <Line
            key={`${pause.queue} ${pause.scope}`}
            icon={<CirclePause aria-hidden className="text-state-held" />}
          >
            <PauseWords pause={pause} />
          </Line>
        ))}
        {shownDraining.map((queue) => (
          <Line key={queue} icon={<ArrowDownToLine aria-hidden className="text-warn" />}>
            <DrainWords queue={queue} note={notes.get(queue) ?? null} />
          </Line>
        ))}
        {all && unnamed > 0 && <li className="pl-6 text-muted">and {full(unnamed)} more, not listed here</li>}
      </ul>
      {total > SHOWN && (
        <Button size="sm" variant="ghost" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `${full(total - SHOWN)} more`}
        </Button>
      )}
    </section>
  );
}

function Line({ icon, children }: { icon: React.ReactNode; children: React.ReactNode }) {
  return (
    <li className="flex items-start gap-2 text-muted">
      <span className="mt-0.5 shrink-0 [&_svg]:size-4">{icon}</span>
      <span className="min-w-0">{children}</span>
    </li>
  );
}

function QueueName({ queue }: { queue: string }) {
  return (
    <Link href={links.queue(queue)} className="font-medium text-fg hover:underline">
      {queue}
    </Link>
  );
}

function PauseWords({ pause }: { pause: QueuePause }) {
  return (
    <>
      <QueueName queue={pause.queue} />: {scopeWords(pause.scope)} paused by{' '}
      <span className="text-fg">{visible(pause.actor)}</span> <RelativeTime at={pause.since} />,{' '}
      <span className="text-fg">“{visible(pause.reason)}”</span>.{' '}
      {pause.until === null ? (
        'Resumes only by hand.'
      ) : (
        <>
          Resumes by itself <RelativeTime at={pause.until} />.
        </>
      )}
    </>
  );
}

function DrainWords({ queue, note }: { queue: string; note: ConfigReply['draining'] }) {
  return (
    <>
      <QueueName queue={queue} />: draining, refuses new jobs
      {note && (
        <>
          ; by <span className="text-fg">{visible(note.actor)}</span> <RelativeTime at={note.since} />,{' '}
          <span className="text-fg">“{visible(note.reason)}”</span>
        </>
      )}
      . Ends only by hand.
    </>
  );
}
