/** A queue as a whole: its settings, pauses and record of changes. */
import type { z } from 'zod';
import type { Actor } from '@/lib/broker';
import type { Change, ConfigPatch, drainRequestSchema, shardingSchema } from '@/lib/contract/config';
import { hasJob, hasQueue } from '@/lib/contract/permissions';
import type { Pause, PauseScope, pauseRequestSchema } from '@/lib/contract/queue';
import { needQueue, needTenant } from '../access/need';
import { withinOf } from '../access/principal';
import { getBroker } from '../broker';
import { actor, type Caller } from './caller';
import { visibleChange } from './changes';
import { requireQueue } from './exists';
import { isGuarded, needToChange } from './settings';

export function guardedQueues(caller: Caller) {
  const { principal } = caller;
  const whole = async (permission: 'view' | 'operate', queue: string) => {
    needQueue(principal, permission, queue);
    await requireQueue(queue);
  };
  /** A pause of one tenant is that tenant's matter; of a type, or of all, it is the queue's. */
  const mayPause = async (queue: string, scope: PauseScope) => {
    const tenant = tenantOf(scope);
    if (tenant === null) needQueue(principal, 'operate', queue);
    else needTenant(principal, 'operate', queue, tenant);
    await requireQueue(queue);
  };
  /** Read now: the answer to a change must show the change. */
  const pauses = async (queue: string): Promise<Pause[]> => {
    const [reading] = await getBroker().inspect.snapshot([queue]);
    const within = withinOf(principal, 'view');
    if (hasQueue(within, queue)) return reading?.pauses ?? [];
    return (reading?.pauses ?? []).filter(({ scope }) => {
      const tenant = tenantOf(scope);
      return tenant !== null && hasJob(within, queue, tenant);
    });
  };
  const by = (body?: { reason?: string | undefined }): Actor => actor(caller, body);

  return {
    async pause(queue: string, body: z.output<typeof pauseRequestSchema>): Promise<Pause[]> {
      await mayPause(queue, body.scope);
      await getBroker().pause(queue, body, by());
      return pauses(queue);
    },
    async resume(queue: string, scope: PauseScope, reason: string | undefined): Promise<Pause[]> {
      await mayPause(queue, scope);
      await getBroker().resume(queue, scope, by({ reason }));
      return pauses(queue);
    },
    async config(queue: string) {
      await whole('view', queue);
      return getBroker().config.get(queue);
    },
    async changeConfig(queue: string, patch: ConfigPatch) {
      await whole('operate', queue);
      if (!isGuarded(patch)) return getBroker().config.change(queue, patch, by());
      const { config, revision } = await getBroker().config.get(queue);
      needToChange(principal, queue, patch, config);
      // What was judged is what is changed: not settings that somebody else made stricter meanwhile.
      return getBroker().config.change(queue, { ...patch, ifRevision: patch.ifRevision ?? revision }, by());
    },
    async drain(queue: string, body: z.output<typeof drainRequestSchema>) {
      await whole('operate', queue);
      await getBroker().drain(queue, body, by());
      return getBroker().config.get(queue);
    },
    /** A queue need not exist yet: its layout is best chosen before its first job. */
    async setSharding(queue: string, body: z.output<typeof shardingSchema>) {
      needQueue(principal, 'operate', queue);
      await getBroker().sharding.set(queue, body, by());
      return getBroker().config.get(queue);
    },
    async reclaim(queue: string): Promise<number> {
      await whole('operate', queue);
      const { returned, died } = await getBroker().reclaim(queue, undefined, by());
      return returned + died;
    },
    async changes(queue: string, limit: number): Promise<Change[]> {
      await whole('view', queue);
      const within = withinOf(principal, 'view');
      return (await getBroker().inspect.changes(queue, limit)).map((change) => visibleChange(change, within));
    },
  };
}

const tenantOf = (scope: PauseScope): string | null =>
  scope.startsWith('tenant:') ? scope.slice('tenant:'.length) : null;
