/** Operations: what is started here is judged, job by job, by what whoever started it may touch; see lib/broker/bulk. */
import type { z } from 'zod';
import { kindPermission } from '@/lib/contract/action-permissions';
import type { operationsQuerySchema } from '@/lib/contract/api';
import {
  type Operation,
  type OperationAction,
  type OperationChange,
  type OperationJobsPage,
  type OperationJobsQuery,
  type operationRequestSchema,
  type Preview,
  type previewRequestSchema,
  type Scope,
  UNDONE_BY,
  type UndoRequest,
} from '@/lib/contract/operations';
import { hasJob, isEverywhere, type Permission, reachesQueue, type Within } from '@/lib/contract/permissions';
import { need, needQueue, needSomeOf } from '../access/need';
import { withinOf } from '../access/principal';
import { getBroker } from '../broker';
import { getBulkRunner } from '../bulk-runner';
import { openExport } from '../export';
import { noSuchPreview } from '../missing';
import { actor, type Caller } from './caller';
import { requireQueue } from './exists';
import { actPermission, mayArrive, needAll, needOperation, seesOperation } from './operation-rights';
import { needUnmaskIn } from './unmask';

/** Looked through at a time, for those who do not see all of them. */
const LOOKED_AT_ONCE = 100;

export function guardedOperations(caller: Caller) {
  const { principal } = caller;

  /** As it is now, if they may do this with it. */
  async function one(id: string, permission: Permission): Promise<Operation> {
    need(principal, permission === 'destroy' ? 'operate' : permission);
    const operation = await getBroker().operations.get(id);
    needOperation(principal, permission, operation);
    return operation;
  }

  /** Whatever is asked for, nothing outside is looked at, counted or moved. */
  async function bounded(asked: z.output<typeof previewRequestSchema>): Promise<Scope> {
    const permission = kindPermission(asked.kind);
    need(principal, permission);
    const { scope, target } = asked;
    // Of all tenants, also of those one does not see.
    if (asked.kind === 'delete-queue' && scope.queue !== undefined)
      needQueue(principal, permission, scope.queue);
    const named = [scope.queue, ...(scope.jobs ?? []).map((job) => job.queue)];
    for (const queue of new Set(named)) if (queue !== undefined) needSomeOf(principal, permission, queue);
    let within: Within = withinOf(principal, permission);
    if (target !== undefined) within = mayArrive(principal, within, target);
    // A slip of the pen would move jobs to where nobody works. A queue that the query names need not exist: nothing matches.
    for (const queue of new Set([...named, target])) if (queue !== undefined) await requireQueue(queue);
    return isEverywhere(within) ? scope : { ...scope, within };
  }

  return {
    async list(query: z.output<typeof operationsQuerySchema>) {
      need(principal, 'view');
      const { limit, cursor, ...filter } = query;
      const within = withinOf(principal, 'view');
      const { operations } = getBroker();
      const page = isEverywhere(within)
        ? await operations.list(limit, cursor, filter)
        : await visiblePage(within, limit, cursor, filter);
      return { at: await getBroker().now(), ...page };
    },

    get: (id: string): Promise<Operation> => one(id, 'view'),

    async jobs(id: string, query: OperationJobsQuery): Promise<OperationJobsPage> {
      await one(id, 'view');
      const page = await getBroker().operations.jobs(id, query);
      const within = withinOf(principal, 'view');
      if (isEverywhere(within)) return page;
      const { jobs, skips } = page;
      return {
        ...page,
        jobs: jobs.filter(({ queue, tenantId }) => hasJob(within, queue, tenantId)),
        ...(skips ? { skips: skips.filter(({ queue }) => reachesQueue(within, queue)) } : {}),
      };
    },

    async preview(asked: z.output<typeof previewRequestSchema>): Promise<Preview> {
      const scope = await bounded(asked);
      return getBroker().operations.preview({ ...asked, scope }, actor(caller), (touched) =>
        needUnmaskIn(principal, touched, asked, scope.within),
      );
    },

    /** Whoever confirms it must be one who could have asked for it: a preview's token is no right. */
    async start(request: z.output<typeof operationRequestSchema>): Promise<Operation> {
      need(principal, 'operate');
      const started = await getBroker().operations.start(request, actor(caller, request), (preview) => {
        const { kind, scope, target = null } = preview.request;
        if (!seesOperation(withinOf(principal, 'view'), { scope, target })) throw noSuchPreview();
        needAll(principal, kindPermission(kind), { scope, target });
        needUnmaskIn(principal, preview.touched, preview.request, scope.within);
      });
      return setGoing(started);
    },

    async change(id: string, change: OperationChange): Promise<Operation> {
      await one(id, 'operate');
      return setGoing(await getBroker().operations.change(id, change, actor(caller)));
    },

    async act(id: string, action: OperationAction, reason: string | undefined): Promise<Operation> {
      const { kind } = await one(id, 'operate');
      await one(id, actPermission(kind, action));
      const by = actor(caller, { reason });
      return setGoing(await getBroker().operations.act(id, action, by, reason));
    },

    async undo(id: string, request: UndoRequest): Promise<Operation> {
      const { kind } = await one(id, 'operate');
      const permission = kindPermission(UNDONE_BY[kind] ?? 'restore');
      const within = withinOf(principal, permission);
      const by = actor(caller, request);
      const mine = isEverywhere(within) ? undefined : within;
      return setGoing(await getBroker().operations.undo(id, request, by, mine));
    },

    /** The file of an export. Who took it along is on record before any of it leaves. */
    async file(id: string, request: Request): Promise<Response> {
      const response = await openExport(principal, await one(id, 'operate'), request);
      if (request.method !== 'GET') return response;
      const object = { kind: 'operation', id } as const;
      await getBroker()
        .audit.note({ action: 'operation.download', object }, actor(caller))
        .catch(async (error: unknown) => {
          await response.body?.cancel();
          throw error;
        });
      return response;
    },
  };
}

type Filter = Pick<z.output<typeof operationsQuerySchema>, 'status' | 'kind'>;

/** Cursors, too, name only what one may see. */
async function visiblePage(within: Within, limit: number, cursor: string | undefined, filter: Filter) {
  const found: Operation[] = [];
  for (let from = cursor; ; ) {
    const page = await getBroker().operations.list(LOOKED_AT_ONCE, from, filter);
    for (const operation of page.operations) {
      if (!seesOperation(within, operation)) continue;
      found.push(operation);
      if (found.length === limit) return { operations: found, nextCursor: operation.id };
    }
    if (page.nextCursor === null) return { operations: found, nextCursor: null };
    from = page.nextCursor;
  }
}

/** Has it worked off at once, or looked at again after a change. An export waits for whoever fetches its file. */
function setGoing(operation: Operation): Operation {
  if (operation.status === 'running' && operation.kind !== 'export') getBulkRunner().run(operation.id);
  return operation;
}
