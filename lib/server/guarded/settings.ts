/** Settings that do more than steer: what they take away or show cannot be had back, so they need what doing it by hand would. */
import type { ConfigPatch, QueueConfig } from '@/lib/contract/config';
import { needEverywhere, needQueue } from '../access/need';
import type { Principal } from '../access/principal';

/** How much, or how long, jobs are kept. Null: without an end. */
const KEEPING = [
  'completedKeep',
  'completedKeepMs',
  'completedKeepBytes',
  'deadKeepMs',
  'trashGraceMs',
] as const satisfies readonly (keyof QueueConfig)[];
const GUARDED = [...KEEPING, 'redact', 'purgeNeedsApproval'] as const;

/** Whether the answer of `needToChange` depends on what the settings are now. */
export const isGuarded = (patch: ConfigPatch): boolean => GUARDED.some((name) => patch[name] !== undefined);

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
  // What was shown once is known, and what is not kept any more is gone: both are as final as a purge.
  if (otherRules || KEEPING.some((name) => isLess(patch[name], now[name])))
    needQueue(principal, 'destroy', queue);
  // The first person could else do without the second. Never a token's: it has no access.
  if (now.purgeNeedsApproval && patch.purgeNeedsApproval === false) needEverywhere(principal, 'access');
}

function isLess(after: number | null | undefined, before: number | null): boolean {
  if (after === undefined || after === null) return false;
  return before === null || after < before;
}
