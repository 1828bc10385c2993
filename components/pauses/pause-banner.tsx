'use client';
import { CirclePause } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { RelativeTime } from '@/components/ui/relative-time';
import { links } from '@/lib/client/links';
import { allPauses, type QueuePause, scopeWords } from '@/lib/client/pauses';
import { useOverview } from '@/lib/client/use-overview';
import { count } from '@/lib/format/plural';

const SHOWN = 3;

/** Every pause that is on, on every page: nobody should wonder why a queue stands still. */
export function PauseBanner() {
  const overview = useOverview().data;
  const [all, setAll] = useState(false);
  const pauses = overview ? allPauses(overview) : [];
  if (pauses.length === 0) return null;
  const shown = all ? pauses : pauses.slice(0, SHOWN);
  const more = pauses.length - shown.length;
  return (
    <section
      aria-label="Pauses"
      className="flex items-start gap-2 border-state-held/35 border-b bg-state-held/8 px-4 py-1.5 text-sm"
    >
      <CirclePause aria-hidden className="mt-0.5 size-4 shrink-0 text-state-held" />
      <ul className="min-w-0 flex-1">
        {shown.map((pause) => (
          <PauseLine key={`${pause.queue} ${pause.scope}`} pause={pause} />
        ))}
      </ul>
      {pauses.length > SHOWN && (
        <Button size="sm" variant="ghost" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `${count(more, 'more pause')}`}
        </Button>
      )}
    </section>
  );
}

function PauseLine({ pause }: { pause: QueuePause }) {
  return (
    <li className="text-muted">
      <Link href={links.queue(pause.queue)} className="font-medium text-fg hover:underline">
        {pause.queue}
      </Link>
      : {scopeWords(pause.scope)} paused by <span className="text-fg">{pause.actor}</span>{' '}
      <RelativeTime at={pause.since} />, <span className="text-fg">“{pause.reason}”</span>.{' '}
      {pause.until === null ? (
        'Resumes only by hand.'
      ) : (
        <>
          Resumes by itself <RelativeTime at={pause.until} />.
        </>
      )}
    </li>
  );
}
