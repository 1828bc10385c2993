/** Settings that do more than steer: what they take away or show cannot be had back, so they need what doing it by hand would. */
import {
  type ConfigPatch,
  type KeepingSetting,
  keepsLess,
  namesKeeping,
  type QueueConfig,
} from '@/lib/contract/config';
import { RedriveError } from '@/lib/contract/errors';
import { isEverywhere } from '@/lib/contract/permissions';
import { needEverywhere, needProof, needQueue } from '../access/need';
import { type Principal, withinOf } from '../access/principal';

/** Whether the answer of `needToChange` depends on what the settings are now. */
export const isGuarded = (patch: ConfigPatch): boolean =>
  namesKeeping(patch) || patch.redact !== undefined || patch.purgeNeedsApproval !== undefined;

/**
 * Besides `operate`.
 * @throws RedriveError FORBIDDEN | PROOF_NEEDED
 */
export function needToChange(
  principal: Principal,
  queue: string,
  patch: ConfigPatch,
  now: QueueConfig,
): void {
  // What is hidden is not for those to show who may not see it.
  if (patch.redact !== undefined) needQueue(principal, 'unmask', queue);
  const otherRules =
    patch.redact !== undefined && JSON.stringify(patch.redact) !== JSON.stringify(now.redact);
  const less = keepsLess(patch, now);
  // What was shown once is known, and what is not kept any more is gone: both are as final as a purge.
  if (otherRules || less.length > 0) needQueue(principal, 'destroy', queue);
  if (!now.purgeNeedsApproval) return;
  // Either deletes, or lets one delete, what needs approval. Never a token's: it has no access.
  if (patch.purgeNeedsApproval === false) needEverywhere(principal, 'access');
  if (less.length > 0) needAccessToKeepLess(principal, queue, less);
}

/** To keep less deletes at once, so it takes what switching the approval off takes. */
function needAccessToKeepLess(principal: Principal, queue: string, less: readonly KeepingSetting[]): void {
  if (isEverywhere(withinOf(principal, 'access'))) {
    needProof(principal);
    return;
  }
  throw new RedriveError(
    'FORBIDDEN',
    `${less.join(', ')}: to keep less than now deletes jobs of ${queue}, which asks for approval of that (purgeNeedsApproval). It needs the permission "access" for all queues and tenants, which ${principal.name} does not have. Start a purge instead, which somebody else approves. Nothing was changed.`,
    { fields: less.map((field) => ({ field, message: 'keeps less than now' })) },
  );
}
