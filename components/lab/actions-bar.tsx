'use client';
import { RefreshCcw } from 'lucide-react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { useLabBurst, useLabReclaim } from '@/lib/client/use-lab';
import { full } from '@/lib/format/number';
import { count } from '@/lib/format/plural';

const BURSTS = [100, 1_000, 5_000] as const;

/** Bursts of jobs, and the reclaim sweep by hand. */
export function ActionsBar() {
  const burst = useLabBurst();
  const reclaim = useLabReclaim();
  return (
    <>
      <span className="text-muted text-xs">Burst</span>
      {BURSTS.map((jobs) => (
        <Button
          key={jobs}
          size="sm"
          pending={burst.isPending && burst.variables?.jobs === jobs}
          onClick={() =>
            burst.mutate(
              { jobs },
              {
                onSuccess: () => toast.success(`${count(jobs, 'job')} on their way`),
                onError: (error) => toast.error(error.message),
              },
            )
          }
        >
          +{full(jobs)}
        </Button>
      ))}
      <Button
        size="sm"
        pending={reclaim.isPending}
        title="Takes back every lease that has run out. Workers do it by themselves each second."
        onClick={() =>
          reclaim.mutate(undefined, {
            onSuccess: ({ reclaimed }) =>
              toast.success(
                reclaimed === 0 ? 'No lease had run out' : `${count(reclaimed, 'job')} reclaimed`,
              ),
            onError: (error) => toast.error(error.message),
          })
        }
      >
        <RefreshCcw aria-hidden /> Run reclaim sweep
      </Button>
    </>
  );
}
