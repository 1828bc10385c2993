'use client';
import { cn } from '@/components/ui/cn';
import { Button } from '@/components/ui/controls/button';
import { RotateCcw } from '@/components/ui/icons';
import { toast } from '@/components/ui/overlays/toast';
import { pageActions } from '@/components/ui/page-actions';
import { RelativeTime } from '@/components/ui/text/relative-time';
import type { LabState } from '@/lib/contract/lab/lab-schemas';
import type { QueueSnapshot } from '@/lib/contract/queues/queue-schemas';
import { fullNumber, NO_VALUE } from '@/lib/format/number';
import { plural } from '@/lib/format/plural';
import { crashTotals } from './lab-flow';
import { useLabReset } from './use-lab';

/** "97 crashes · 288 jobs reclaimed · 0 lost", counted in Redis since the last reset. */
export function LabHeadline({
  lab,
  queues,
  may,
}: {
  lab: LabState | null;
  queues: readonly QueueSnapshot[] | null;
  may: boolean;
}) {
  const totals = lab && queues ? crashTotals(lab.session, queues) : null;
  return (
    <section
      aria-label="Crashes and lost jobs"
      className="flex min-h-14 flex-wrap items-center gap-x-6 gap-y-1 rounded-md border border-line bg-panel px-3 py-2"
    >
      <p className="flex flex-wrap items-baseline gap-x-2.5 text-sm max-sm:gap-x-1.5">
        <Figure value={totals?.crashes} tone={totals?.crashes ? 'text-bad' : ''} />
        <span className="text-muted">{plural(totals?.crashes, 'crash', 'crashes')}</span>
        <Dot />
        <Figure value={totals?.reclaimed} />
        <span className="text-muted">{plural(totals?.reclaimed, 'job')} reclaimed</span>
        <Dot />
        <Figure value={totals?.lost} tone={totals?.lost ? 'text-bad' : 'text-good'} />
        <span className="text-muted">lost</span>
      </p>
      <p className="ml-auto flex items-center gap-3 text-faint text-xs" {...pageActions}>
        <span className="max-sm:hidden">
          {lab?.session.since ? (
            <>
              since the reset <RelativeTime at={lab.session.since} />
            </>
          ) : (
            'since the demo first ran'
          )}
        </span>
        {may && <Reset />}
      </p>
    </section>
  );
}

function Figure({ value, tone }: { value: number | undefined; tone?: string }) {
  return (
    <span className={cn('font-semibold text-2xl max-sm:text-xl tabular-nums leading-8 tracking-tight', tone)}>
      {value === undefined ? NO_VALUE : fullNumber(value)}
    </span>
  );
}

function Dot() {
  return (
    <span aria-hidden className="text-faint">
      ·
    </span>
  );
}

function Reset() {
  const { mutate, isPending } = useLabReset();
  return (
    <Button
      variant="ghost"
      pending={isPending}
      aria-label="Reset the totals"
      title="Count from zero; no job is changed"
      onClick={() =>
        mutate(undefined, {
          onError: (error) => toast.error('Could not reset the totals', { description: error.detail }),
        })
      }
    >
      <RotateCcw aria-hidden />
      Reset
    </Button>
  );
}
