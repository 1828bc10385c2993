'use client';
import { Panel } from '@/components/ui/panel';
import { useMovements } from '@/lib/client/live';
import { LAB_QUEUES } from '@/lib/contract/lab';
import type { Movement } from '@/lib/contract/live';
import { absoluteUtc } from '@/lib/format/time';

const SHOWN = 40;
const WORD: Record<string, string> = {
  ready: 'enqueued',
  retry: 'failed, will retry',
  retried: 'back from retry',
  promoted: 'due',
  reclaimed: 'reclaimed',
};
const TONE: Record<string, string> = {
  completed: 'text-good',
  dead: 'text-bad',
  reclaimed: 'text-bad',
  retry: 'text-warn',
};

/** What happens, line by line, latest first. Not announced: it would never stop talking. */
export function MovementTicker() {
  const movements = useMovements().filter((movement) => movement.queue in LAB_QUEUES);
  const latest = movements.slice(-SHOWN).reverse();
  return (
    <Panel title="Events" aside="ids and states only" flush className="min-h-40">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <ul className="h-56 overflow-y-auto py-1 text-xs" tabIndex={0} aria-label="Latest events">
        {latest.length === 0 && (
          <li className="px-3 py-3 text-muted">Nothing has moved since this page opened.</li>
        )}
        {latest.map((movement) => (
          <Line key={movement.id} movement={movement} />
        ))}
      </ul>
    </Panel>
  );
}

function Line({ movement }: { movement: Movement }) {
  return (
    <li className="flex gap-2 whitespace-nowrap px-3 leading-5">
      <time className="text-faint" title={absoluteUtc(movement.at)}>
        {new Date(movement.at).toISOString().slice(14, 19)}
      </time>
      <span className="w-12 shrink-0 truncate text-muted">{movement.queue}</span>
      <span className={TONE[movement.event]}>{WORD[movement.event] ?? movement.event}</span>
      <span>{movement.count > 1 ? `× ${movement.count}` : ''}</span>
      <span className="min-w-0 flex-1 truncate text-right text-faint">
        {movement.worker?.replace(/^demo-/, '') ?? ''}
      </span>
    </li>
  );
}
