'use client';
import { useState } from 'react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/controls/button';
import { Eye, EyeOff, Lock } from '@/components/ui/icons';
import { ConfirmDialog } from '@/components/ui/overlays/lazy-dialogs';
import { useOffer } from '@/lib/browser/access/use-permissions';
import type { Unmask } from '@/lib/browser/jobs/use-unmask';
import type { JobDetail } from '@/lib/contract/jobs/job-schemas';
import { count } from '@/lib/format/plural';

const ROW = 'mb-2 flex flex-wrap items-center gap-2';

/** The number of hidden values and, with permission, a button to show them. */
export function UnmaskButton({ job, unmask }: { job: JobDetail; unmask: Unmask }) {
  const [asking, setAsking] = useState(false);
  const { jobId, tenantId } = job.envelope;
  const offer = useOffer('unmask', job.queue, tenantId);
  if (unmask.seen)
    return (
      <div className={ROW}>
        <Badge tone="warn" icon={<Eye aria-hidden />}>
          Hidden values shown
        </Badge>
        <Button size="sm" onClick={unmask.hide}>
          <EyeOff aria-hidden />
          Hide again
        </Button>
      </div>
    );
  if (job.hidden === 0) return null;
  return (
    <div className={ROW}>
      <Badge icon={<Lock aria-hidden />}>{count(job.hidden, 'value')} hidden</Badge>
      {offer.shown && (
        <Button size="sm" blocked={offer.missing} onClick={() => setAsking(true)}>
          <Eye aria-hidden />
          Show hidden values…
        </Button>
      )}
      <ConfirmDialog
        open={asking && !unmask.seen}
        onOpenChange={(open) => {
          setAsking(open);
          if (!open) unmask.reset();
        }}
        title="Show hidden values of this job?"
        description="Shows the stored payload, result and errors until you leave this page. Your access and the reason are recorded in the audit log."
        facts={[
          { label: 'Job', value: jobId, mono: true },
          { label: 'Queue', value: job.queue },
          { label: 'Tenant', value: tenantId },
        ]}
        confirmLabel="Show values"
        reason="required"
        pending={unmask.pending}
        error={unmask.error?.detail}
        onConfirm={({ reason }) => unmask.look(reason)}
      />
    </div>
  );
}
