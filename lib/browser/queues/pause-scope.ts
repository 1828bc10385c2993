/** Labels and lookups of pauses, shared by all pages. */
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import type { Pause, PauseScope } from '@/lib/contract/queues/pause-schemas';

export type PauseTarget = { kind: 'queue' } | { kind: 'tenant' | 'type'; name: string };

export function pauseTarget(scope: PauseScope): PauseTarget {
  if (scope === 'queue') return { kind: 'queue' };
  const colon = scope.indexOf(':');
  return { kind: scope.startsWith('tenant:') ? 'tenant' : 'type', name: scope.slice(colon + 1) };
}

/** "whole queue", "tenant acme", "job type email.send". */
export function pauseScopeLabel(scope: PauseScope): string {
  const target = pauseTarget(scope);
  if (target.kind === 'queue') return 'whole queue';
  return target.kind === 'tenant' ? `tenant ${target.name}` : `job type ${target.name}`;
}

export const queuePause = (pauses: readonly Pause[]): Pause | null =>
  pauses.find((pause) => pause.scope === 'queue') ?? null;

/** The pauses that block a job, the widest first: it runs when all of them ended. */
export function blockingPauses(
  job: Pick<JobSummary, 'tenantId' | 'jobType'>,
  pauses: readonly Pause[],
): Pause[] {
  const scopes: PauseScope[] = ['queue', `tenant:${job.tenantId}`, `type:${job.jobType}`];
  return scopes.flatMap((scope) => pauses.find((pause) => pause.scope === scope) ?? []);
}
