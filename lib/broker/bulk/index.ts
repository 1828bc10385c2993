/** Operations, as the broker offers them: `broker.operations`. */
import type {
  OperationAction,
  OperationChange,
  OperationJobsQuery,
  OperationRequest,
  PreviewInput,
  UndoRequest,
} from '@/lib/contract/operations';
import type { Within } from '@/lib/contract/permissions';
import type { KeptPreview } from '@/lib/contract/verbs';
import type { Actor } from '../note';
import type { ShardedContext } from '../shards';
import { startOperation } from './confirm';
import { actOnOperation, changeOperation } from './control';
import { failOperation } from './endings';
import { exportEnded } from './exported';
import { operationJobs } from './jobs';
import { previewOperation } from './preview';
import { previewKind } from './previews';
import { type StepOptions, stepOperation } from './step';
import { tidyOperations } from './tidy';
import { undoOperation } from './undo';
import {
  getOperation,
  listOperations,
  liveOperations,
  type OperationFilter,
  runningOperations,
} from './view';

export const operationVerbs = (ctx: ShardedContext) => ({
  /** What an operation would do, and a token to confirm it with. Changes nothing. */
  preview: (request: PreviewInput, by: Actor, mayTouch?: (queues: readonly string[]) => void) =>
    previewOperation(ctx, request, by, mayTouch),
  /** What a token is a preview of. */
  kindOf: (previewToken: string) => previewKind(ctx, previewToken),
  /**
   * Confirms a preview. `by.requestId`, when given, makes a resend find the operation that the first call started. `mayStart` is shown what
   * was previewed, and throws when whoever confirms it may not do that.
   */
  start: (request: OperationRequest, by: Actor, mayStart?: (preview: KeptPreview) => void) =>
    startOperation(ctx, request, by, mayStart),
  /** Works on it for a moment; `runner` names who does. Any number may, and any may die. */
  step: (id: string, runner: string, options?: StepOptions) => stepOperation(ctx, id, runner, options),
  change: (id: string, change: OperationChange, by: Actor) => changeOperation(ctx, id, change, by),
  act: (id: string, action: OperationAction, by: Actor, reason?: string) =>
    actOnOperation(ctx, id, action, by, reason),
  /** Starts the operation that takes back what this one did, as far as it lies within. */
  undo: (id: string, request: UndoRequest, by: Actor, within?: Within) =>
    undoOperation(ctx, id, request, by, within),
  /** The jobs behind a number of its outcome. */
  jobs: (id: string, query: OperationJobsQuery) => operationJobs(ctx, id, query),
  get: (id: string) => getOperation(ctx, id),
  list: (limit: number, cursor?: string, filter?: OperationFilter) =>
    listOperations(ctx, limit, cursor, filter),
  /** Open ones, and those that ended within the last minute. */
  live: () => liveOperations(ctx),
  /** The ids of those somebody has to work off. */
  running: (options?: { thorough?: boolean }) => runningOperations(ctx, options),
  /** The file of an export was written to its end. */
  exported: (id: string, counts: { rows: number; truncated: boolean }) => exportEnded(ctx, id, counts),
  /** Closes what waits for somebody who will not come: exports nobody fetched, approvals nobody gave. */
  tidy: () => tidyOperations(ctx),
  fail: (id: string, error: string) => failOperation(ctx, id, error),
});
