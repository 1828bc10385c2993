import { Badge } from '@/components/ui/badge';
import { CircleCheck, CircleDashed, type Icon, OctagonX } from '@/components/ui/icons';
import { RelativeTime } from '@/components/ui/text/relative-time';
import type { Tone } from '@/components/ui/tone';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { count } from '@/lib/format/plural';

type Breaker = Worker['breakers'][number];

const LOOK: Readonly<Record<Breaker['state'], { word: string; tone: Tone; Icon: Icon; meaning: string }>> = {
  open: {
    word: 'Open',
    tone: 'bad',
    Icon: OctagonX,
    meaning: 'The service behind these jobs keeps failing, so they wait instead of failing too',
  },
  'half-open': {
    word: 'Half-open',
    tone: 'warn',
    Icon: CircleDashed,
    meaning: 'One trial run is allowed; if it succeeds, the others follow',
  },
  closed: {
    word: 'Closed',
    tone: 'good',
    Icon: CircleCheck,
    meaning: 'Was open recently; jobs run normally again',
  },
};
/** Open ones first. */
const RANK: Readonly<Record<Breaker['state'], number>> = { open: 0, 'half-open': 1, closed: 2 };

/** Circuit breakers that are open, or were recently. */
export function BreakerList({ breakers }: { breakers: Worker['breakers'] }) {
  if (breakers.length === 0) return null;
  const sorted = [...breakers].sort(
    (a, b) => RANK[a.state] - RANK[b.state] || (a.jobType < b.jobType ? -1 : 1),
  );
  return (
    <section aria-label="Circuit breakers" className="border-line border-t px-3 py-1.5">
      <ul className="grid gap-1">
        {sorted.map((breaker) => (
          <BreakerItem key={breaker.jobType} breaker={breaker} />
        ))}
      </ul>
    </section>
  );
}

function BreakerItem({ breaker: { jobType, state, failures, retryAt } }: { breaker: Breaker }) {
  const { word, tone, Icon, meaning } = LOOK[state];
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-x-2 text-xs">
      <Badge tone={tone} icon={<Icon aria-hidden />} title={meaning}>
        {word}
      </Badge>
      <span className="min-w-0 truncate" title={jobType}>
        <span className="text-faint">Circuit breaker of</span> {jobType}
      </span>
      <span className="ml-auto whitespace-nowrap text-muted">
        {count(failures, 'failure')}
        {state === 'open' && retryAt !== null && (
          <>
            , retries <RelativeTime at={retryAt} />
          </>
        )}
      </span>
    </li>
  );
}
