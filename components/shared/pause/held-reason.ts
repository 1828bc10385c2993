/** Why a job is held: a pause of its tenant or type, or a tenant limit. */
import { blockingPause, pauseScopeLabel } from '@/lib/browser/queues/pause-scope';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import type { Pause } from '@/lib/contract/queues/pause-schemas';
import type { QueueConfig, TenantLimit } from '@/lib/contract/queues/queue-config';
import { revealHidden } from '@/lib/format/display-text';
import { duration } from '@/lib/format/duration';
import { fullNumber } from '@/lib/format/number';
import { rateText } from '@/lib/format/parse-units';

interface HeldReason {
  by: string;
  why: string;
}

/** Null: nothing holds the job any more. `config` is undefined while loading. */
export function heldReason(
  job: Pick<JobSummary, 'tenantId' | 'jobType'>,
  pauses: readonly Pause[],
  config: Pick<QueueConfig, 'tenantLimit' | 'tenantLimits'> | undefined,
): HeldReason | null {
  const pause = blockingPause(job, pauses);
  if (pause) {
    const until = pause.until === null ? '' : `, for ${duration(pause.until - pause.since)}`;
    return {
      by: `pause of ${pauseScopeLabel(pause.scope)}`,
      why: `“${revealHidden(pause.reason)}” (${revealHidden(pause.actor)}${until})`,
    };
  }
  const limit = config && tenantLimitOf(config, job.tenantId);
  if (!limit) return null;
  const parts = [
    limit.concurrency === null ? '' : `${fullNumber(limit.concurrency)} at once`,
    limit.rate === null ? '' : rateText(limit.rate.perSecond),
  ];
  return { by: `limit of tenant ${job.tenantId}`, why: parts.filter(Boolean).join(', ') };
}

/** The tenant's override or the limit per tenant. Null: none. */
function tenantLimitOf(
  config: Pick<QueueConfig, 'tenantLimit' | 'tenantLimits'>,
  tenant: string,
): TenantLimit | null {
  const limit = Object.hasOwn(config.tenantLimits, tenant) ? config.tenantLimits[tenant] : config.tenantLimit;
  return limit && (limit.rate || limit.concurrency) ? limit : null;
}
