/** A queue as a whole: its settings, pauses and change record. */
import type { Actor } from '@/lib/broker';
import { isFullScope, scopeHasJob, scopeHasQueue } from '@/lib/contract/access/grant-scopes';
import type { Pause, PauseRequest, PauseScope } from '@/lib/contract/queues/pause-schemas';
import {
  type ConfigPatch,
  type DrainRequest,
  type QueueChange,
  type QueueConfig,
  type RetentionSetting,
  reducedRetention,
  type Sharding,
} from '@/lib/contract/queues/queue-config';
import { RedriveError } from '@/lib/contract/redrive-error';
import { type Principal, scopeOf } from '../authentication/principal';
import {
  requireEverywhere,
  requireReauthentication,
  requireTenant,
  requireWholeQueue,
} from '../authorization/require-permission';
import { visibleChange } from '../authorization/visible-changes';
import { getBroker } from '../console-broker';
import { type RequestContext, requestActor, requireQueue } from './request-context';

export function authorizedQueues(context: RequestContext) {
  const { principal } = context;
  const whole = async (permission: 'view' | 'operate', queue: string) => {
    requireWholeQueue(principal, permission, queue);
    await requireQueue(queue);
  };
  /** Pausing one tenant needs that tenant; pausing a type, or all, needs the whole queue. */
  const requirePause = async (queue: string, scope: PauseScope) => {
    const tenant = tenantOf(scope);
    if (tenant === null) requireWholeQueue(principal, 'operate', queue);
    else requireTenant(principal, 'operate', queue, tenant);
    await requireQueue(queue);
  };
  /** Read from Redis: the response to a change must show the change. */
  const pauses = async (queue: string): Promise<Pause[]> => {
    const [reading] = await getBroker().inspect.snapshot([queue]);
    const within = scopeOf(principal, 'view');
    if (scopeHasQueue(within, queue)) return reading?.pauses ?? [];
    return (reading?.pauses ?? []).filter(({ scope }) => {
      const tenant = tenantOf(scope);
      return tenant !== null && scopeHasJob(within, queue, tenant);
    });
  };
  const by = (body?: { reason?: string | undefined }): Actor => requestActor(context, body);

  return {
    async pause(queue: string, body: PauseRequest): Promise<Pause[]> {
      await requirePause(queue, body.scope);
      await getBroker().pause(queue, body, by());
      return pauses(queue);
    },
    async resume(queue: string, scope: PauseScope, reason: string | undefined): Promise<Pause[]> {
      await requirePause(queue, scope);
      await getBroker().resume(queue, scope, by({ reason }));
      return pauses(queue);
    },
    async config(queue: string) {
      await whole('view', queue);
      return getBroker().config.get(queue);
    },
    async changeConfig(queue: string, patch: ConfigPatch) {
      await whole('operate', queue);
      return getBroker().config.change(queue, patch, by(), (now) =>
        requireSettingsPermission(principal, queue, patch, now),
      );
    },
    async drain(queue: string, body: DrainRequest) {
      await whole('operate', queue);
      await getBroker().drain(queue, body, by());
      return getBroker().config.get(queue);
    },
    /** The queue need not exist yet: sharding is best chosen before the first job. */
    async setSharding(queue: string, body: Sharding) {
      requireWholeQueue(principal, 'operate', queue);
      await getBroker().sharding.set(queue, body, by());
      return getBroker().config.get(queue);
    },
    async reclaim(queue: string): Promise<number> {
      await whole('operate', queue);
      const { returned, died } = await getBroker().reclaim(queue, undefined, by());
      return returned + died;
    },
    /** Of all tenants, so it needs the whole queue. */
    async breakdown(queue: string) {
      await whole('view', queue);
      return getBroker().inspect.breakdown(queue);
    },
    async memory(queue: string) {
      await whole('view', queue);
      return getBroker().inspect.queueMemory(queue);
    },
    async changes(queue: string, limit: number): Promise<QueueChange[]> {
      await whole('view', queue);
      const within = scopeOf(principal, 'view');
      return (await getBroker().inspect.changes(queue, limit)).map((change) => visibleChange(change, within));
    },
  };
}

const tenantOf = (scope: PauseScope): string | null =>
  scope.startsWith('tenant:') ? scope.slice('tenant:'.length) : null;

/**
 * Settings that delete or reveal need, besides `operate`, the permission for doing so by hand.
 * @throws RedriveError FORBIDDEN | REAUTHENTICATION_REQUIRED
 */
function requireSettingsPermission(
  principal: Principal,
  queue: string,
  patch: ConfigPatch,
  now: QueueConfig,
): void {
  // Only a user who may see hidden values may reveal them.
  if (patch.redact !== undefined) requireWholeQueue(principal, 'unmask', queue);
  const otherRules =
    patch.redact !== undefined && JSON.stringify(patch.redact) !== JSON.stringify(now.redact);
  const less = reducedRetention(patch, now);
  // Revealing values and shorter retention are as irreversible as a purge.
  if (otherRules || less.length > 0) requireWholeQueue(principal, 'destroy', queue);
  if (!now.purgeNeedsApproval) return;
  // Both circumvent the approval of purges. Tokens never have `access`.
  if (patch.purgeNeedsApproval === false) requireEverywhere(principal, 'access');
  if (less.length > 0) requireAccessForShorterRetention(principal, queue, less);
}

/** Shorter retention deletes at once, so it needs the permission that switches the approval off. */
function requireAccessForShorterRetention(
  principal: Principal,
  queue: string,
  less: readonly RetentionSetting[],
): void {
  if (isFullScope(scopeOf(principal, 'access'))) {
    requireReauthentication(principal);
    return;
  }
  throw new RedriveError(
    'FORBIDDEN',
    `${less.join(', ')}: keeping less than now deletes jobs of ${queue}, where purges need approval (purgeNeedsApproval). This needs the permission "access" for all queues and tenants, which ${principal.name} does not have. Start a purge instead, which another user approves. Nothing was changed.`,
    { fields: less.map((field) => ({ field, message: 'keeps less than now' })) },
  );
}
