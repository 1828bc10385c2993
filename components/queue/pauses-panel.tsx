'use client';
import { CirclePause, Play } from 'lucide-react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import { scopeWords } from '@/lib/client/pauses';
import { useOffer } from '@/lib/client/permissions';
import { useResume } from '@/lib/client/use-pause';
import type { Pause, QueueSnapshot } from '@/lib/contract/queue';
import { visible } from '@/lib/format/text';
import { DrainingItem } from './draining-item';

function titleOf({ draining, pauses }: QueueSnapshot): string {
  if (!draining) return 'Paused here';
  return pauses.length > 0 ? 'Draining and paused here' : 'Draining';
}

/** What is paused or draining here: by whom, why, since when, until when. */
export function PausesPanel({ queue }: { queue: QueueSnapshot }) {
  return (
    <Panel title={titleOf(queue)} flush>
      <ul className="divide-y divide-line">
        {queue.draining && <DrainingItem queue={queue} />}
        {queue.pauses.map((pause) => (
          <PauseItem key={pause.scope} queue={queue.queue} pause={pause} />
        ))}
      </ul>
    </Panel>
  );
}

function PauseItem({ queue, pause }: { queue: string; pause: Pause }) {
  const { resume, pending } = useResumeWithWords(queue, pause.scope);
  const operate = useOffer('operate', queue);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-1.5">
      <span className="flex min-w-44 items-center gap-1.5 font-medium text-state-held">
        <CirclePause aria-hidden className="size-3.5 shrink-0" />
        <span className="min-w-0 break-words first-letter:uppercase">{scopeWords(pause.scope)}</span>
      </span>
      <span className="min-w-40 flex-1 [overflow-wrap:anywhere]">“{visible(pause.reason)}”</span>
      <span className="text-muted text-xs">
        {visible(pause.actor)}, <RelativeTime at={pause.since} />.{' '}
        {pause.until === null ? (
          'Resumes only by hand.'
        ) : (
          <>
            Resumes by itself <RelativeTime at={pause.until} />.
          </>
        )}
      </span>
      {operate.shown && (
        <Button size="sm" pending={pending} blocked={operate.missing} onClick={resume}>
          <Play aria-hidden />
          Resume
        </Button>
      )}
    </li>
  );
}

/** Resumes one scope and says how it went. */
export function useResumeWithWords(queue: string, scope: Pause['scope']) {
  const { mutate, isPending } = useResume();
  const resume = () =>
    mutate(
      { queue, scope },
      {
        onSuccess: () => toast.success(`Resumed ${scope === 'queue' ? queue : scopeWords(scope)}`),
        onError: (error) => toast.error('Could not resume', { description: error.detail }),
      },
    );
  return { resume, pending: isPending };
}
