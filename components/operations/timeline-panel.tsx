'use client';
import { Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import type { Operation } from '@/lib/contract/operations';
import { visible } from '@/lib/format/text';
import { actorWords, EVENT_WORDS } from './words';

/** What happened to the operation itself, the latest first. */
export function TimelinePanel({ operation }: { operation: Operation }) {
  const events = [...operation.events].reverse();
  return (
    <Panel title="Timeline">
      {events.length === 0 ? (
        <p className="text-muted text-sm">Nothing is recorded.</p>
      ) : (
        <ol className="grid max-h-72 gap-1 overflow-y-auto text-sm">
          {events.map(({ at, what, by, sentence }) => (
            <li key={`${at} ${what}`} className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-3">
              <RelativeTime at={at} className="text-faint text-xs leading-5" />
              <p>
                <span className="font-medium">{EVENT_WORDS[what]}</span>{' '}
                <span className="text-muted">by {actorWords(by)}</span>
                {sentence && <span className="text-muted">: {visible(sentence)}</span>}
              </p>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
