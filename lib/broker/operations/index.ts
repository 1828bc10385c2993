import { bindVerbs } from '../redis/bind-verbs';
import type { ShardedContext } from '../shards/sharded-context';
import { changeOperation } from './change-operation';
import { closeExpiredOperations, completeExport } from './close-operation';
import { applyAction } from './control-operation';
import { previewOperation } from './preview/preview-operation';
import { failOperation } from './runner/operation-transitions';
import { runSlice } from './runner/run-slice';
import { startOperation } from './start-operation';
import { listOperationJobs } from './store/operation-jobs';
import { getOperation, listOperations, liveOperations, runningOperations } from './store/read-operations';
import { undoOperation } from './undo-operation';

/** `broker.operations`. */
export const operationVerbs = (ctx: ShardedContext) =>
  bindVerbs(ctx, {
    preview: previewOperation,
    start: startOperation,
    runSlice,
    change: changeOperation,
    act: applyAction,
    undo: undoOperation,
    jobs: listOperationJobs,
    get: getOperation,
    list: listOperations,
    live: liveOperations,
    running: runningOperations,
    exported: completeExport,
    closeExpired: closeExpiredOperations,
    fail: failOperation,
  });
