/**
 * The checks behind every verb a request can reach. A queue or job outside of what somebody may see is answered exactly as one that
 * does not exist: a refusal must not tell that there is something. What they may see and not do is refused by name.
 */
import { RedriveError } from '@/lib/contract/errors';
import {
  hasJob,
  hasQueue,
  isEverywhere,
  PERMISSIONS,
  type Permission,
  reachesQueue,
} from '@/lib/contract/permissions';
import { noSuchJob, noSuchQueue } from '../missing';
import { type Principal, withinOf } from './principal';

/** Held for things that cannot be put back, and for who may do what: these ask for a proof that is not old. */
const PROVED: ReadonlySet<Permission> = new Set(['destroy', 'access']);

const refusal = (principal: Principal, permission: Permission, where: string): RedriveError =>
  new RedriveError(
    'FORBIDDEN',
    `This needs the permission "${permission}"${where}, which ${principal.name} does not have. Nothing was changed.`,
    { fields: [{ field: 'permission', message: `${permission} is missing` }] },
  );

/** Who they are, said again not long ago. @throws RedriveError PROOF_NEEDED */
export function needProof(principal: Principal): void {
  if (principal.provedUntil === null || principal.provedUntil > Date.now()) return;
  throw new RedriveError(
    'PROOF_NEEDED',
    'This cannot be taken back by everybody, so say once more who you are. Nothing was changed.',
    { fields: [{ field: 'proof', message: 'is too old' }] },
  );
}

function needProofFor(principal: Principal, permission: Permission): void {
  if (PROVED.has(permission)) needProof(principal);
}

/** Somewhere at all. @throws RedriveError FORBIDDEN | PROOF_NEEDED */
export function need(principal: Principal, permission: Permission): void {
  if (withinOf(principal, permission).length === 0) throw refusal(principal, permission, '');
  needProofFor(principal, permission);
}

/** For what is no queue's: people, tokens, the lab, metrics of all. @throws RedriveError FORBIDDEN | PROOF_NEEDED */
export function needEverywhere(principal: Principal, permission: Permission): void {
  if (!isEverywhere(withinOf(principal, permission)))
    throw refusal(principal, permission, ' for all queues and tenants');
  needProofFor(principal, permission);
}

const reaches = (principal: Principal, queue: string): boolean =>
  PERMISSIONS.some((permission) => reachesQueue(withinOf(principal, permission), queue));

/** The queue as a whole. @throws RedriveError QUEUE_NOT_FOUND | FORBIDDEN | PROOF_NEEDED */
export function needQueue(principal: Principal, permission: Permission, queue: string): void {
  if (!reaches(principal, queue)) throw noSuchQueue(queue);
  if (!hasQueue(withinOf(principal, permission), queue))
    throw refusal(principal, permission, ` for the whole queue ${queue}`);
  needProofFor(principal, permission);
}

/** Some jobs of it: what is asked is then narrowed to these. @throws RedriveError QUEUE_NOT_FOUND | FORBIDDEN | PROOF_NEEDED */
export function needSomeOf(principal: Principal, permission: Permission, queue: string): void {
  if (!reaches(principal, queue)) throw noSuchQueue(queue);
  if (!reachesQueue(withinOf(principal, permission), queue))
    throw refusal(principal, permission, ` for ${queue}`);
  needProofFor(principal, permission);
}

/** What is a tenant's, where no job is named yet: jobs to come, a pause. @throws RedriveError QUEUE_NOT_FOUND | FORBIDDEN | PROOF_NEEDED */
export function needTenant(
  principal: Principal,
  permission: Permission,
  queue: string,
  tenant: string,
): void {
  if (!reaches(principal, queue)) throw noSuchQueue(queue);
  if (!hasJob(withinOf(principal, permission), queue, tenant))
    throw refusal(principal, permission, ` for jobs of ${tenant} in ${queue}`);
  needProofFor(principal, permission);
}

/** @throws RedriveError JOB_NOT_FOUND | FORBIDDEN | PROOF_NEEDED */
export function needJob(
  principal: Principal,
  permission: Permission,
  job: { queue: string; jobId: string; tenant: string },
): void {
  const { queue, jobId, tenant } = job;
  if (!PERMISSIONS.some((one) => hasJob(withinOf(principal, one), queue, tenant)))
    throw noSuchJob(queue, jobId);
  if (!hasJob(withinOf(principal, permission), queue, tenant))
    throw refusal(principal, permission, ` for jobs of ${tenant} in ${queue}`);
  needProofFor(principal, permission);
}
