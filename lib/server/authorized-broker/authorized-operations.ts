/** Operations. What a user starts touches only jobs that the user may touch; see lib/broker/operations. */
import type { z } from 'zod';
import { operationPermission } from '@/lib/contract/access/action-permissions';
import {
  type AccessScope,
  isFullScope,
  type Permission,
  scopeHasJob,
  scopeReachesQueue,
} from '@/lib/contract/access/grant-scopes';
import { noSuchPreview } from '@/lib/contract/not-found-errors';
import type { Operation, OperationJobsPage } from '@/lib/contract/operations/operation';
import { isOperationVisible } from '@/lib/contract/operations/operation-access-scope';
import { KIND_RULES, type OperationAction } from '@/lib/contract/operations/operation-kinds';
import type { Preview } from '@/lib/contract/operations/operation-preview';
import type {
  OperationChange,
  OperationJobsQuery,
  ParsedOperationRequest,
  previewRequestSchema,
  Scope,
  UndoRequest,
} from '@/lib/contract/operations/operation-request';
import type { operationActionRequestSchema, operationsQuerySchema } from '@/lib/contract/request-schemas';
import { scopeOf } from '../authentication/principal';
import {
  movableScope,
  operationActionPermission,
  requireOperation,
  requireWholeScope,
} from '../authorization/operation-permission';
import {
  requirePartOfQueue,
  requirePermission,
  requireWholeQueue,
} from '../authorization/require-permission';
import { getOperationRunner } from '../background/operation-runner';
import { getBroker } from '../console-broker';
import { requireUnmask } from './authorized-unmask';
import { type RequestContext, requestActor, requireQueue } from './request-context';

export function authorizedOperations(context: RequestContext) {
  const { principal } = context;

  /** The present operation, if the principal has the permission for it. */
  async function one(id: string, permission: Permission): Promise<Operation> {
    requirePermission(principal, permission === 'destroy' ? 'operate' : permission);
    const operation = await getBroker().operations.get(id);
    requireOperation(principal, permission, operation);
    return operation;
  }

  /** Limits a request's scope to the principal's: nothing else is read, counted or moved. */
  async function limitedScope(asked: z.output<typeof previewRequestSchema>): Promise<Scope> {
    const permission = operationPermission(asked.kind);
    requirePermission(principal, permission);
    const { scope, target } = asked;
    // It deletes jobs of all tenants.
    if (asked.kind === 'delete-queue' && scope.queue !== undefined)
      requireWholeQueue(principal, permission, scope.queue);
    const named = [scope.queue, ...(scope.jobs ?? []).map((job) => job.queue)];
    for (const queue of new Set(named))
      if (queue !== undefined) requirePartOfQueue(principal, permission, queue);
    let within: AccessScope = scopeOf(principal, permission);
    if (target !== undefined) within = movableScope(principal, within, target);
    // A misspelt target would strand the jobs. A queue that only the query names need not exist: nothing matches.
    for (const queue of new Set([...named, target])) if (queue !== undefined) await requireQueue(queue);
    return isFullScope(within) ? scope : { ...scope, within };
  }

  return {
    async list(query: z.output<typeof operationsQuerySchema>) {
      requirePermission(principal, 'view');
      const { limit, cursor, ...filter } = query;
      const within = scopeOf(principal, 'view');
      const { operations } = getBroker();
      const isVisible = (operation: Pick<Operation, 'scope' | 'target'>) =>
        isOperationVisible(operation, within);
      const page = await operations.list(
        limit,
        cursor,
        isFullScope(within) ? filter : { ...filter, isVisible },
      );
      return { at: await getBroker().now(), ...page };
    },

    get: (id: string): Promise<Operation> => one(id, 'view'),

    async jobs(id: string, query: OperationJobsQuery): Promise<OperationJobsPage> {
      await one(id, 'view');
      const page = await getBroker().operations.jobs(id, query);
      const within = scopeOf(principal, 'view');
      if (isFullScope(within)) return page;
      const { jobs, skips } = page;
      return {
        ...page,
        jobs: jobs.filter(({ queue, tenantId }) => scopeHasJob(within, queue, tenantId)),
        ...(skips ? { skips: skips.filter(({ queue }) => scopeReachesQueue(within, queue)) } : {}),
      };
    },

    async preview(asked: z.output<typeof previewRequestSchema>): Promise<Preview> {
      const scope = await limitedScope(asked);
      return getBroker().operations.preview({ ...asked, scope }, requestActor(context), (touched) =>
        requireUnmask(principal, touched, asked, scope.within),
      );
    },

    /** A preview's token is no permission: starting needs the same permissions as the preview. */
    async start(request: ParsedOperationRequest): Promise<Operation> {
      requirePermission(principal, 'operate');
      const started = await getBroker().operations.start(
        request,
        requestActor(context, request),
        (preview) => {
          const { kind, scope, target = null } = preview.request;
          if (!isOperationVisible({ scope, target }, scopeOf(principal, 'view'))) throw noSuchPreview();
          requireWholeScope(principal, operationPermission(kind), { scope, target });
          requireUnmask(principal, preview.touched, preview.request, scope.within);
        },
      );
      return wakeRunner(started);
    },

    /** Letting it go faster or further takes what starting it takes. */
    async change(id: string, change: OperationChange): Promise<Operation> {
      requirePermission(principal, 'operate');
      const changed = await getBroker().operations.change(
        id,
        change,
        requestActor(context),
        (record, isLooser) =>
          requireOperation(principal, isLooser ? operationPermission(record.kind) : 'operate', record),
      );
      return wakeRunner(changed);
    },

    async act(
      id: string,
      action: OperationAction,
      { reason, canary }: z.output<typeof operationActionRequestSchema>,
    ): Promise<Operation> {
      requirePermission(principal, 'operate');
      const by = requestActor(context, { reason });
      const acted = await getBroker().operations.act(id, action, by, reason, canary, (record) =>
        requireOperation(principal, operationActionPermission(record.kind, action), record),
      );
      return wakeRunner(acted);
    },

    async undo(id: string, request: UndoRequest): Promise<Operation> {
      requirePermission(principal, 'operate');
      const by = requestActor(context, request);
      const undoing = await getBroker().operations.undo(id, request, by, (undone) => {
        requireOperation(principal, 'operate', undone);
        const within = scopeOf(principal, operationPermission(KIND_RULES[undone.kind].undoneBy ?? 'restore'));
        return isFullScope(within) ? undefined : within;
      });
      return wakeRunner(undoing);
    },

    /** For its file, which may show every job of the operation. */
    getExport: (id: string): Promise<Operation> => one(id, 'operate'),

    async recordDownload(id: string): Promise<void> {
      const object = { kind: 'operation', id } as const;
      await getBroker().audit.note({ action: 'operation.download', object }, requestActor(context));
    },
  };
}

/** Wakes the runner of this console. An export waits until its file is downloaded. */
function wakeRunner(operation: Operation): Operation {
  if (operation.status === 'running' && operation.kind !== 'export') getOperationRunner().run(operation.id);
  return operation;
}
