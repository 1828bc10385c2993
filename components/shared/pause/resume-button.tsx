'use client';
import { Button } from '@/components/ui/controls/button';
import { Play } from '@/components/ui/icons';
import { toast } from '@/components/ui/overlays/toast';
import { useOffer } from '@/lib/browser/access/use-permissions';
import { pauseScopeLabel, pauseTarget } from '@/lib/browser/queues/pause-scope';
import { usePause, useResume } from '@/lib/browser/queues/use-queue-actions';
import type { Pause } from '@/lib/contract/queues/pause-schemas';

const MINUTE_MS = 60_000;
/** Of a pause with an end what was left of it. */
const remainingMs = (until: number | null): number | undefined =>
  until === null ? undefined : Math.max(MINUTE_MS, until - Date.now());

/** Ends one pause. Absent for users who may not. */
export function ResumeButton({
  queue,
  pause: { scope, reason, until },
}: {
  queue: string;
  pause: Pick<Pause, 'scope' | 'reason' | 'until'>;
}) {
  const target = pauseTarget(scope);
  const tenant = target.kind === 'tenant' ? target.name : undefined;
  const operate = useOffer('operate', queue, tenant);
  const { mutate, isPending } = useResume();
  const { mutate: pauseAgain } = usePause();
  if (!operate.shown) return null;
  const name = scope === 'queue' ? queue : pauseScopeLabel(scope);
  const resume = () =>
    mutate(
      { queue, scope },
      {
        onSuccess: () =>
          toast.success(`Resumed ${name}`, {
            action: {
              label: 'Undo',
              onClick: () =>
                pauseAgain(
                  { queue, scope, reason, forMs: remainingMs(until) },
                  { onError: ({ detail }) => toast.error('Could not pause', { description: detail }) },
                ),
            },
          }),
        onError: (error) => toast.error('Could not resume', { description: error.detail }),
      },
    );
  return (
    <Button
      size="sm"
      pending={isPending}
      blocked={operate.missing}
      aria-label={scope === 'queue' ? `Resume queue ${queue}` : `Resume ${name} in ${queue}`}
      onClick={resume}
    >
      <Play aria-hidden />
      Resume
    </Button>
  );
}
