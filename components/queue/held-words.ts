/** Why a job is held: a pause of its tenant or type, or the limit of its tenant. */
import { pauseHolding, scopeWords } from '@/lib/client/pauses';
import type { QueueConfig, TenantLimit } from '@/lib/contract/config';
import type { JobSummary } from '@/lib/contract/job';
import type { Pause } from '@/lib/contract/queue';
import { duration } from '@/lib/format/duration';
import { full } from '@/lib/format/number';
import { rateText } from '@/lib/format/parse';
import { visible } from '@/lib/format/text';

export interface HeldWords {
  by: string;
  why: string;
}

/** `config` is undefined until it is known. Null: nothing holds it any more; it is on its way back. */
export function heldWords(
  job: JobSummary,
  pauses: readonly Pause[],
  config: QueueConfig | undefined,
): HeldWords | null {
  const pause = pauseHolding(job, pauses);
  if (pause) {
    const until = pause.until === null ? '' : `, for ${duration(pause.until - pause.since)}`;
    return {
      by: `pause of ${scopeWords(pause.scope)}`,
      why: `“${visible(pause.reason)}” (${visible(pause.actor)}${until})`,
    };
  }
  const limit = config && limitOf(config, job.tenantId);
  if (!limit) return null;
  const parts = [
    limit.concurrency === null ? '' : `${full(limit.concurrency)} at once`,
    limit.rate === null ? '' : rateText(limit.rate.perSecond),
  ];
  return { by: `limit of tenant ${job.tenantId}`, why: parts.filter(Boolean).join(', ') };
}

/** The limit that counts for a tenant: its own exception, else the one for each. Null: none. */
export function limitOf(config: QueueConfig, tenant: string): TenantLimit | null {
  const limit = Object.hasOwn(config.tenantLimits, tenant) ? config.tenantLimits[tenant] : config.tenantLimit;
  return limit && (limit.rate || limit.concurrency) ? limit : null;
}
